import { parseDocument } from 'yaml';
import type { SkeletonFile } from './files';
import type { OnboardingInput, Tier } from './input';
import { onboardingNames } from './names';
import { toYaml } from './toYaml';

const CHART = 'chart/';

/** The chart of the service, with values for each environment; paths below the chart's folder. */
export function chartFiles(
  input: OnboardingInput,
  skeleton: SkeletonFile[],
): SkeletonFile[] {
  const templates = skeleton
    .filter(({ path }) => path.startsWith(CHART))
    .map(({ path, content }) => ({ path: path.slice(CHART.length), content }))
    .map(file =>
      file.path === 'Chart.yaml'
        ? { ...file, content: chartOf(input, file.content) }
        : file,
    );
  return [
    ...templates,
    { path: 'values.yaml', content: sharedValues(input) },
    { path: 'values-preview.yaml', content: previewValues(input) },
    ...(['dev', 'prod'] as const).flatMap(tier =>
      input.tiers[tier]
        ? [
            {
              path: `values-${tier}.yaml`,
              content: tierValues(input, tier),
            },
          ]
        : [],
    ),
  ];
}

function chartOf(input: OnboardingInput, skeleton: string): string {
  const document = parseDocument(skeleton);
  document.set('name', input.service);
  document.commentBefore = null;
  return document
    .toString({ lineWidth: 0 })
    .replace(/^# Replaced by .*\n/m, '');
}

function sharedValues(input: OnboardingInput): string {
  const { route, certificate, database } = input;
  return toYaml({
    value: {
      name: input.service,
      domain: input.domain,
      preview: { projectId: String(input.project.id), mergeRequest: '' },
      image: {
        repository: input.image,
        tag: '',
        digest: '',
        pullSecret: input.pullSecret ?? '',
      },
      port: input.port,
      healthPath: input.healthPath,
      runAsUser: 10001,
      resources: input.resources,
      env: {},
      route:
        route.kind === 'gateway'
          ? {
              kind: route.kind,
              gateway: { name: route.name, namespace: route.namespace },
            }
          : { kind: route.kind, ingressClassName: route.className },
      edgeNamespace: input.edgeNamespace,
      certificate:
        certificate.kind === 'wildcard'
          ? { kind: certificate.kind, wildcardSecret: certificate.secret ?? '' }
          : { kind: certificate.kind, issuer: certificate.issuer },
      splitNamespaces: input.splitNamespaces,
      database: database
        ? {
            enabled: true,
            secretStore: database.secretStore,
            remoteKey: database.remoteKey,
            clientImage: database.clientImage,
            migrateCommand: database.migrateCommand ?? [],
          }
        : { enabled: false },
    },
    comment: `${input.service} in every environment; values-<environment>.yaml says what differs.`,
    notes: {
      runAsUser:
        'Whatever the image says: nobody that the host of the container knows.',
      env: 'No secrets: this file is in Git.',
    },
  });
}

function previewValues(input: OnboardingInput): string {
  return toYaml({
    value: { environment: 'preview', replicas: 1 },
    comment: `A preview. The ApplicationSet ${
      onboardingNames(input).applicationSet
    } gives image.tag, host and preview.mergeRequest.`,
  });
}

function tierValues(input: OnboardingInput, tier: Tier): string {
  return toYaml({
    value: {
      environment: tier,
      host: onboardingNames(input).tierHost(tier),
      replicas: 2,
      image: input.tiers[tier]?.image,
    },
    notes: {
      image:
        'As the job previews-build reported it: the digest says that it is that one.',
    },
  });
}
