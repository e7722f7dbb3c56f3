import {
  findingTypes,
  phases,
} from '@previews/backstage-plugin-previews-common';
import { referenceTo, schemas } from './schemas';

const previewId = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'Id of a preview, as lists give it',
  schema: { type: 'string', pattern: '^[a-z0-9-]+$', maxLength: 100 },
} as const;

function queryParameter(
  name: string,
  description: string,
  schema: Record<string, unknown>,
) {
  return { name, in: 'query', required: false, description, schema };
}

function limitParameter(what: string) {
  return queryParameter('limit', `At most so many ${what}`, {
    type: 'integer',
    minimum: 1,
    maximum: 200,
    default: 50,
  });
}

const cursorParameter = queryParameter(
  'cursor',
  'nextCursor of the page before; the other parameters stay the same',
  { type: 'string', minLength: 1, maxLength: 500 },
);

function pathParameter(name: string, description: string) {
  return {
    name,
    in: 'path',
    required: true,
    description,
    schema: {
      type: 'string',
      minLength: 1,
      maxLength: 253,
      // An entity ref is put together from these.
      pattern: '^[^:/\\u0000-\\u001f]+$',
    },
  };
}

function answer(schema: string, description: string) {
  return {
    description,
    content: { 'application/json': { schema: referenceTo(schema) } },
  };
}

const errorTexts = {
  '400': 'A parameter is malformed; the message names it',
  '401': 'There are no valid credentials',
  '403': 'The caller lacks the permission',
  '404': 'It does not exist or is hidden from the caller',
  '429': 'It was asked for too often; see Retry-After',
} as const;

function errors(...statuses: (keyof typeof errorTexts)[]) {
  return Object.fromEntries(
    statuses.map(status => [status, answer('Error', errorTexts[status])]),
  );
}

const notModified = {
  description: 'The caller has the newest version; see If-None-Match',
};

/**
 * The API, version 1. Written by hand: requests are validated against it, and
 * tests hold every answer and every route to it.
 */
