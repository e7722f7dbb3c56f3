import { InputError, NotFoundError } from '@backstage/errors';
import { ageCertificate, renewCertificate } from '../certmanager/certificates';
import type { Platform } from '../controllers/platform';
import type { Cluster, KubernetesObject } from '../kubernetes';
import { isRefName } from '../gitlab/fields';
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

/** Which Certificate is meant. */
export interface CertificateReference {
  namespace: string;
  name: string;
  /** Default 0. */
  cluster?: number;
}

/** Which commit is tagged, and how. */
export interface TagOptions {
  project: string | number;
  name: string;
  /** A branch, a tag or a commit; default: the head of the default branch. */
  revision?: string;
}

/** What people do in GitLab and to certificates, as methods. */
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
  /**
   * Tags a commit of a project, as its Maintainer does, and hands back its hash. NotFoundError where there
   * is no such project, InputError where the name is none or the commit is not there, ConflictError
   * where the tag is there already.
   */
  tag(options: TagOptions): string;
  /** Every merge request there is. */
  mergeRequests(): ControlledMergeRequest[];
  /** Asks for a certificate to be issued anew; NotFoundError when there is none. */
  renewCertificate(options: CertificateReference): void;
  /** Lets days pass for a certificate: it is nearer to its renewal, or past its end. */
  ageCertificate(options: CertificateReference & { days: number }): void;
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
  const certificate = ({
    cluster: index,
    ...reference
  }: CertificateReference): {
    cluster: Cluster;
    certificate: KubernetesObject;
  } => {
    const cluster = platform.clusters[index ?? 0]?.cluster;
    const found = cluster?.get({ kind: 'Certificate', ...reference });
    if (!cluster || !found) {
      throw new NotFoundError(
        `There is no certificate ${reference.namespace}/${reference.name}`,
      );
    }
    return { cluster, certificate: found };
  };
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
    tag: options => {
      if (!isRefName(options.name)) {
        throw new InputError(`${options.name} is no name of a tag`);
      }
      return gitlab.tag(options);
    },
    renewCertificate: options => {
      const found = certificate(options);
      renewCertificate(found, found.certificate);
    },
    ageCertificate: ({ days, ...reference }) => {
      const found = certificate(reference);
      ageCertificate(found, found.certificate, days);
    },
    mergeRequests: () =>
      [...gitlab.projects.values()].flatMap(project =>
        [...project.mergeRequests.values()].map(show),
      ),
  };
}
