import { SourceErrorReason } from '@previews/backstage-plugin-previews-common';

/** What became of a call: `ok`, or why it did not give what was asked for. */
export type CallOutcome = 'ok' | SourceErrorReason;

/**
 * Told of every call upstream when it was answered or failed; a watch or stream
 * counts once, when it opens. Calls that are ended because reading stops, and those
 * that are held back, are none.
 */
export type CallListener = (call: {
  /** Id of the source. */
  source: string;
  outcome: CallOutcome;
}) => void;
