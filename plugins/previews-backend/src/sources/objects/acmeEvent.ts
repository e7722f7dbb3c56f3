import { AcmeEventFact } from '../../model';
import { isOfKind, parseLeanMeta, ParseContext } from './meta';
import { stableErrorOf } from './stableText';
import { compact, objectAt, timeOf, wholeTextOf } from './values';

const KINDS = ['Order', 'Challenge'];

/**
 * Parses an Event of an Order or a Challenge; undefined for one of anything else.
 * How often it was seen is not kept: one that is repeated tells nothing new.
 */
export function parseAcmeEvent(
  value: unknown,
  context: ParseContext,
): AcmeEventFact | undefined {
  if (!isOfKind(value, { kind: 'Event', groups: ['', 'events.k8s.io'] })) {
    return undefined;
  }
  const meta = parseLeanMeta(value, context);
  const event = objectAt(value);
  const involved = objectAt(event, 'involvedObject');
  const kind = wholeTextOf(involved.kind, 63);
  if (!meta || (kind !== undefined && !KINDS.includes(kind))) {
    return undefined;
  }
  const name = wholeTextOf(involved.name, 253);
  return compact({
    meta,
    involved:
      kind !== undefined && name !== undefined
        ? compact({ kind, name, uid: wholeTextOf(involved.uid) })
        : undefined,
    reason: wholeTextOf(event.reason, 128),
    message: stableErrorOf(event.message),
    observedAt:
      timeOf(objectAt(event, 'series').lastObservedTime) ??
      timeOf(event.lastTimestamp) ??
      timeOf(event.eventTime) ??
      meta.createdAt,
  });
}
