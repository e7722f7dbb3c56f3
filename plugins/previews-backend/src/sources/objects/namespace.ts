import { NamespaceFact } from '../../model';
import { parseConditions } from './conditions';
import { isOfKind, parseObjectMeta, ParseContext } from './meta';
import { objectAt, wordOf } from './values';

/** Parses a Namespace; undefined for anything else. */
export function parseNamespace(
  value: unknown,
  context: ParseContext,
): NamespaceFact | undefined {
  if (!isOfKind(value, { kind: 'Namespace', groups: [''] })) {
    return undefined;
  }
  const meta = parseObjectMeta(value, context);
  if (!meta) {
    return undefined;
  }
  const status = objectAt(value, 'status');
  return {
    meta,
    phase: wordOf(status.phase, ['Active', 'Terminating'] as const, 'Unknown'),
    problems: parseConditions(status.conditions)
      .filter(
        ({ type, status: conditionStatus }) =>
          conditionStatus === 'True' && type.startsWith('Namespace'),
      )
      .map(({ type, message }) => ({ type, message: message ?? '' })),
  };
}
