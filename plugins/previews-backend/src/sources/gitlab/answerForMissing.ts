import { MergeRequestFact } from '../../model';
import { GitLabClient } from './GitLabClient';
import { GitLabRequestError, toGitLabRequestError } from './GitLabRequestError';

/** What GitLab answered about MRs that a list did not have. */
export interface MissingAnswers {
  /** MRs that GitLab answered for. */
  answered: { fact: MergeRequestFact; readAt: string }[];
  /** MRs that are gone: neither in the list nor found, while both were readable. */
  deleted: number[];
  /**
   * Why nothing may be concluded about the MRs that were not answered for;
   * absent when all were.
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
 * Asks for MRs alone that a list did not have. A 404 means that an MR was deleted
 * only while more than that is seen: GitLab answers 404 for lost access as well,
 * and an empty list. So the project must be found now, and where its list is no
 * evidence of its own, some MR must be seen, of any state.
 */
export async function answerForMissing(options: {
  client: GitLabClient;
  projectId: number;
  iids: Iterable<number>;
  /** Whether a list showed that the token sees MRs of this project. */
  isListEvidence: boolean;
  clock: () => Date;
}): Promise<MissingAnswers> {
  const { client, projectId, isListEvidence, clock } = options;
  const answers = await Promise.all(
    [...options.iids].map(iid => askFor({ client, projectId, iid, clock })),
  );
  const isNotFoundBelieved = async () => {
    await client.project({ id: projectId });
    return isListEvidence || client.seesMergeRequests(projectId);
  };
  const answered: MissingAnswers['answered'] = [];
  const deleted: number[] = [];
  let failure: GitLabRequestError | undefined;
  let believed: Promise<boolean> | undefined;
  for (const answer of answers) {
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
      believed ??= isNotFoundBelieved();
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
