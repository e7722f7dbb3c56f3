import { PreviewUrl } from '@previews/backstage-plugin-previews-common';
import { Translate } from '../../words';

/** RFC 1035: the longest that a part of a host between two dots may be. */
const MAXIMUM_LABEL = 63;

/** Why an address is no link; undefined where it is one. */
export function addressNote(
  { host, clickable }: PreviewUrl,
  t: Translate,
): string | undefined {
  if (clickable) {
    return undefined;
  }
  const longest = Math.max(...host.split('.').map(label => label.length));
  return longest > MAXIMUM_LABEL
    ? t('open.labelTooLong', {
        length: `${longest}`,
        limit: `${MAXIMUM_LABEL}`,
      })
    : t('open.notAllowed');
}
