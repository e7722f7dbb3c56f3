import { InputError } from '@backstage/errors';
import { z } from 'zod/v3';
import { type ReleaseContent, ReleaseNotKnown } from './readRelease';

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

/** What stands above the list, and instead of an empty one. */
function introduction(content: ReleaseContent | ReleaseNotKnown | undefined): {
  above: string[];
  empty: string;
} {
  if (content === undefined) {
    return { above: [], empty: 'Nobody listed the merge requests.' };
  }
  if (content instanceof ReleaseNotKnown) {
    return {
      above: [],
      empty: `What was merged in between is not known: ${plain(content.why)}.`,
    };
  }
  const { project, from, to, path, isBackwards } = content;
  const between = `${plain(project)} between ${plain(
    isBackwards ? to : from,
  )} and ${plain(isBackwards ? from : to)}`;
  // What came by another path, such as the Application itself, is not meant.
  const only = path === undefined ? '' : `, of what touches ${plain(path)}`;
  return {
    above: [
      isBackwards
        ? `It goes back. This was merged in ${between}${only}, and is taken out:`
        : `Merged in ${between}${only}:`,
      '',
    ],
    empty:
      path === undefined
        ? 'No merge request in between.'
        : `No merge request in between touches ${plain(path)}.`,
  };
}

/** The description of a release's merge request. */
export function releaseNotes(options: {
  service: string;
  previous: string;
  value: string;
  /** Why it is not known whether the value exists; empty or absent where it does. */
  unverified?: string;
  mergeRequests: ReleasedMergeRequest[];
  /** Where they were read, or why they were not; absent where somebody listed them. */
  content?: ReleaseContent | ReleaseNotKnown;
}): string {
  const { service, previous, value, unverified, mergeRequests, content } =
    options;
  const shown = mergeRequests.slice(0, MAXIMUM_NOTES).map(linked);
  const more = mergeRequests.length - shown.length;
  const { above, empty } = introduction(content);
  const isCut =
    content !== undefined &&
    !(content instanceof ReleaseNotKnown) &&
    content.isCut;
  return [
    `Promotes ${plain(service)} from \`${
      previous || 'nothing'
    }\` to \`${value}\`.`,
    ...(unverified
      ? [
          '',
          `**It was not found out whether \`${value}\` exists:** ${plain(
            unverified,
          )}. Make sure that it does before this is merged.`,
        ]
      : []),
    '',
    '## What is in it',
    '',
    ...above,
    ...(shown.length > 0 ? shown : [empty]),
    ...(more > 0 ? [`- and ${more} more`] : []),
    ...(isCut ? ['- and older ones, which were not looked at'] : []),
    '',
    'Reverting this merge request takes the release back.',
    '',
  ].join('\n');
}
