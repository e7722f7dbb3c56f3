import {
  ApplicationSummary,
  findReason,
  NextStep,
  Preview,
  WorkloadSummary,
} from '@previews/backstage-plugin-previews-common';
import { pipelineUrl } from './gitLab';
import { safeUrl } from './safeUrl';

/** Where the next step of a reason is taken. */
export type NextStepTarget =
  | { step: NextStep; kind: 'url'; url: string }
  /** Inside of the portal. */
  | { step: NextStep; kind: 'path'; path: string }
  | { step: NextStep; kind: 'sources' };

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function applicationOf(preview: Preview): ApplicationSummary | undefined {
  const named = text(preview.reason?.params.application);
  return (
    preview.applications.find(application => application.name === named) ??
    preview.applications.find(application => safeUrl(application.webUrl))
  );
}

function workloadOf(preview: Preview): WorkloadSummary | undefined {
  const named = text(preview.reason?.params.workload);
  return (
    preview.workloads.find(workload => workload.name === named) ??
    preview.workloads.find(workload => workload.ready < workload.desired)
  );
}

/** Argo CD opens the panel of a resource by `group/kind/namespace/name/container`. */
function logsUrl(preview: Preview): string | undefined {
  const application = safeUrl(applicationOf(preview)?.webUrl);
  const workload = workloadOf(preview);
  if (!application || !workload) {
    return application;
  }
  const url = new URL(application);
  url.searchParams.set(
    'node',
    `apps/${workload.kind}/${workload.namespace}/${workload.name}/0`,
  );
  url.searchParams.set('tab', 'logs');
  return url.href;
}

function urlOf(preview: Preview, step: NextStep): string | undefined {
  switch (step) {
    case 'mergeRequest':
      return safeUrl(preview.mergeRequest.webUrl);
    case 'pipeline':
      return pipelineUrl(preview.mergeRequest);
    case 'logs':
      return logsUrl(preview);
    case 'application':
    case 'applicationSet':
      return safeUrl(applicationOf(preview)?.webUrl);
    default:
      return undefined;
  }
}

/**
 * The link of the row's sentence; undefined when the reason has none, is newer
 * than this version, or the address is not known.
 *
 * @param places - where the portal itself shows things: logs that no Argo CD
 * leads to are looked for in the entity's Kubernetes tab.
 */
export function nextStepOf(
  preview: Preview,
  places: { kubernetesTab?: string } = {},
): NextStepTarget | undefined {
  const step =
    preview.reason &&
    findReason(preview.reason.type, preview.reason.reason)?.nextStep;
  if (!step) {
    return undefined;
  }
  if (step === 'sources') {
    return { step, kind: 'sources' };
  }
  const url = urlOf(preview, step);
  if (url) {
    return { step, kind: 'url', url };
  }
  const { kubernetesTab } = places;
  return step === 'logs' && kubernetesTab
    ? { step, kind: 'path', path: kubernetesTab }
    : undefined;
}
