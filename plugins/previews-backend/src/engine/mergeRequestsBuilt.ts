import { GitLabReading, MergeRequestKey } from '../model';

/**
 * The MRs whose head a pipeline was run for: those of its commit, in whatever project
 * they are, since an MR from a fork is built in the fork; and those of its branch,
 * of which GitLab may tell before the MR has the new commit. Those that are not
 * known are left to the next reading.
 */
export function mergeRequestsBuilt(
  { host, projects }: GitLabReading,
  built: { projectId: number; sha?: string; branch?: string },
): MergeRequestKey[] {
  const found: MergeRequestKey[] = [];
  for (const { mergeRequests } of projects.values()) {
    for (const { fact } of mergeRequests.values()) {
      const isOfCommit =
        built.sha !== undefined && fact.headSha === built.sha.toLowerCase();
      const isOfBranch =
        fact.sourceBranch === built.branch &&
        (fact.sourceProjectId ?? fact.key.projectId) === built.projectId;
      const isOpen = fact.state === 'opened' || fact.state === 'locked';
      if (isOpen && (isOfCommit || isOfBranch)) {
        found.push({ ...fact.key, host });
      }
    }
  }
  return found;
}
