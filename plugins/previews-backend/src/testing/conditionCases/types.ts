import { ConditionType } from '@previews/backstage-plugin-previews-common';
import { Json, WorldBuilder } from '../world';

/** A state of the world and what one condition says of the MR !7 in it. */
export interface ConditionCase {
  /** What the product promises. */
  title: string;
  world: () => WorldBuilder;
  /** Status and reason, such as `False CrashLoop`; undefined where the condition does not apply. */
  expected: string | undefined;
  /** Params that the sentence is made of; those not named may be anything. */
  params?: Json;
  /** The English sentence. */
  message?: string;
  /** A world that was decided before, one minute earlier than what comes next. */
  before?: () => WorldBuilder;
  /** A world that was decided between the two, so many seconds before the last. */
  between?: { world: () => WorldBuilder; secondsBefore: number };
}

export type ConditionCases = Partial<Record<ConditionType, ConditionCase[]>>;
