import { MergeRequestFact } from '../../model';
import { GitLabClient } from './GitLabClient';
import { GitLabRequestError, toGitLabRequestError } from './GitLabRequestError';

/** What GitLab answered about MRs that a list did not have. */
export interface MissingAnswers {
  /** MRs that GitLab answered for. */
  answered: { fact: MergeRequestFact; readAt: string }[];
  /** MRs that are gone: neither found nor in the list, while both were readable. */
  deleted: number[];
  /**
   * Why nothing may be concluded about the MRs that were not answered for;
   * absent when all were.
   */
  failure?: GitLabRequestError;
  /** The failure is that no MR of the project is seen, though all calls were answered. */
  isNothingSeen?: true;
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
  const readAt = clock().toISOString();
  try {
    const fact = await client.mergeRequest({ projectId, iid });
    return { iid, fact, readAt };
  } catch (error) {
    return { iid, error: toGitLabRequestError(error) };
  }
}

/** What the list has of MRs that GitLab fails over alone. */
async function listedOf(
  broken: readonly { iid: number; error: GitLabRequestError }[],
  options: { client: GitLabClient; projectId: number; clock: () => Date },
): Promise<Pick<MissingAnswers, 'answered' | 'failure'>> {
  const { client, projectId, clock } = options;
  const readAt = clock().toISOString();
  try {
    const iids = broken.map(({ iid }) => iid);
    const listed = await client.mergeRequestsOf(projectId, iids);
    const inList = new Set(listed.map(({ key }) => key.iid));
    return {
      answered: listed.map(fact => ({ fact, readAt })),
      failure: broken.find(({ iid }) => !inList.has(iid))?.error,
    };
  } catch {
    // That the list fails as well says no more than the answers before it.
    return { answered: [], failure: broken[0].error };
  }
}

/**
 * Asks for MRs alone that a list did not have. A 404 means that an MR was deleted
 * only while more than that is seen: GitLab answers 404 for lost access as well,
 * and an empty list. So the project must be found now, its list must not have the
 * MR when it is asked for that one, of any state, and where the list that did not
 * have it is no evidence of its own, some other MR must be seen.
 *
 * {@link MissingAnswers.isNothingSeen} tells where only that last one is missing.
 *
 * An MR that GitLab fails over by itself is taken from the list where that has it: one
 * that is broken for good would keep its whole project from ever being read.
 */
export async function answerForMissing(options: {
  client: GitLabClient;
  projectId: number;
  iids: Iterable<number>;
  /** Whether a list showed that the token sees MRs of this project. */
  isListEvidence: boolean;
  clock: () => Date;
}): Promise<MissingAnswers> {
  const { client, projectId, clock } = options;
  const answers = await Promise.all(
    [...options.iids].map(iid => askFor({ client, projectId, iid, clock })),
  );
  const answered: MissingAnswers['answered'] = [];
  const notFound: number[] = [];
  const broken: { iid: number; error: GitLabRequestError }[] = [];
  let failure: GitLabRequestError | undefined;
  for (const answer of answers) {
    if ('fact' in answer) {
      answered.push({ fact: answer.fact, readAt: answer.readAt });
    } else if (answer.error.status === 404) {
      notFound.push(answer.iid);
    } else if (answer.error.status === 500) {
      broken.push(answer);
    } else {
      failure ??= answer.error;
    }
  }
  if (broken.length > 0) {
    const listed = await listedOf(broken, { client, projectId, clock });
    answered.push(...listed.answered);
    failure ??= listed.failure;
  }
  if (notFound.length === 0) {
    return { answered, deleted: [], ...(failure && { failure }) };
  }
  try {
    await client.project({ id: projectId });
    const readAt = clock().toISOString();
    const listed = await client.mergeRequestsOf(projectId, notFound);
    answered.push(...listed.map(fact => ({ fact, readAt })));
    const inList = new Set(listed.map(({ key }) => key.iid));
    const deleted = notFound.filter(iid => !inList.has(iid));
    const isBelieved =
      deleted.length === 0 ||
      options.isListEvidence ||
      listed.length > 0 ||
      (await client.seesMergeRequests(projectId));
    if (isBelieved) {
      return { answered, deleted, ...(failure && { failure }) };
    }
    const [unbelieved] = answers.flatMap(answer =>
      'error' in answer && answer.error.status === 404 ? [answer.error] : [],
    );
    return {
      answered,
      deleted: [],
      failure: failure ?? unbelieved,
      ...(!failure && { isNothingSeen: true }),
    };
  } catch (error) {
    failure ??= toGitLabRequestError(error);
  }
  return { answered, deleted: [], ...(failure && { failure }) };
}
