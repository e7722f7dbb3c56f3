import { LoggerService } from '@backstage/backend-plugin-api';
import { toError } from '@backstage/errors';
import {
  ConditionStatus,
  SourceErrorReason,
} from '@previews/backstage-plugin-previews-common';
import { PreviewsConditionProvider } from '@previews/backstage-plugin-previews-node';
import { FurtherPolicy, FurtherVerdict } from '../../model';
import { asObject, timeOf } from '../objects/values';
import { clampParams, fillIn } from './clamp';
import { ExtensionErrors } from './ExtensionErrors';

const STATUSES: readonly ConditionStatus[] = ['True', 'False', 'Unknown'];

/** A condition is not decided more often than this for the time alone, in milliseconds. */
const SOONEST_LOOK = 10_000;

/** Makes a module's condition one that never throws and gives no more than a condition has. */
export function createPolicy(
  provider: PreviewsConditionProvider,
  options: { errors: ExtensionErrors; logger: LoggerService },
): FurtherPolicy {
  const { type, title, source, blocksLive = false } = provider;
  const { errors, logger } = options;
  const fail = (reason: SourceErrorReason, now: string, error?: unknown) => {
    if (errors.note(type, { reason, now })) {
      logger.warn(
        `The condition ${type} of a module could not be decided`,
        toError(error ?? new Error('it gave no verdict with a known reason')),
      );
    }
    return 'failed' as const;
  };
  return {
    type,
    title: fillIn(title, {}),
    sourceId: `extension:${source ?? type}`,
    readsSource: source !== undefined,
    blocksLive,
    evaluate(input) {
      let given: unknown;
      try {
        given = provider.evaluate(input);
        if (given === undefined) {
          return undefined;
        }
        return (
          verdictOf(given, provider, input.now) ??
          fail('UnexpectedAnswer', input.now)
        );
      } catch (error) {
        return fail('ServerError', input.now, error);
      } finally {
        // What is async by mistake must not end the process when it rejects.
        if (given instanceof Promise) {
          given.catch(() => {});
        }
      }
    },
  };
}

function verdictOf(
  given: unknown,
  { reasons }: PreviewsConditionProvider,
  now: string,
): FurtherVerdict | undefined {
  const json = asObject(given);
  const status = STATUSES.find(known => known === json?.status);
  const name = json?.reason;
  if (
    !json ||
    status === undefined ||
    typeof name !== 'string' ||
    !Object.hasOwn(reasons, name)
  ) {
    return undefined;
  }
  const { effect, sentence } = reasons[name];
  const params = clampParams(json.params);
  const lookAgainAt = timeOf(json.lookAgainAt);
  return {
    status,
    reason: name,
    effect,
    params,
    sentences: fillIn(sentence, params),
    ...(lookAgainAt !== undefined && {
      lookAgainAt: notBefore(lookAgainAt, now),
    }),
  };
}

function notBefore(time: string, now: string): string {
  const soonest = Date.parse(now) + SOONEST_LOOK;
  return new Date(Math.max(Date.parse(time), soonest)).toISOString();
}
