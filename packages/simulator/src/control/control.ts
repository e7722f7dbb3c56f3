import type { Platform } from '../controllers/platform';
import type { MergeRequest } from '../gitlab/model';
import type {
  MergeRequestReference,
  OpenMergeRequestOptions,
} from '../gitlab/state';

/** A merge request as the control API shows it. */
export interface ControlledMergeRequest {
  project: string;
  projectId: number;
  iid: number;
  title: string;
  state: MergeRequest['state'];
  sha: string | null;
  sourceBranch: string;
  labels: string[];
  draft: boolean;
  /** Logins, in the order in which they approved. */
  approvedBy: string[];
}

/** What people do in GitLab, as methods. */
export interface Control {
  openMergeRequest(options: OpenMergeRequestOptions): ControlledMergeRequest;
  push(
    options: MergeRequestReference & { title?: string; force?: boolean },
  ): ControlledMergeRequest;
  merge(
    options: MergeRequestReference & { by?: string },
  ): ControlledMergeRequest;
  close(
    options: MergeRequestReference & { by?: string },
  ): ControlledMergeRequest;
  reopen(
    options: MergeRequestReference & { by?: string },
  ): ControlledMergeRequest;
  approve(
    options: MergeRequestReference & { by?: string },
  ): ControlledMergeRequest;
  /** Takes an approval back. */
  unapprove(
    options: MergeRequestReference & { by?: string },
  ): ControlledMergeRequest;
  setLabels(
    options: MergeRequestReference & { labels: string[] },
  ): ControlledMergeRequest;
  setDraft(
    options: MergeRequestReference & { draft: boolean },
  ): ControlledMergeRequest;
  setLocked(
    options: MergeRequestReference & { locked: boolean },
  ): ControlledMergeRequest;
  edit(
    options: MergeRequestReference & { title?: string; targetBranch?: string },
  ): ControlledMergeRequest;
  deleteSourceBranch(options: MergeRequestReference): ControlledMergeRequest;
  deleteMergeRequest(options: MergeRequestReference): void;
  /** Every merge request there is. */
  mergeRequests(): ControlledMergeRequest[];
}

/** Builds the control of a platform. */
export function createControl(platform: Platform): Control {
  const { gitlab } = platform;
  const show = (mergeRequest: MergeRequest): ControlledMergeRequest => ({
    project: gitlab.project(mergeRequest.projectId).pathWithNamespace,
    projectId: mergeRequest.projectId,
    iid: mergeRequest.iid,
    title: mergeRequest.title,
    state: mergeRequest.state,
    sha: mergeRequest.sha,
    sourceBranch: mergeRequest.sourceBranch,
    labels: mergeRequest.labels,
    draft: mergeRequest.draft,
    approvedBy: mergeRequest.approvals.map(({ user }) => user.username),
  });
  const after =
    <T extends MergeRequestReference>(action: (options: T) => unknown) =>
    (options: T) => {
      action(options);
      return show(gitlab.mergeRequest(options));
    };
  return {
    openMergeRequest: options => show(gitlab.openMergeRequest(options)),
    push: after(options => gitlab.push(options)),
    merge: after(options => gitlab.merge(options)),
    close: after(options => gitlab.close(options)),
    reopen: after(options => gitlab.reopen(options)),
    approve: after(options => gitlab.approve(options)),
    unapprove: after(options => gitlab.unapprove(options)),
    setLabels: after(options => gitlab.setLabels(options)),
    setDraft: after(options => gitlab.setDraft(options)),
    setLocked: after(options => gitlab.setLocked(options)),
    edit: after(options => gitlab.edit(options)),
    deleteSourceBranch: after(options => gitlab.deleteSourceBranch(options)),
    deleteMergeRequest: options => gitlab.deleteMergeRequest(options),
    mergeRequests: () =>
      [...gitlab.projects.values()].flatMap(project =>
        [...project.mergeRequests.values()].map(show),
      ),
  };
}
