import { ListPreviewsRequest } from '@previews/backstage-plugin-previews-common';
import { Router } from 'express';
import { sendVersioned } from '../sendVersioned';
import { TooManyRequestsError } from '../TooManyRequestsError';
import { readEntityRef } from './readEntityRef';
import { RouteContext } from './RouteContext';

export function addPreviewRoutes(router: Router, context: RouteContext): void {
  const { service, validator } = context;

  router.get('/v1/previews', async (request, response) => {
    const credentials = await context.credentialsOf(request);
    const query = validator.validate('listPreviews', request)
      .query as ListPreviewsRequest;
    const answer = await service.list(
      {
        ...query,
        ...(query.entityRef !== undefined && {
          entityRef: readEntityRef(query.entityRef),
        }),
      },
      { credentials },
    );
    const caller = context.callerOf(credentials);
    sendVersioned(request, response, { answer, caller });
  });

  router.get('/v1/previews/:id', async (request, response) => {
    const credentials = await context.credentialsOf(request);
    validator.validate('getPreview', request);
    const answer = await service.get(request.params.id, { credentials });
    const caller = context.callerOf(credentials);
    sendVersioned(request, response, { answer, caller });
  });

  router.get('/v1/previews/:id/timeline', async (request, response) => {
    const credentials = await context.credentialsOf(request);
    const query = validator.validate('getTimeline', request).query as {
      limit?: number;
      cursor?: string;
    };
    const answer = await service.timeline(request.params.id, query, {
      credentials,
    });
    const caller = context.callerOf(credentials);
    sendVersioned(request, response, { answer, caller });
  });

  router.post('/v1/previews/:id/refresh', async (request, response) => {
    const credentials = await context.credentialsOf(request);
    validator.validate('refreshPreview', request);
    try {
      const accepted = await service.refresh(request.params.id, {
        credentials,
      });
      response.status(202).json(accepted);
    } catch (error) {
      if (error instanceof TooManyRequestsError) {
        response.set('Retry-After', String(error.retryAfterSeconds));
        response.append('Access-Control-Expose-Headers', 'Retry-After');
      }
      throw error;
    }
  });
}
