import { InputError } from '@backstage/errors';
import { z } from 'zod/v3';

const MAXIMUM_NOTES = 200;

/** A merge request as GitLab's API answers, of which only this is used. */
const mergeRequestSchema = z.object({
  iid: z.number().int().positive().optional(),
  title: z.string(),
  web_url: z.string().optional(),
  author: z.object({ username: z.string() }).partial().nullish(),
});

type ReleasedMergeRequest = z.infer<typeof mergeRequestSchema>;

/**
 * Reads what was merged in between: JSON as `GET /projects/:id/merge_requests` answers, or a text with
 * a title on each line.
 *
 * @throws InputError when it looks like JSON and is not, or lacks titles
 */
export function readMergeRequests(
  given: string | unknown[] | undefined,
): ReleasedMergeRequest[] {
  if (given === undefined) {
    return [];
  }
  if (typeof given === 'string' && !given.trim().startsWith('[')) {
    return given
      .split(/\r?\n/)
      .map(line => line.replace(/^\s*(?:[-*]\s+)?/, '').trim())
      .filter(title => title !== '')
      .map(title => ({ title }));
  }
  let value: unknown = given;
  try {
    value = typeof given === 'string' ? JSON.parse(given) : given;
  } catch (error) {
    throw new InputError('The merge requests are no valid JSON', error);
  }
  const result = z.array(mergeRequestSchema).safeParse(value);
  if (!result.success) {
    const [issue] = result.error.issues;
    throw new InputError(
      `The merge requests are not as GitLab lists them: ${issue.path.join(
        '.',
      )}: ${issue.message}`,
    );
  }
  return result.data;
}

/** Text of somebody else, which must not call anybody, run quick actions or become markup. */
function plain(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 255)
    .replace(/[\\`*_{}[\]<>#+!|~&$]/g, '\\$&')
    .replace(/@/g, '@\u200b');
}

function linked({ iid, title, web_url: url, author }: ReleasedMergeRequest) {
  const isLink = url !== undefined && /^https?:\/\/[^\s()<>]+$/.test(url);
  const number = iid === undefined ? '' : `!${iid}`;
  const reference = isLink && number ? `[\\${number}](${url}) ` : '';
  const by = author?.username ? ` (${plain(author.username)})` : '';
  return `- ${reference || (number && `\\${number} `)}${plain(title)}${by}`;
}

/** The description of a release's merge request. */
export function releaseNotes(options: {
  service: string;
  previous: string;
  value: string;
  mergeRequests: ReleasedMergeRequest[];
}): string {
  const { service, previous, value, mergeRequests } = options;
  const shown = mergeRequests.slice(0, MAXIMUM_NOTES).map(linked);
  const more = mergeRequests.length - shown.length;
  return [
    `Promotes ${plain(service)} from \`${
      previous || 'nothing'
    }\` to \`${value}\`.`,
    '',
    '## What is in it',
    '',
    ...(shown.length > 0 ? shown : ['Nobody listed the merge requests.']),
    ...(more > 0 ? [`- and ${more} more`] : []),
    '',
    'Reverting this merge request takes the release back.',
    '',
  ].join('\n');
}
