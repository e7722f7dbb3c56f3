import { Observed } from '../gather';
import { DecisionSettings } from '../settings';
import { Verdict } from '../verdict';

/** What every condition's policy is given. */
export interface PolicyContext {
  observed: Observed;
  now: string;
  settings: DecisionSettings;
  /** Some set wants the MR now, or did by what was last known. */
  wanted: boolean;
  /** Something of the preview existed at some time. */
  existed: boolean;
  /** ISO: since when no set wants it. */
  unwantedSince?: string;
  /** ISO: since when nothing but records in DNS can be left of it. */
  onlyDnsSince?: string;
}

/** A condition's policy; undefined where the condition does not apply. */
export type Policy = (context: PolicyContext) => Verdict | undefined;
