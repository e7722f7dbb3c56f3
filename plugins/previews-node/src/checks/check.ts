import {
  CheckId,
  CheckParams,
  CheckSubject,
} from '@previews/backstage-plugin-previews-common';
import { SetUp } from './SetUp';
import { JsonObject, Path } from './values';

/** What is found: on which object or file, at which place, with which facts. */
export interface Found<I extends CheckId> {
  on: { subject: CheckSubject; object?: JsonObject };
  /** In the object, or a line such as `line 12`. */
  at: Path | string;
  /** What is there, where it is not what is at the path. */
  value?: string;
  params: Omit<CheckParams[I], 'object'>;
}

/** One readiness check. */
export interface Check<I extends CheckId> {
  id: I;
  find: (setUp: SetUp) => Found<I>[];
}

/** Any of them. */
export type AnyCheck = { [I in CheckId]: Check<I> }[CheckId];

/** Declares a check, so that the compiler knows its facts. */
export function check<I extends CheckId>(
  id: I,
  find: (setUp: SetUp) => Found<I>[],
): Check<I> {
  return { id, find };
}
