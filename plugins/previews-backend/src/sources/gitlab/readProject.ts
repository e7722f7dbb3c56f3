import { MergeRequestFact, MergeRequestReading } from '../../model';
import { GitLabClient } from './GitLabClient';
import { GitLabRequestError, toGitLabRequestError } from './GitLabRequestError';

/** What one reading of a project found out. */
export interface ProjectReadingResult {
  /** MRs that GitLab answered for, in the list or alone. */
  answered: { fact: MergeRequestFact; readAt: string }[];
  /** MRs that are gone: neither in the list nor found, while both were readable. */
  deleted: number[];
  /**
   * Why nothing may be concluded about the MRs that were not answered for;
   * absent when the reading is complete.
   */
  failure?: GitLabRequestError;
}

type OwnAnswer =
  | { iid: number; fact: MergeRequestFact; readAt: string }
  | { iid: number; error: GitLabRequestError };

async function askFor(options: {
  client: GitLabClient;
  projectId: number;
  iid: number;
  clock: () => Date;
}): Promise<OwnAnswer> {
  const { client, projectId, iid, clock } = options;
  try {
    const fact = await client.mergeRequest({ projectId, iid });
    return { iid, fact, readAt: clock().toISOString() };
  } catch (error) {
    return { iid, error: toGitLabRequestError(error) };
  }
}

/**
 * Whether a 404 of an MR means that it was deleted. GitLab answers 404 for lost
 * access as well, and an empty list: so the project must be found now, and where
 * the list is suddenly empty some MR must be seen, of any state.
 */
async function isNotFoundBelieved(options: {
  client: GitLabClient;
  projectId: number;
  isListEmpty: boolean;
}): Promise<boolean> {
  const { client, projectId, isListEmpty } = options;
  await client.project({ id: projectId });
  return !isListEmpty || client.seesMergeRequests(projectId);
}

function isOpen(reading: MergeRequestReading): boolean {
  return (
    reading.deletedAt === undefined &&
    (reading.fact.state === 'opened' || reading.fact.state === 'locked')
  );
}

/**
 * Reads the open MRs of a project, and alone those that were open before or are
 * asked for and are not in the list.
 *
 * @throws GitLabRequestError when the list could not be read to its end; then
 *   nothing was found out at all.
 */
export async function readProject(options: {
  client: GitLabClient;
  projectId: number;
  /** What is known of the project's MRs. */
  known: ReadonlyMap<number, MergeRequestReading>;
  /** MRs to ask for though they are neither in the list nor known as open. */
  alsoAsk: readonly number[];
  clock: () => Date;
}): Promise<ProjectReadingResult> {
  const { client, projectId, known, clock } = options;
  const facts = await client.openMergeRequests(projectId);
  const listedAt = clock().toISOString();
  const listed = new Set(facts.map(fact => fact.key.iid));
  const wereOpen = [...known.values()].filter(isOpen);

  const missing = new Set(
    [...wereOpen.map(({ fact }) => fact.key.iid), ...options.alsoAsk].filter(
      iid => !listed.has(iid),
    ),
  );
  const own = await Promise.all(
    [...missing].map(iid => askFor({ client, projectId, iid, clock })),
  );

  const answered = facts.map(fact => ({ fact, readAt: listedAt }));
  const deleted: number[] = [];
  let failure: GitLabRequestError | undefined;
  let believed: Promise<boolean> | undefined;
  for (const answer of own) {
    if ('fact' in answer) {
      answered.push({ fact: answer.fact, readAt: answer.readAt });
      continue;
    }
    const { iid, error } = answer;
    if (error.status !== 404) {
      failure ??= error;
      continue;
    }
    try {
      believed ??= isNotFoundBelieved({
        client,
        projectId,
        isListEmpty: listed.size === 0 && wereOpen.length > 0,
      });
      if (await believed) {
        deleted.push(iid);
      } else {
        failure ??= error;
      }
    } catch (projectError) {
      failure ??= toGitLabRequestError(projectError);
    }
  }
  return { answered, deleted, ...(failure && { failure }) };
}
