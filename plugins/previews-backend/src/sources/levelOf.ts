import { SourceErrorReason } from '@previews/backstage-plugin-previews-common';

/** They befall all of a source alike, which tells of them itself, once. */
const OF_THE_SOURCE: ReadonlySet<SourceErrorReason> =
  new Set<SourceErrorReason>([
    'Unreachable',
    'TimedOut',
    'RateLimited',
    'ServerError',
    'TokenInvalid',
    'TokenExpired',
    'TokenRevoked',
  ]);

/** How loud the log is about a part of a source that cannot be read, such as a kind or a project. */
export function levelOf(reason: SourceErrorReason): 'debug' | 'warn' {
  return OF_THE_SOURCE.has(reason) ? 'debug' : 'warn';
}
