import {
  ApplicationSummary,
  CertificateSummary,
  MergeRequest,
  NamespaceSummary,
  Pipeline,
  RouteSummary,
  WorkloadSummary,
} from '@previews/backstage-plugin-previews-common';
import { MergeRequestReading, PipelineFact, ProjectReading } from '../model';
import { diagnose, stepsOf } from './certificates';
import { pipelineOfHead } from './conditions';
import { Observed, ObservedApplication } from './gather';
import { kindUnknown } from './readability';
import { ofHttpRoute } from './routes/httpRoute';
import { ofIngress } from './routes/ingress';
import { englishSentence } from './sentence';
import { DecisionSettings } from './settings';
import { effectOf, Verdict } from './verdict';
import { shownRevision } from './shownRevision';
import { LocatedApplication } from './worldIndex';

/** The MR as it is shown; links only on the configured GitLab origin. */
export function mergeRequestSummary(
  project: ProjectReading,
  reading: MergeRequestReading,
  options: { webUrl: string; previous: MergeRequest | undefined },
): MergeRequest {
  const { webUrl, previous } = options;
  const { fact } = reading;
  const pipeline = pipelineOfHead(reading);
  return withoutUndefined({
    host: fact.key.host,
    project: project.fact.path,
    projectId: fact.key.projectId,
    iid: fact.key.iid,
    title: fact.title,
    webUrl:
      onOrigin(fact.webUrl, webUrl) ??
      `${webUrl}/${project.fact.path}/-/merge_requests/${fact.key.iid}`,
    author: fact.author,
    sourceBranch: fact.sourceBranch,
    targetBranch: fact.targetBranch,
    fork: fact.fork,
    draft: fact.draft,
    labels: fact.labels,
    state: reading.deletedAt ? ('deleted' as const) : fact.state,
    headSha: fact.headSha,
    createdAt: fact.createdAt,
    updatedAt: fact.updatedAt,
    mergedAt: fact.mergedAt,
    closedAt: fact.closedAt,
    approvedAt: approvedAtOf(reading, previous),
    pipeline: pipeline && pipelineSummary(pipeline, webUrl),
  });
}

/** What is not read, and when an approval was given where GitLab does not tell, stay as they were known. */
function approvedAtOf(
  { approvals }: MergeRequestReading,
  previous: MergeRequest | undefined,
): string | undefined {
  return approvals && !approvals.fact.approved
    ? undefined
    : approvals?.fact.firstAt ?? previous?.approvedAt;
}

function pipelineSummary(pipeline: PipelineFact, webUrl: string): Pipeline {
  const { id, status, sha, createdAt, startedAt, finishedAt } = pipeline;
  return withoutUndefined({
    id,
    status,
    sha,
    createdAt,
    startedAt,
    finishedAt,
    webUrl: onOrigin(pipeline.webUrl, webUrl),
  });
}

/** A link that GitLab sent, if it stays on the configured instance. */
function onOrigin(
  link: string | undefined,
  webUrl: string,
): string | undefined {
  if (link === undefined || !URL.canParse(link)) {
    return undefined;
  }
  const [sent, configured] = [new URL(link), new URL(webUrl)];
  const inside =
    sent.origin === configured.origin &&
    `${sent.pathname}/`.startsWith(
      `${configured.pathname.replace(/\/$/, '')}/`,
    );
  return inside && !sent.username && !sent.password ? sent.href : undefined;
}

/** Argo CD's page of an Application, where it is known where its UI is. */
export function applicationUrl(
  { cluster, fact: { meta } }: LocatedApplication,
  settings: DecisionSettings,
): string | undefined {
  const base = settings.argocdUrls[cluster] ?? settings.argocdUrls[''];
  return (
    base &&
    `${base.replace(/\/+$/, '')}/applications/${encodeURIComponent(
      meta.namespace ?? '',
    )}/${encodeURIComponent(meta.name)}`
  );
}

