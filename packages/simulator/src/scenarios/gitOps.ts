import { CONTROL_NAMESPACE } from '../controllers/objects';
import type { Platform } from '../controllers/platform';
import type { Project } from '../gitlab/model';
import { ISSUER, WILDCARD, WILDCARD_HOST } from './foundation';

/** A repository with files of its own. */
export interface AddRepositoryOptions {
  /** With its namespace, for example `shop/reviews`. */
  path: string;
  projectId?: number;
  description?: string;
  files: Record<string, string>;
}

/** A repository that Argo CD reads. */
export interface AddGitOpsRepositoryOptions {
  /** Default `platform/gitops`. */
  path?: string;
  /** Besides its README. */
  files?: Record<string, string>;
  /** Key and property of the generators' token in the secret store. Default `gitlab/previews#token`. */
  tokenKey?: string;
}

const README = `# GitOps

What runs where. Argo CD reads \`argocd/\`, and what stands there reads \`services/\`.
`;

/** Adds a project whose repository has these files. */
export function layRepository(
  { gitlab }: Platform,
  options: AddRepositoryOptions,
): Project {
  return gitlab.addProject({
    path: options.path,
    id: options.projectId,
    description: options.description,
    files: options.files,
  });
}

/**
 * Adds the repository that Argo CD deploys from, as a platform team has it: its main branch takes
 * merge requests alone, a root Application reads \`argocd/\` with its folders, a secret store holds
 * the generators' token, and a Gateway serves previews by a wildcard and admits listeners.
 */
export function layGitOpsRepository(
  platform: Platform,
  options: AddGitOpsRepositoryOptions & { gitlabToken: string },
): Project {
  const { gitlab, clusters, secrets } = platform;
  const project = layRepository(platform, {
    path: options.path ?? 'platform/gitops',
    description: 'What runs where',
    files: { 'README.md': README, ...options.files },
  });
  gitlab.protectBranch({
    project: project.id,
    branch: project.defaultBranch,
    push: 0,
    merge: 40,
  });
  secrets.set(options.tokenKey ?? 'gitlab/previews#token', options.gitlabToken);
  const { cluster } = clusters[0];
  cluster.create({
    apiVersion: 'external-secrets.io/v1',
    kind: 'ClusterSecretStore',
    metadata: { name: 'platform' },
    spec: { provider: { fake: { data: [] } } },
  });
  layEdgeGateway(platform);
  cluster.create({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'root', namespace: CONTROL_NAMESPACE },
    spec: {
      project: 'default',
      source: {
        repoURL: `${gitlab.externalUrl}/${project.pathWithNamespace}.git`,
        targetRevision: project.defaultBranch,
        path: 'argocd',
        directory: { recurse: true },
      },
      destination: {
        server: 'https://kubernetes.default.svc',
        namespace: CONTROL_NAMESPACE,
      },
      syncPolicy: { automated: { prune: true, selfHeal: true } },
    },
  });
  return project;
}

const EDGE = 'edge';

function layEdgeGateway({ clusters }: Platform): void {
  const { cluster } = clusters[0];
  cluster.create({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: EDGE },
  });
  cluster.create({
    apiVersion: 'cert-manager.io/v1',
    kind: 'Certificate',
    metadata: { name: WILDCARD, namespace: EDGE },
    spec: {
      dnsNames: [WILDCARD_HOST],
      issuerRef: ISSUER,
      secretName: WILDCARD,
    },
  });
  cluster.create({
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'Gateway',
    metadata: { name: EDGE, namespace: EDGE },
    spec: {
      gatewayClassName: 'envoy',
      allowedListeners: { namespaces: { from: 'All' } },
      listeners: [
        {
          name: 'previews',
          protocol: 'HTTPS',
          port: 443,
          hostname: WILDCARD_HOST,
          allowedRoutes: { namespaces: { from: 'All' } },
          tls: {
            mode: 'Terminate',
            certificateRefs: [{ group: '', kind: 'Secret', name: WILDCARD }],
          },
        },
      ],
    },
  });
}