export const openApiDocument = {
  openapi: '3.0.3',
  info: {
    title: 'Previews',
    version: '1',
    description:
      'Preview environments of merge requests. Answers are for the caller alone: what the permission policy or the catalog hides from them is not counted, found or named. Answers with an ETag may be asked for with If-None-Match; the header Previews-Read-At says when the facts were last read, also with status 304.',
    license: { name: 'Apache-2.0' },
  },
  servers: [{ url: '/api/previews' }],
  security: [{ bearer: [] }],
  paths: {
    '/openapi.json': {
      get: {
        operationId: 'getOpenApiDocument',
        summary: 'This document',
        responses: {
          200: {
            description: 'This document',
            content: { 'application/json': { schema: { type: 'object' } } },
          },
          ...errors('401'),
        },
      },
    },
    '/v1/previews': {
      get: {
        operationId: 'listPreviews',
        summary: 'A page of previews',
        parameters: [
          queryParameter('entityRef', 'Only previews of this entity', {
            type: 'string',
            minLength: 1,
            maxLength: 800,
          }),
          {
            ...queryParameter(
              'phase',
              'Only these phases; repeated, or separated by commas. Without it, what is over is left out.',
              {
                type: 'array',
                items: { type: 'string', enum: [...phases] },
                minItems: 1,
                maxItems: 50,
              },
            ),
            style: 'form',
            explode: true,
          },
          queryParameter('project', 'Only this project, by its full path', {
            type: 'string',
            minLength: 1,
            maxLength: 1000,
          }),
          queryParameter('author', 'Only MRs of this GitLab username', {
            type: 'string',
            minLength: 1,
            maxLength: 255,
          }),
          queryParameter('cluster', 'Only what is in this cluster', {
            type: 'string',
            minLength: 1,
            maxLength: 255,
          }),
          queryParameter('draft', 'Only drafts, or only what is no draft', {
            type: 'boolean',
          }),
          queryParameter(
            'q',
            'Free text over title, source branch, author, host, number (!7) and the start of the head SHA',
            { type: 'string', maxLength: 200 },
          ),
          queryParameter('sort', 'Order; a leading - turns it round', {
            type: 'string',
            enum: [
              'attention',
              '-attention',
              'activity',
              '-activity',
              'created',
              '-created',
              'iid',
              '-iid',
            ],
            default: 'attention',
          }),
          limitParameter('previews'),
          cursorParameter,
        ],
        responses: {
          200: answer('PreviewList', 'A page'),
          304: notModified,
          ...errors('400', '401', '403'),
        },
      },
    },
    '/v1/previews/{id}': {
      get: {
        operationId: 'getPreview',
        summary: 'One preview',
        parameters: [previewId],
        responses: {
          200: answer('PreviewAnswer', 'The preview'),
          304: notModified,
          ...errors('400', '401', '403', '404'),
        },
      },
    },
    '/v1/previews/{id}/timeline': {
      get: {
        operationId: 'getTimeline',
        summary: 'What happened to a preview, newest first, also after its end',
        parameters: [previewId, limitParameter('transitions'), cursorParameter],
        responses: {
          200: answer('Timeline', 'A page of its transitions'),
          304: notModified,
          ...errors('400', '401', '403', '404'),
        },
      },
    },
    '/v1/previews/{id}/refresh': {
      post: {
        operationId: 'refreshPreview',
        summary: 'Have it read again now; nothing is changed anywhere',
        parameters: [previewId],
        responses: {
          202: answer('Accepted', 'It will be read'),
          ...errors('400', '401', '403', '404', '429'),
        },
      },
    },
    '/v1/entities/{kind}/{namespace}/{name}/summary': {
      get: {
        operationId: 'getEntitySummary',
        summary: 'Counts and the latest previews of an entity, for cards',
        parameters: [
          pathParameter('kind', 'Kind of the entity'),
          pathParameter('namespace', 'Namespace of the entity'),
          pathParameter('name', 'Name of the entity'),
        ],
        responses: {
          200: answer('EntitySummary', 'The summary'),
          304: notModified,
          ...errors('400', '401', '403', '404'),
        },
      },
    },
    '/v1/stats': {
      get: {
        operationId: 'getStats',
        summary: 'How long environments take, and how many there are',
        parameters: [
          queryParameter('entityRef', 'Only previews of this entity', {
            type: 'string',
            minLength: 1,
            maxLength: 800,
          }),
          queryParameter(
            'from',
            'What ended from then on; 90 days before `to` where absent',
            { type: 'string', format: 'date-time' },
          ),
          queryParameter('to', 'What ended before then; now where absent', {
            type: 'string',
            format: 'date-time',
          }),
        ],
        responses: {
          200: answer('Stats', 'The statistics'),
          304: notModified,
          ...errors('400', '401', '403'),
        },
      },
    },
    '/v1/findings': {
      get: {
        operationId: 'listFindings',
        summary:
          'Where the merge requests and what is deployed for them differ, the newest first',
        parameters: [
          queryParameter(
            'entityRef',
            'Only what concerns a preview of this entity',
            { type: 'string', minLength: 1, maxLength: 800 },
          ),
          queryParameter('previewId', 'Only what concerns this preview', {
            type: 'string',
            pattern: '^[a-z0-9-]+$',
            maxLength: 100,
          }),
          {
            ...queryParameter(
              'type',
              'Only these types; repeated, or separated by commas',
              {
                type: 'array',
                items: { type: 'string', enum: [...findingTypes] },
                minItems: 1,
                maxItems: 50,
              },
            ),
            style: 'form',
            explode: true,
          },
          queryParameter('state', 'What still is, what is over, or both', {
            type: 'string',
            enum: ['open', 'resolved', 'all'],
            default: 'open',
          }),
          limitParameter('findings'),
          cursorParameter,
        ],
        responses: {
          200: answer('FindingList', 'A page'),
          304: notModified,
          ...errors('400', '401', '403'),
        },
      },
    },
    '/v1/findings/{id}': {
      get: {
        operationId: 'getFinding',
        summary: 'One finding, also after it is over',
        parameters: [
          { ...previewId, description: 'Id of a finding, as lists give it' },
        ],
        responses: {
          200: answer('FindingAnswer', 'The finding'),
          304: notModified,
          ...errors('400', '401', '403', '404'),
        },
      },
    },
    '/v1/health': {
      get: {
        operationId: 'getHealth',
        summary: 'Whether previews are kept up to date',
        responses: {
          200: answer('Health', 'A replica reconciles'),
          ...errors('400', '401', '403'),
          503: answer('Health', 'No replica has reconciled for a minute'),
        },
      },
    },
    '/v1/sources': {
      get: {
        operationId: 'getSources',
        summary: 'Freshness and errors of every source',
        responses: {
          200: answer('SourceList', 'All sources'),
          304: notModified,
          ...errors('400', '401', '403'),
        },
      },
    },
  },
  components: {
    securitySchemes: {
      bearer: {
        type: 'http',
        scheme: 'bearer',
        description: 'A Backstage token of a user or a service',
      },
    },
    schemas,
  },
};
