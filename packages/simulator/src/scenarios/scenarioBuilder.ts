import { CONTROL_NAMESPACE } from '../controllers/objects';
import type { CertificateMode } from '../controllers/chartValues';
import type { Platform } from '../controllers/platform';
import type { KubernetesObjectInput } from '../kubernetes';
import type { Project } from '../gitlab/model';
import { layGateway, layIssuer, type IssuerOptions } from './edge';
import { ARGOCD_GITLAB_TOKEN } from './foundation';
import {
  layGitOpsRepository,
  layRepository,
  type AddGitOpsRepositoryOptions,
  type AddRepositoryOptions,
} from './gitOps';
import {
  catalogInfo,
  repositoryValues,
  serviceApplicationSet,
  type ServiceFacts,
} from './serviceManifests';

/** How an ApplicationSet hands the commit to the workload. */
export type ServiceTemplate =
  | 'helmParameter'
  | 'valuesObject'
  | 'valuesText'
  | 'kustomize'
  | 'revision'
  | 'multiSource';

/** Options of {@link ScenarioBuilder.addService}; all but the name have defaults. */
export interface AddServiceOptions {
  name: string;
  /** Group, with subgroups, of the project. Default `shop`. */
  group?: string;
  projectId?: number;
  description?: string;
  template?: ServiceTemplate;
  /** Default true; false for the old templates. */
  goTemplate?: boolean;
  /** Names by MR number (default) or by branch slug. */
  naming?: 'number' | 'branchSlug';
  route?: 'httproute' | 'ingress' | 'none';
  workload?: 'Deployment' | 'StatefulSet';
  replicas?: number;
  /**
   * Where the certificate of each preview's host comes from. Default true: a Certificate of its own
   * beside an HTTPRoute, the annotation of an Ingress. With `wildcard` the default hosts are one label
   * deep, since the wildcard is for no more; with `gatewayListener` the service has a Gateway of its own.
   */
  certificate?: boolean | CertificateMode;
  /** Name of the ClusterIssuer. Default `letsencrypt`. */
  issuer?: string;
  /** Only merge requests with the label `preview`. */
  requireLabel?: boolean;
  /** Leave `pullRequestState` unset, so that closed merge requests count too. */
  allStates?: boolean;
  filters?: {
    branchMatch?: string;
    targetBranchMatch?: string;
    titleMatch?: string;
  }[];
  /** How the generator names the project; a path gets no webhook refresh. Default by id. */
  generatorProject?: 'id' | 'path';
  requeueAfterSeconds?: number;
  /** Set the labels `previews/project-id` and `previews/merge-request`. */
  previewLabels?: boolean;
  /** Let the sync option create the namespace, which nothing deletes then. */
  createNamespaceBySync?: boolean;
  /** Index of the cluster that is deployed to; the first runs Argo CD. */
  destinationCluster?: number;
  /** Templates that replace the default ones, in the dialect of the set. */
  applicationName?: string;
  namespace?: string;
  host?: string;
  tag?: string;
  /** Generators instead of the pull request generator. */
  generators?: Record<string, unknown>[];
  /** `spec.syncPolicy` of the set itself. */
  setSyncPolicy?: Record<string, unknown>;
  /** Name of the set. Default `<name>-previews`. */
  applicationSet?: string;
  /** Namespace of the set and so of its Applications. Default `argocd`. */
  setNamespace?: string;
}

/** A service that was added. */
export interface Service {
  name: string;
  /** Path with namespace. */
  project: string;
  projectId: number;
  applicationSet: string;
  /** Without a tag. */
  image: string;
}

/** Builds a platform's projects and ApplicationSets. */
export class ScenarioBuilder {
  private readonly platform: Platform;

  constructor(platform: Platform) {
    this.platform = platform;
  }

  /** Adds a project with its repository and an ApplicationSet for its merge requests. */
  addService(options: AddServiceOptions): Service {
    const { gitlab } = this.platform;
    const project = `${options.group ?? 'shop'}/${options.name}`;
    const { id } =
      gitlab.findProject(project) ??
      gitlab.addProject({
        path: project,
        id: options.projectId,
        description: options.description,
      });
    const facts = this.facts(options, project, id);
    gitlab.seedFiles({
      project: id,
      files: {
        'catalog-info.yaml': catalogInfo({
          ...options,
          project,
          projectId: id,
        }),
        'deploy/values.yaml': repositoryValues(options, facts),
      },
    });
    gitlab.pushTag({ project: id, tag: 'main' });
    layGateway(
      this.platform.clusters[options.destinationCluster ?? 0].cluster,
      options,
    );
    this.admitNamespaces(options);
    this.addApplicationSet(serviceApplicationSet(options, facts));
    return {
      name: options.name,
      project,
      projectId: id,
      applicationSet: facts.applicationSet,
      image: facts.image,
    };
  }

