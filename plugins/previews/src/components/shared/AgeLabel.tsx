import { Preview } from '@previews/backstage-plugin-previews-common';
import { TimeLabel } from './TimeLabel';

/**
 * The age of the merge request: it is what people know, also when the portal is
 * younger. The preview's own start stands in where GitLab did not tell it.
 */
export function AgeLabel(props: { preview: Preview }) {
  const { mergeRequest, createdAt } = props.preview;
  const time = Number.isNaN(Date.parse(mergeRequest.createdAt))
    ? createdAt
    : mergeRequest.createdAt;
  return <TimeLabel time={time} form="age" />;
}
