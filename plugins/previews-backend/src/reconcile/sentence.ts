import {
  ConditionType,
  english,
  ReasonParams,
  renderSentence,
} from '@previews/backstage-plugin-previews-common';

/** The stored English sentence of a reason; it says nothing that is only true now. */
export function englishSentence(
  type: ConditionType,
  reason: string,
  params: ReasonParams,
): string {
  return (
    renderSentence({ type, reason, params }, { catalogue: english }) ??
    `${type} is ${reason}.`
  );
}
