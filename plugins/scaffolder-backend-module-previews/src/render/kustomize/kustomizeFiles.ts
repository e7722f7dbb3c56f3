import type { SkeletonFile } from '../files';
import type { OnboardingInput, Tier } from '../input';
import { onboardingNames } from '../names';
import { toYaml } from '../toYaml';
import { baseObjects } from './baseObjects';
import { hostPatches } from './hostPatches';

const KUSTOMIZATION = {
  apiVersion: 'kustomize.config.k8s.io/v1beta1',
  kind: 'Kustomization',
};

function previewOverlay(input: OnboardingInput): SkeletonFile[] {
  const folder = 'overlays/preview';
  return [
    {
      path: `${folder}/kustomization.yaml`,
      content: toYaml({
        value: {
          ...KUSTOMIZATION,
          resources: ['../../base', 'namespace.yaml'],
          labels: [{ pairs: { 'previews/tier': 'preview' } }],
        },
        comment: `A preview. The ApplicationSet ${
          onboardingNames(input).applicationSet
        } gives the namespace, the image's tag, the host and the labels.`,
      }),
    },
    {
      path: `${folder}/namespace.yaml`,
      content: toYaml({
        value: {
          apiVersion: 'v1',
          kind: 'Namespace',
          metadata: {
            name: 'preview',
            labels: {
              'previews/served': 'true',
              'pod-security.kubernetes.io/enforce': 'restricted',
            },
            annotations: { 'argocd.argoproj.io/sync-wave': '-1' },
          },
        },
        comment:
          'Rendered, so that it goes with the preview; it takes the name of the namespace that is set.',
      }),
    },
  ];
}

function tierOverlay(input: OnboardingInput, tier: Tier): SkeletonFile[] {
  const names = onboardingNames(input);
  const folder = `overlays/${tier}`;
  const { image } = input.tiers[tier]!;
  return [
    {
      path: `${folder}/kustomization.yaml`,
      content: toYaml({
        value: {
          ...KUSTOMIZATION,
          namespace: names.tierNamespace(tier),
          resources: ['../../base', 'poddisruptionbudget.yaml'],
          labels: [{ pairs: { 'previews/tier': tier } }],
          images: [
            { name: input.image, newTag: `${image.tag}@${image.digest}` },
          ],
          replicas: [{ name: input.service, count: 2 }],
          patches: hostPatches(input, names.tierHost(tier)),
        },
        notes: {
          'images.0.newTag':
            'One line promotes, tag and digest together; reverting it takes the release back.',
        },
      }),
    },
    {
      path: `${folder}/poddisruptionbudget.yaml`,
      content: toYaml({
        value: {
          apiVersion: 'policy/v1',
          kind: 'PodDisruptionBudget',
          metadata: { name: input.service },
          spec: {
            maxUnavailable: 1,
            selector: {
              matchLabels: {
                'app.kubernetes.io/name': input.service,
                'app.kubernetes.io/component': 'web',
              },
            },
          },
        },
        comment:
          'Nodes are rebuilt on a schedule that nobody here sets: one pod goes at a time.',
      }),
    },
  ];
}

/** Base and overlays of the service; paths below its folder for Kustomize. */
export function kustomizeFiles(input: OnboardingInput): SkeletonFile[] {
  const base = baseObjects(input);
  return [
    {
      path: 'base/kustomization.yaml',
      content: toYaml({
        value: { ...KUSTOMIZATION, resources: Object.keys(base) },
      }),
    },
    ...Object.entries(base).map(([file, documents]) => ({
      path: `base/${file}`,
      content: toYaml(...documents),
    })),
    ...previewOverlay(input),
    ...(['dev', 'prod'] as const).flatMap(tier =>
      input.tiers[tier] ? tierOverlay(input, tier) : [],
    ),
  ];
}
