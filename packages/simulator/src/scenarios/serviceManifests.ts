import { stringify } from 'yaml';
import type { KubernetesObjectInput } from '../kubernetes';
import { EDGE_NAMESPACE } from './foundation';
import type { AddServiceOptions } from './scenarioBuilder';

/** What the manifests of a service need to know besides its options. */
export interface ServiceFacts {
  project: string;
  projectId: number;
  applicationSet: string;
  repository: string;
  image: string;
  gitlabUrl: string;
  destination: { server?: string; name?: string };
}

const LABEL = 'preview';

/** The catalog entity in the project's repository. */
export function catalogInfo(options: {
  name: string;
  project: string;
  projectId: number;
  description?: string;
}): string {
  return stringify({
    apiVersion: 'backstage.io/v1alpha1',
    kind: 'Component',
    metadata: {
      name: options.name,
      description: options.description ?? `The ${options.name} service`,
      annotations: {
        'gitlab.com/project-slug': options.project,
        'gitlab.com/project-id': String(options.projectId),
      },
    },
    spec: { type: 'service', lifecycle: 'production', owner: 'platform' },
  });
}

/** The Gateway that the routes of a service are for, where it is not the shared one. */
export function gatewayOf(
  options: Pick<AddServiceOptions, 'name' | 'certificate'>,
): { name: string; namespace: string } | undefined {
  switch (options.certificate) {
    case 'wildcard':
      return { name: 'wildcard', namespace: EDGE_NAMESPACE };
    case 'gatewayListener':
      return { name: options.name, namespace: EDGE_NAMESPACE };
    default:
      return undefined;
  }
}

/** The chart's own values in the repository of the service. */
export function repositoryValues(
  options: AddServiceOptions,
  facts: ServiceFacts,
): string {
  return stringify({
    name: options.name,
    image: { repository: facts.image, tag: 'main' },
    replicas: options.replicas ?? 1,
    workload: options.workload ?? 'Deployment',
    route: options.route ?? 'httproute',
    certificate: options.certificate ?? true,
    ...(options.issuer && { issuer: options.issuer }),
    ...(gatewayOf(options) && { gateway: gatewayOf(options) }),
    namespace: !options.createNamespaceBySync,
  });
}

/** The ApplicationSet of a service, in the style that its options ask for. */
export function serviceApplicationSet(
  options: AddServiceOptions,
  facts: ServiceFacts,
): KubernetesObjectInput {
  const goTemplate = options.goTemplate ?? true;
  const parameter = (name: string) =>
    goTemplate ? `{{ .${name} }}` : `{{${name}}}`;
  const bySlug = options.naming === 'branchSlug';
  const name =
    options.applicationName ??
    (bySlug
      ? `${options.name}-${parameter('branch_slug')}`
      : `preview-mr-${facts.projectId}-${parameter('number')}`);
  const host =
    options.host ??
    (bySlug
      ? `${parameter('branch_slug')}${
          options.certificate === 'wildcard' ? '-' : '.'
        }${options.name}.preview.example.com`
      : `mr-${parameter('number')}${
          // The wildcard is for one label only.
          options.certificate === 'wildcard' ? '-' : '.'
        }${options.name}.preview.example.com`);
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: {
      name: facts.applicationSet,
      namespace: options.setNamespace ?? 'argocd',
    },
    spec: {
      ...(goTemplate && {
        goTemplate: true,
        goTemplateOptions: ['missingkey=error'],
      }),
      generators: options.generators ?? [
        {
          pullRequest: {
            gitlab: {
              api: facts.gitlabUrl,
              project:
                options.generatorProject === 'path'
                  ? facts.project
                  : String(facts.projectId),
              tokenRef: { secretName: 'gitlab-token', key: 'token' },
              ...(options.requireLabel && { labels: [LABEL] }),
              ...(!options.allStates && { pullRequestState: 'opened' }),
            },
            ...(options.filters && { filters: options.filters }),
            requeueAfterSeconds: options.requeueAfterSeconds ?? 60,
          },
        },
      ],
      ...(options.setSyncPolicy && { syncPolicy: options.setSyncPolicy }),
      template: {
        metadata: {
          name,
          ...(options.previewLabels && {
            labels: {
              'previews/project-id': String(facts.projectId),
              'previews/merge-request': parameter('number'),
            },
          }),
        },
        spec: {
          project: 'previews',
          destination: {
            ...facts.destination,
            namespace: options.namespace ?? name,
          },
          ...sources(options, facts, { host, parameter }),
          syncPolicy: {
            automated: { prune: true, selfHeal: true },
            ...(options.createNamespaceBySync && {
              syncOptions: ['CreateNamespace=true'],
            }),
          },
        },
      },
    },
  };
}

function sources(
  options: AddServiceOptions,
  facts: ServiceFacts,
  rendered: { host: string; parameter: (name: string) => string },
) {
  const { host, parameter } = rendered;
  const tag = options.tag ?? parameter('head_short_sha');
  const source = {
    repoURL: facts.repository,
    path: 'deploy',
    targetRevision: 'main',
  };
  switch (options.template ?? 'helmParameter') {
    case 'valuesObject':
      return {
        source: {
          ...source,
          helm: { valuesObject: { host, image: { tag } } },
        },
      };
    case 'valuesText':
      return {
        source: {
          ...source,
          helm: { values: `host: ${host}\nimage:\n  tag: "${tag}"\n` },
        },
      };
    case 'kustomize':
      return {
        source: {
          ...source,
          kustomize: {
            images: [`${facts.image}:${tag}`],
            patches: [
              {
                target: {
                  kind: options.route === 'ingress' ? 'Ingress' : 'HTTPRoute',
                },
                patch: `- op: replace\n  path: ${
                  options.route === 'ingress'
                    ? '/spec/rules/0/host'
                    : '/spec/hostnames/0'
                }\n  value: ${host}\n`,
              },
            ],
          },
        },
      };
    case 'revision':
      return {
        source: {
          ...source,
          targetRevision: parameter('head_sha'),
          helm: {
            parameters: [
              { name: 'host', value: host },
              {
                name: 'podLabels.app\\.kubernetes\\.io/version',
                value: parameter('head_short_sha'),
              },
            ],
          },
        },
      };
    case 'multiSource':
      return {
        sources: [
          {
            ...source,
            helm: {
              parameters: [
                { name: 'image.tag', value: tag },
                { name: 'host', value: host },
              ],
            },
          },
          {
            repoURL: 'https://charts.example.com/values.git',
            targetRevision: 'main',
            ref: 'values',
          },
        ],
      };
    default:
      return {
        source: {
          ...source,
          helm: {
            parameters: [
              { name: 'image.tag', value: tag },
              { name: 'host', value: host },
            ],
          },
        },
      };
  }
}