export function applicationSummary(
  { cluster, fact, destination, set }: ObservedApplication,
  settings: DecisionSettings,
): ApplicationSummary {
  const { meta, operation } = fact;
  return withoutUndefined({
    cluster,
    namespace: meta.namespace ?? '',
    name: meta.name,
    applicationSet: set && `${set.meta.namespace}/${set.meta.name}`,
    project: fact.project,
    destination: withoutUndefined({
      cluster: destination?.cluster,
      ...fact.destination,
    }),
    sync: fact.sync.status,
    health: fact.health.status,
    revision: shownRevision(fact),
    operation:
      operation &&
      withoutUndefined({
        phase: operation.phase,
        startedAt: operation.startedAt,
        finishedAt: operation.finishedAt,
        message: operation.message?.slice(0, 1000),
      }),
    webUrl: applicationUrl({ cluster, fact }, settings),
    createdAt: meta.createdAt,
    deletionRequestedAt: meta.deletionRequestedAt,
  });
}

export function namespaceSummaries({
  namespaces,
}: Observed): NamespaceSummary[] {
  return namespaces
    .filter(({ fact }) => fact !== undefined)
    .map(({ cluster, name, own, fact }) =>
      withoutUndefined({
        cluster: cluster.cluster,
        name,
        phase: fact!.phase,
        own,
        terminatingSince:
          fact!.phase === 'Terminating'
            ? fact!.meta.deletionRequestedAt
            : undefined,
      }),
    );
}

interface SummaryOptions {
  now: string;
  settings: DecisionSettings;
}

/** The preview's own Certificates, then those of others that serve its hosts. */
export function certificateSummaries(
  { tls }: Observed,
  options: SummaryOptions,
): CertificateSummary[] {
  return tls.certificates.map(certificate => {
    const { cluster, fact, own } = certificate;
    const unread = kindUnknown(
      'CertificateReady',
      cluster,
      'certificates',
      options,
    );
    const diagnosis = diagnose(certificate, options);
    const found = unread ?? diagnosis.verdict;
    return withoutUndefined({
      cluster: cluster.cluster,
      namespace: fact.meta.namespace ?? '',
      name: fact.meta.name,
      hosts: fact.dnsNames,
      wildcard: fact.dnsNames.some(name => name.startsWith('*.')),
      shared: own ? undefined : true,
      state: certificateState(found),
      issuer: fact.issuer?.name,
      notAfter: fact.notAfter,
      renewalTime: fact.renewalTime,
      reason: found.reason,
      params: found.params,
      message: englishSentence('CertificateReady', found.reason, found.params),
      retryAt: unread ? undefined : diagnosis.retryAt,
      chain: stepsOf(certificate),
    });
  });
}

function certificateState({
  status,
  reason,
}: Verdict): CertificateSummary['state'] {
  if (status !== 'False') {
    return status === 'True' ? 'ready' : 'unknown';
  }
  if (reason === 'Expired') {
    return 'expired';
  }
  return effectOf('CertificateReady', reason) === 'blocked'
    ? 'failed'
    : 'waiting';
}

export function routeSummaries(
  observed: Observed,
  options: SummaryOptions,
): RouteSummary[] {
  const told = ({ status, reason, params }: Verdict) => ({
    accepted: status,
    reason,
    params,
    message: englishSentence('RouteAccepted', reason, params),
  });
  return observed.namespaces.flatMap(
    ({ cluster, name: namespace, httpRoutes, ingresses }) => [
      ...httpRoutes.map(route => ({
        cluster: cluster.cluster,
        namespace,
        kind: 'HTTPRoute' as const,
        name: route.meta.name,
        hosts: route.hostnames,
        parents: route.parentRefs.map(
          parent => `${parent.namespace}/${parent.name}`,
        ),
        ...told(ofHttpRoute(route, cluster, options)),
      })),
      ...ingresses.map(ingress => ({
        cluster: cluster.cluster,
        namespace,
        kind: 'Ingress' as const,
        name: ingress.meta.name,
        hosts: ingress.hosts,
        parents: ingress.className ? [ingress.className] : [],
        ...told(ofIngress(ingress)),
      })),
    ],
  );
}

export function workloadSummaries(observed: Observed): WorkloadSummary[] {
  return observed.applications.flatMap(({ destination, workloads }) =>
    workloads.map(({ fact }) => ({
      cluster: destination?.cluster ?? '',
      namespace: fact.meta.namespace ?? '',
      kind: fact.kind,
      name: fact.meta.name,
      ready: fact.ready,
      desired: fact.desired,
      images: fact.images,
    })),
  );
}

function withoutUndefined<T extends object>(object: T): T {
  return Object.fromEntries(
    Object.entries(object).filter(([, value]) => value !== undefined),
  ) as T;
}
