import { ApplicationSetFact } from '../../model';
import { parseConditions } from './conditions';
import {
  findPullRequestGenerators,
  shortestRequeueSeconds,
} from './generators';
import { isOfKind, parseObjectMeta, ParseContext } from './meta';
import {
  boundedCopy,
  compact,
  JsonObject,
  objectAt,
  textsOf,
  wholeTextOf,
} from './values';

/** Characters that are kept of a template. */
const MAXIMUM_TEMPLATE = 300_000;

/** Parses an ApplicationSet of Argo CD; undefined for anything else. */
export function parseApplicationSet(
  value: unknown,
  context: ParseContext,
): ApplicationSetFact | undefined {
  if (!isOfKind(value, { kind: 'ApplicationSet', groups: ['argoproj.io'] })) {
    return undefined;
  }
  const meta = parseObjectMeta(value, context);
  if (!meta) {
    return undefined;
  }
  const spec = objectAt(value, 'spec');
  const syncPolicy = objectAt(spec, 'syncPolicy');
  return compact({
    meta,
    goTemplate: spec.goTemplate === true,
    goTemplateOptions: textsOf(spec.goTemplateOptions),
    generators: findPullRequestGenerators(spec.generators),
    requeueAfterSeconds: shortestRequeueSeconds(spec.generators),
    template: boundedCopy(objectAt(spec, 'template') as JsonObject, {
      characters: MAXIMUM_TEMPLATE,
    }),
    templatePatch: wholeTextOf(spec.templatePatch, MAXIMUM_TEMPLATE),
    applicationsSync: wholeTextOf(syncPolicy.applicationsSync),
    preserveResourcesOnDeletion:
      syncPolicy.preserveResourcesOnDeletion === true,
    conditions: parseConditions(objectAt(value, 'status').conditions).map(
      ({ type, status, reason, message, lastTransitionAt }) =>
        compact({
          type,
          status,
          reason,
          message: message ?? '',
          lastTransitionAt,
        }),
    ),
  });
}
