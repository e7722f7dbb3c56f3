import {
  CommitDistance,
  Release,
} from '@previews/backstage-plugin-previews-common';
import { CommitFact, RepositoryQuestion } from '../../model';
import { namesCommit } from '../commit';
import { isSameRepository } from './repositories';
import { Point, TierDraft } from './draftTier';

/** A question with the GitLab that it is for. */
export interface HostQuestion<
  Q extends RepositoryQuestion = RepositoryQuestion,
> {
  host: string;
  question: Q;
}

/**
 * Which commit brought what a tier runs: what changed the line of the release last, else
 * the one that was deployed, after which others may have come that change nothing.
 */
export function releaseQuestion(
  draft: TierDraft,
  options: { pinPath?: string },
):
  | HostQuestion<Extract<RepositoryQuestion, { kind: 'commit' | 'lastChange' }>>
  | undefined {
  const { state, repository, path } = draft;
  const { pin, release, revision } = state;
  if (!release || !repository || revision === undefined) {
    return undefined;
  }
  if (pin?.line === 'targetRevision' && options.pinPath !== undefined) {
    return {
      host: pin.host,
      question: {
        kind: 'lastChange',
        project: pin.repository,
        path: options.pinPath,
        ...(pin.branch !== undefined && { ref: pin.branch }),
        ...(release.deployedAt !== undefined
          ? { until: release.deployedAt }
          : { of: state.targetRevision ?? '' }),
      },
    };
  }
  return {
    host: repository.host,
    question:
      pin?.line === 'newTag' && path !== undefined
        ? { kind: 'lastChange', project: repository.path, path, ref: revision }
        : {
            kind: 'commit',
            project: repository.path,
            sha: draft.deployedRevision ?? revision,
          },
  };
}

/** What a tier is compared with: the tier before it, or the end of a branch. */
export type Comparison =
  | { with: 'tier'; name: string; from: Point; to: Point }
  | { with: 'branch'; from: Point; branch?: string };

/**
 * How a tier is compared: with the tier before it by the commit of the service, or by what both
 * read; the first one with the branch that it follows. Undefined where there is nothing that both
 * can be compared by.
 *
 * @param drafts - of all tiers of an entity, in the order in which a release passes them.
 */
export function comparisonOf(
  draft: TierDraft,
  drafts: readonly TierDraft[],
): Comparison | undefined {
  const names = [...new Set(drafts.map(({ found }) => found.tier))];
  const earlier = names[names.indexOf(draft.found.tier) - 1];
  if (earlier === undefined) {
    const [from] = draft.points;
    if (!from) {
      return undefined;
    }
    const isOfBranch =
      draft.follows && isSameRepository(from, draft.repository);
    return {
      with: 'branch',
      from,
      ...(isOfBranch && { branch: draft.follows! }),
    };
  }
  const before = drafts.filter(({ found }) => found.tier === earlier);
  for (const from of draft.points) {
    for (const { points } of before) {
      const to = points.find(point => isSameRepository(point, from));
      if (to) {
        return { with: 'tier', name: earlier, from, to };
      }
    }
  }
  return undefined;
}

/** Undefined where both are the same commit. */
export function distanceQuestion(
  from: Point,
  to: string,
): HostQuestion<Extract<RepositoryQuestion, { kind: 'distance' }>> | undefined {
  return namesCommit(from.commit, to) || namesCommit(to, from.commit)
    ? undefined
    : {
        host: from.host,
        question: {
          kind: 'distance',
          project: from.path,
          from: from.commit,
          to,
        },
      };
}

/** With GitLab's page of it; `webUrl` is where that GitLab is. */
export function distanceOf(options: {
  name: string;
  from: Point;
  to: string;
  fact: { behind: number; atLeast?: true };
  webUrl: string | undefined;
}): CommitDistance {
  const { name, from, to, fact, webUrl } = options;
  return {
    from: name,
    ...fact,
    project: from.path,
    ...(webUrl !== undefined && {
      webUrl: `${webUrl}/${from.path}/-/compare/${from.commit}...${to}`,
    }),
  };
}

/** With GitLab's pages of the commit and the MR. */
export function releasedCommit(
  commit: CommitFact,
  options: { project: string; webUrl: string | undefined },
): NonNullable<Release['commit']> {
  const { mergeRequest, ...rest } = commit;
  const { project, webUrl } = options;
  const base = webUrl === undefined ? undefined : `${webUrl}/${project}/-`;
  return {
    ...rest,
    ...(base !== undefined && { webUrl: `${base}/commit/${commit.sha}` }),
    // Without a page there is nothing to lead to.
    ...(mergeRequest &&
      base !== undefined && {
        mergeRequest: {
          ...mergeRequest,
          webUrl: `${base}/merge_requests/${mergeRequest.iid}`,
        },
      }),
  };
}
