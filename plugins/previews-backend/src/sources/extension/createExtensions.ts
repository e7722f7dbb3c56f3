import { LoggerService } from '@backstage/backend-plugin-api';
import {
  PreviewsConditionProvider,
  PreviewsSourceProvider,
} from '@previews/backstage-plugin-previews-node';
import { CallListener } from '../calls';
import { Extensions } from '../FurtherSource';
import { checkProviders } from './checkProviders';
import { createPolicy } from './createPolicy';
import { ExtensionErrors } from './ExtensionErrors';
import { ExtensionSource } from './ExtensionSource';

/**
 * Checks what modules added and makes it safe to use.
 *
 * @throws InputError, ConflictError
 */
export function createExtensions(options: {
  sources: readonly PreviewsSourceProvider[];
  conditions: readonly PreviewsConditionProvider[];
  logger: LoggerService;
  onCall?: CallListener;
  clock?: () => Date;
}): Extensions {
  checkProviders(options);
  const { logger, onCall, clock } = options;
  const errorsOf = new Map<string, ExtensionErrors>();
  const sources = options.sources.map(provider => {
    const errors = new ExtensionErrors();
    errorsOf.set(provider.id, errors);
    return ExtensionSource.create({ provider, errors, logger, onCall, clock });
  });
  const alone = new Map<string, ExtensionErrors>();
  const policies = options.conditions.map(provider => {
    const { type, source } = provider;
    const errors =
      (source === undefined ? undefined : errorsOf.get(source)) ??
      new ExtensionErrors();
    if (source === undefined) {
      alone.set(type, errors);
    }
    return createPolicy(provider, { errors, logger });
  });
  return {
    sources,
    policies,
    failures: now =>
      [...alone].flatMap(([type, errors]) => {
        const found = errors.at(now);
        return found.length === 0
          ? []
          : [
              {
                id: `extension:${type}`,
                kind: 'extension' as const,
                name: type,
                status: 'failing' as const,
                errors: found,
                notes: [],
              },
            ];
      }),
  };
}