  /** Lets the Applications of a set deploy outside of what all previews may. */
  private admitNamespaces(options: AddServiceOptions): void {
    const names =
      options.namespace ??
      options.applicationName ??
      (options.naming === 'branchSlug' ? `${options.name}-*` : undefined);
    const namespace = names?.replace(/\{\{.*?\}\}/g, '*');
    if (namespace !== undefined) {
      this.platform.clusters[0].cluster.patch(
        { kind: 'AppProject', namespace: CONTROL_NAMESPACE, name: 'previews' },
        draft => {
          const destinations = (draft.spec?.destinations ?? []) as {
            server: string;
          }[];
          const servers = new Set(destinations.map(({ server }) => server));
          draft.spec = {
            ...draft.spec,
            destinations: [
              ...destinations,
              ...[...servers].map(server => ({ server, namespace })),
            ],
          };
        },
      );
    }
  }

  /** Adds a project with files of its own, and nothing in any cluster. */
  addRepository(options: AddRepositoryOptions): Project {
    return layRepository(this.platform, options);
  }

  /** Adds the repository that Argo CD deploys from, with all that a platform has beside it. */
  addGitOpsRepository(options: AddGitOpsRepositoryOptions = {}): Project {
    return layGitOpsRepository(this.platform, {
      ...options,
      gitlabToken: ARGOCD_GITLAB_TOKEN,
    });
  }

  /** Adds an issuer, with the credentials that its solver uses. */
  addIssuer(options: IssuerOptions & { cluster?: number }): void {
    layIssuer(this.platform.clusters[options.cluster ?? 0].cluster, options);
  }

  /** Adds one more ApplicationSet for a service that there is already. */
  addSet(service: Service, options: Omit<AddServiceOptions, 'name'>): void {
    this.admitNamespaces({ ...options, name: service.name });
    this.addApplicationSet(
      serviceApplicationSet(
        { ...options, name: service.name },
        this.facts(
          { ...options, name: service.name },
          service.project,
          service.projectId,
        ),
      ),
    );
  }

  /**
   * Adds one ApplicationSet over several projects, by a matrix of a list and the pull request
   * generator, as platform teams write it.
   */
  addMatrix(options: {
    applicationSet: string;
    services: string[];
    group?: string;
    requeueAfterSeconds?: number;
  }): Service[] {
    const { gitlab } = this.platform;
    const group = options.group ?? 'shop';
    const services = options.services.map(name => {
      const project = `${group}/${name}`;
      const { id } = gitlab.addProject({ path: project });
      const facts = this.facts({ name, group }, project, id);
      gitlab.seedFiles({
        project: id,
        files: {
          'catalog-info.yaml': catalogInfo({ name, project, projectId: id }),
          'deploy/values.yaml': repositoryValues({ name }, facts),
        },
      });
      return {
        name,
        project,
        projectId: id,
        applicationSet: options.applicationSet,
        image: facts.image,
      };
    });
    const facts = this.facts(
      { name: '{{ .service }}', group, applicationSet: options.applicationSet },
      `${group}/{{ .service }}`,
      0,
    );
    this.addApplicationSet(
      serviceApplicationSet(
        {
          name: '{{ .service }}',
          applicationName: 'preview-mr-{{ .projectId }}-{{ .number }}',
          generators: [
            {
              matrix: {
                generators: [
                  {
                    list: {
                      elements: services.map(({ name, projectId }) => ({
                        service: name,
                        projectId: String(projectId),
                      })),
                    },
                  },
                  {
                    pullRequest: {
                      gitlab: {
                        api: gitlab.externalUrl,
                        project: '{{ .projectId }}',
                        tokenRef: { secretName: 'gitlab-token', key: 'token' },
                        pullRequestState: 'opened',
                      },
                      requeueAfterSeconds: options.requeueAfterSeconds ?? 60,
                    },
                  },
                ],
              },
            },
          ],
        },
        facts,
      ),
    );
    return services;
  }

  /** Adds any ApplicationSet. */
  addApplicationSet(applicationSet: KubernetesObjectInput): void {
    const { namespace } = applicationSet.metadata;
    if (namespace) {
      this.prepareNamespace(namespace);
    }
    this.platform.clusters[0].cluster.create(applicationSet);
  }

  /** A team that keeps sets in a namespace of its own has the generators' token there. */
  private prepareNamespace(name: string): void {
    const { cluster } = this.platform.clusters[0];
    if (cluster.get({ kind: 'Namespace', name })) {
      return;
    }
    cluster.create({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name },
    });
    const token = { kind: 'Secret', name: 'gitlab-token' };
    const secret = cluster.get({ ...token, namespace: 'argocd' });
    if (secret) {
      cluster.create({
        ...secret,
        metadata: { name: token.name, namespace: name },
      });
    }
  }

  private facts(
    options: AddServiceOptions,
    project: string,
    projectId: number,
  ): ServiceFacts {
    const { gitlab, clusters } = this.platform;
    const destination = clusters[options.destinationCluster ?? 0];
    return {
      project,
      projectId,
      applicationSet: options.applicationSet ?? `${options.name}-previews`,
      repository: `${gitlab.externalUrl}/${project}.git`,
      image: `${gitlab.registryHost}/${project}`,
      gitlabUrl: gitlab.externalUrl,
      destination:
        options.destinationCluster === undefined ||
        options.destinationCluster === 0
          ? { server: 'https://kubernetes.default.svc' }
          : { server: destination.url },
    };
  }
}
