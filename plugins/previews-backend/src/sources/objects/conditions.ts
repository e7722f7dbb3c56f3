import { messageOf } from './stableText';
import {
  compact,
  integerOf,
  JsonObject,
  objectsOf,
  timeOf,
  wholeTextOf,
} from './values';

/** A condition as most kinds have it. */
export interface ParsedCondition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  lastTransitionAt?: string;
  observedGeneration?: number;
}

function parseCondition(condition: JsonObject): ParsedCondition | undefined {
  const type = wholeTextOf(condition.type);
  if (type === undefined) {
    return undefined;
  }
  return compact({
    type,
    status: wholeTextOf(condition.status) ?? 'Unknown',
    reason: wholeTextOf(condition.reason),
    message: messageOf(condition.message),
    lastTransitionAt: timeOf(condition.lastTransitionTime),
    observedGeneration: integerOf(condition.observedGeneration),
  });
}

/** The conditions of a list that have a type. */
export function parseConditions(value: unknown): ParsedCondition[] {
  return objectsOf(value).flatMap(item => parseCondition(item) ?? []);
}
