import {
  checkIds,
  CheckId,
  checkDefinitions,
  CheckResult,
} from '@previews/backstage-plugin-previews-common';
import { allChecks } from './allChecks';
import { runReadinessChecks } from './runReadinessChecks';
import { Draft } from './testing/breakSetUp';
import { goodSetUp } from './testing/goodSetUp';

const TEMPLATE = ['spec', 'template'];
const SOURCE = [...TEMPLATE, 'spec', 'source'];
const SYNC_POLICY = [...TEMPLATE, 'spec', 'syncPolicy'];

const STATIC_ISSUER = {
  apiVersion: 'cert-manager.io/v1',
  kind: 'Issuer',
  metadata: { name: 'own', namespace: 'edge' },
  spec: {
    acme: {
      solvers: [
        {
          dns01: {
            route53: { accessKeyIDSecretRef: { name: 'aws', key: 'id' } },
          },
        },
      ],
    },
  },
};

const HTTP_ISSUER = {
  apiVersion: 'cert-manager.io/v1',
  kind: 'ClusterIssuer',
  metadata: { name: 'http' },
  spec: { acme: { solvers: [{ http01: { gatewayHTTPRoute: {} } }] } },
};

interface Case {
  /** What is wrong with the set-up. */
  title: string;
  breakIt: (draft: Draft) => unknown;
  /** What is found besides, since one thing breaks another. */
  also?: CheckId[];
  /** Where it is found. */
  at?: string;
  value?: string;
}

function sealed(draft: Draft) {
  return draft.add(
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'across', namespace: 'shop' },
      spec: { type: 'ExternalName', externalName: 'shop.inner.svc' },
    },
    'prod',
  );
}

/** For each check the set-ups that it has to find. */
const broken: Record<CheckId, Case[]> = {
  FinalizerMissing: [
    {
      title: 'the template has another finalizer',
      breakIt: draft =>
        draft.inSet(
          [...TEMPLATE, 'metadata', 'finalizers'],
          ['example.com/report'],
        ),
      at: 'spec.template.metadata.finalizers',
      value: 'example.com/report',
    },
    {
      title: 'a live Application without a set has none',
      breakIt: draft =>
        draft.manifests.push({
          source: { cluster: 'main' },
          object: {
            apiVersion: 'argoproj.io/v1alpha1',
            kind: 'Application',
            metadata: { name: 'preview-mr-1-1', namespace: 'argocd' },
            spec: {
              destination: { namespace: 'preview-mr-1-1' },
              syncPolicy: { automated: { prune: true, selfHeal: true } },
            },
          },
        }),
      at: 'metadata.finalizers',
    },
  ],
  FinalizerImplicit: [
    {
      title: 'the template names none',
      breakIt: draft =>
        draft.inSet([...TEMPLATE, 'metadata', 'finalizers'], undefined),
    },
  ],
  ResourcesPreserved: [
    {
      title: 'the set preserves resources',
      breakIt: draft =>
        draft.inSet(['spec', 'syncPolicy'], {
          preserveResourcesOnDeletion: true,
        }),
      value: 'true',
    },
  ],
  NamespaceCreatedBySync: [
    {
      title: 'the template has the option',
      breakIt: draft =>
        draft.inSet(
          [...SYNC_POLICY, 'syncOptions'],
          ['ServerSideApply=true', 'CreateNamespace=true'],
        ),
      at: 'spec.template.spec.syncPolicy.syncOptions',
    },
    {
      title: 'the patch has the option',
      breakIt: draft =>
        draft.inSet(
          ['spec', 'templatePatch'],
          'spec:\n  syncPolicy:\n    syncOptions: [CreateNamespace=true]\n',
        ),
      at: 'spec.templatePatch',
    },
  ],
  NamespaceNotRendered: [
    {
      title: 'what is rendered for a preview lacks it',
      breakIt: draft => draft.remove('Namespace'),
      value: 'preview-mr-4711-7',
    },
  ],
  StateUnset: [
    {
      title: 'there is none',
      breakIt: draft =>
        draft.inGenerator(['gitlab', 'pullRequestState'], undefined),
      at: 'spec.generators[0].pullRequest.gitlab.pullRequestState',
    },
    {
      title: 'it is all of them',
      breakIt: draft =>
        draft.inGenerator(['gitlab', 'pullRequestState'], 'all'),
      value: 'all',
    },
    {
      title: 'the generator is inside a matrix',
      breakIt: draft => {
        const { spec } = draft.object('ApplicationSet') as {
          spec: { generators: unknown[] };
        };
        draft.inGenerator(['gitlab', 'pullRequestState'], undefined);
        spec.generators = [
          {
            matrix: {
              generators: [{ clusters: {} }, ...spec.generators],
            },
          },
        ];
      },
      at: 'spec.generators[0].matrix.generators[1].pullRequest.gitlab.pullRequestState',
    },
  ],
  StateNotOpened: [
    {
      title: 'it is merged',
      breakIt: draft =>
        draft.inGenerator(['gitlab', 'pullRequestState'], 'merged'),
      value: 'merged',
    },
  ],
  ProjectByPath: [
    {
      title: 'the project is a path',
      breakIt: draft => {
        draft.inGenerator(['gitlab', 'project'], 'group/shop');
        draft.inSet([...TEMPLATE, 'metadata', 'name'], 'shop-mr-{{ .number }}');
        draft.inSet(
          [...TEMPLATE, 'spec', 'destination', 'namespace'],
          'preview-shop-{{ .number }}',
        );
      },
      value: 'group/shop',
    },
  ],
  SevenCharacterTag: [
    {
      title: 'a parameter of Helm has seven',
      breakIt: draft =>
        draft.inSet(
          [...SOURCE, 'helm', 'parameters', 0, 'value'],
          '{{ .head_short_sha_7 }}',
        ),
      at: 'spec.template.spec.source.helm.parameters[0].value',
    },
    {
      title: 'a value of the generator has seven',
      breakIt: draft =>
        draft.inGenerator(['values', 'stage'], 'pr-{{ .head_short_sha_7 }}'),
      at: 'spec.generators[0].pullRequest.values.stage',
    },
  ],
  TagWithoutCommit: [
    {
      title: 'the tag is the branch',
      breakIt: draft =>
        draft.inSet(
          [...SOURCE, 'helm', 'parameters', 0, 'value'],
          '{{ .branch_slug }}',
        ),
    },
    {
      title: 'the tag in the text of the values is the number',
      breakIt: draft =>
        draft.inSet(
          [...SOURCE, 'helm', 'values'],
          'image:\n  tag: "mr-{{ .number }}"\n',
        ),
      value: 'tag: "mr-{{ .number }}"',
    },
  ],
  MissingKeyTolerated: [
    {
      title: 'there are no options',
      breakIt: draft => draft.inSet(['spec', 'goTemplateOptions'], undefined),
    },
  ],
  TemplateKeyUnknown: [
    {
      title: 'a key that no generator gives',
      breakIt: draft =>
        draft.inSet(
          [...TEMPLATE, 'metadata', 'labels', 'stage'],
          '{{ .service }}-{{ .values.tier }}',
        ),
    },
    {
      title: 'Go syntax without goTemplate',
      breakIt: draft =>
        draft
          .inSet(['spec', 'goTemplate'], undefined)
          .inSet(['spec', 'template', 'metadata', 'labels'], {
            'previews/project-id': '4711',
            'previews/merge-request': '{{ .number }}',
          })
          .inSet(
            [...TEMPLATE, 'metadata', 'name'],
            'preview-mr-4711-{{number}}',
          )
          .inSet(
            [...TEMPLATE, 'spec', 'destination', 'namespace'],
            'preview-mr-4711-{{number}}',
          ),
    },
    {
      title: 'a parameter without its dot in a Go template',
      breakIt: draft =>
        draft.inSet(
          [...TEMPLATE, 'metadata', 'labels', 'stage'],
          'mr-{{ number }}',
        ),
    },
  ],
  RequeueUnset: [
    {
      title: 'there is none',
      breakIt: draft => draft.inGenerator(['requeueAfterSeconds'], undefined),
    },
  ],
  RequeueLong: [
    {
      title: 'half an hour',
      breakIt: draft => draft.inGenerator(['requeueAfterSeconds'], 1800),
      value: '1800',
    },
  ],
  AutomatedSyncOff: [
    {
      title: 'there is no policy',
      breakIt: draft => draft.inSet(SYNC_POLICY, undefined),
    },
    {
      title: 'it is switched off',
      breakIt: draft =>
        draft.inSet([...SYNC_POLICY, 'automated', 'enabled'], false),
    },
  ],
  PruneOff: [
    {
      title: 'it does not prune',
      breakIt: draft =>
        draft.inSet([...SYNC_POLICY, 'automated', 'prune'], undefined),
    },
  ],
  SelfHealOff: [
    {
      title: 'it does not heal',
      breakIt: draft =>
        draft.inSet([...SYNC_POLICY, 'automated', 'selfHeal'], false),
      value: 'false',
    },
  ],
  LostRepositoryDeletesAll: [
    {
      title: 'it goes on at 404',
      breakIt: draft =>
        draft.inGenerator(['continueOnRepoNotFoundError'], true),
    },
  ],
  JoinLabelsMissing: [
    {
      title: 'one of them is missing',
      breakIt: draft =>
        draft.inSet(
          [...TEMPLATE, 'metadata', 'labels', 'previews/project-id'],
          undefined,
        ),
    },
  ],
  WebhookNotSeen: [
    {
      title: 'none has come',
      breakIt: draft => {
        draft.context.webhookSeen = false;
      },
    },
  ],
  NameWithoutMergeRequest: [
    {
      title: 'the name has the branch alone',
      breakIt: draft =>
        draft.inSet(
          [...TEMPLATE, 'metadata', 'name'],
          'shop-{{ .branch_slug | trunc 20 }}',
        ),
    },
  ],
  NameWithoutProject: [
    {
      title: 'the name has the number alone',
      breakIt: draft =>
        draft.inSet(
          [...TEMPLATE, 'metadata', 'name'],
          'preview-mr-{{ .number }}',
        ),
    },
  ],
  NamespaceShared: [
    {
      title: 'the namespace is a constant',
      breakIt: draft =>
        draft.inSet([...TEMPLATE, 'spec', 'destination', 'namespace'], 'shop'),
      value: 'shop',
    },
  ],
  NamespaceWithoutProject: [
    {
      title: 'the namespace has the number alone',
      breakIt: draft =>
        draft.inSet(
          [...TEMPLATE, 'spec', 'destination', 'namespace'],
          'preview-mr-{{ .number }}',
        ),
    },
  ],
  NamesCollide: [
    {
      title: 'another set gives the same names',
      breakIt: draft => {
        const other = structuredClone(draft.object('ApplicationSet')) as {
          metadata: { name: string };
        };
        other.metadata.name = 'cart-previews';
        draft.add(other);
      },
    },
  ],
  BranchUnslugged: [
    {
      title: 'a label has the branch as it is',
      breakIt: draft =>
        draft.inSet(
          [...TEMPLATE, 'metadata', 'labels', 'branch'],
          '{{ .branch }}',
        ),
      at: 'spec.template.metadata.labels.branch',
    },
    {
      title: 'a host has the branch as it is',
      breakIt: draft =>
        draft.inSet(
          [...SOURCE, 'helm', 'valuesObject', 'host'],
          'shop-{{ .branch }}.preview.example.com',
        ),
    },
  ],
  NameTooLong: [
    {
      title: 'the label of a host has room for no long branch',
      breakIt: draft =>
        draft.inSet(
          [...SOURCE, 'helm', 'valuesObject', 'host'],
          'shop-storefront-{{ .branch_slug }}.preview.example.com',
        ),
      value: 'shop-storefront-{{ .branch_slug }}',
    },
    {
      title: 'the release of Helm has room for less',
      breakIt: draft =>
        draft.inSet(
          [...TEMPLATE, 'metadata', 'name'],
          'shop-{{ .branch_slug }}-{{ .number }}',
        ),
      at: 'spec.template.metadata.name',
    },
    {
      title: 'a host that is rendered is too long',
      breakIt: draft =>
        draft.set(
          draft.object('HTTPRoute', 'prod'),
          ['spec', 'hostnames', 1],
          `${'a'.repeat(64)}.example.com`,
        ),
    },
  ],
  DefaultProject: [
    {
      title: 'previews are in default',
      breakIt: draft =>
        draft.inSet([...TEMPLATE, 'spec', 'project'], 'default'),
    },
  ],
  ProjectDestinationsOpen: [
    {
      title: 'any namespace',
      breakIt: draft =>
        draft.set(
          draft.object('AppProject'),
          ['spec', 'destinations', 0, 'namespace'],
          '*',
        ),
      at: 'spec.destinations[0].namespace',
    },
    {
      title: 'any cluster',
      breakIt: draft =>
        draft.set(
          draft.object('AppProject'),
          ['spec', 'destinations', 0, 'server'],
          '*',
        ),
      at: 'spec.destinations[0].server',
    },
  ],
  ProjectSourcesOpen: [
    {
      title: 'any repository',
      breakIt: draft =>
        draft.set(draft.object('AppProject'), ['spec', 'sourceRepos'], ['*']),
    },
  ],
  ProjectKindsOpen: [
    {
      title: 'any kind',
      breakIt: draft =>
        draft.set(
          draft.object('AppProject'),
          ['spec', 'clusterResourceWhitelist'],
          [{ group: '*', kind: '*' }],
        ),
    },
  ],
  ProjectReachesOthers: [
    {
      title: 'the previews of all services',
      breakIt: draft =>
        draft.set(
          draft.object('AppProject'),
          ['spec', 'destinations', 0, 'namespace'],
          'preview-mr-*',
        ),
      value: 'preview-mr-*',
    },
  ],
  ResourceKept: [
    {
      title: 'by Argo CD',
      breakIt: draft =>
        draft.set(
          draft.object('Service', 'preview'),
          ['metadata', 'annotations'],
          {
            'argocd.argoproj.io/sync-options':
              'ServerSideApply=true,Delete=false',
          },
        ),
    },
    {
      title: 'by Helm',
      breakIt: draft =>
        draft.set(
          draft.object('PersistentVolumeClaim'),
          ['metadata', 'annotations'],
          { 'helm.sh/resource-policy': 'keep' },
        ),
      at: 'metadata.annotations["helm.sh/resource-policy"]',
      value: 'keep',
    },
  ],
  StorageRetained: [
    {
      title: 'by the class that is asked for',
      breakIt: draft =>
        draft.set(draft.object('StorageClass'), ['reclaimPolicy'], 'Retain'),
      value: 'ephemeral',
    },
    {
      title: 'by the default class',
      breakIt: draft =>
        draft
          .set(
            draft.object('PersistentVolumeClaim'),
            ['spec', 'storageClassName'],
            undefined,
          )
          .set(draft.object('StorageClass'), ['reclaimPolicy'], 'Retain')
          .set(draft.object('StorageClass'), ['metadata', 'annotations'], {
            'storageclass.kubernetes.io/is-default-class': 'true',
          }),
    },
    {
      title: 'by a volume itself',
      breakIt: draft =>
        draft.manifests.push({
          source: { cluster: 'main' },
          object: {
            apiVersion: 'v1',
            kind: 'PersistentVolume',
            metadata: { name: 'pv-1' },
            spec: {
              persistentVolumeReclaimPolicy: 'Retain',
              claimRef: { namespace: 'preview-mr-4711-7', name: 'uploads' },
            },
          },
        }),
    },
  ],
  StaticAwsKey: [
    {
      title: 'an Issuer with a key',
      breakIt: draft => draft.add(STATIC_ISSUER),
      value: '…',
    },
  ],
  WildcardByHttp01: [
    {
      title: 'a wildcard of an issuer with HTTP-01',
      breakIt: draft =>
        draft
          .add(HTTP_ISSUER)
          .set(
            draft.object('Certificate'),
            ['spec', 'issuerRef', 'name'],
            'http',
          ),
      at: 'spec.dnsNames[0]',
    },
    {
      title: 'a solver that is chosen for a wildcard',
      breakIt: draft =>
        draft.set(
          draft.object('ClusterIssuer'),
          ['spec', 'acme', 'solvers', 1],
          { http01: {}, selector: { dnsNames: ['*.shop.example.com'] } },
        ),
    },
  ],
  DnsPolicyOpen: [
    {
      title: 'without a condition',
      breakIt: draft =>
        draft.set(
          draft.policy('ChangeResourceRecordSets'),
          ['Statement', 0, 'Condition'],
          undefined,
        ),
    },
    {
      title: 'for every zone',
      breakIt: draft =>
        draft.set(
          draft.policy('ChangeResourceRecordSets'),
          ['Statement', 0, 'Resource'],
          'arn:aws:route53:::hostedzone/*',
        ),
    },
  ],
  RoleTrustOpen: [
    {
      title: 'without the subject',
      breakIt: draft =>
        draft.set(
          draft.policy('AssumeRoleWithWebIdentity'),
          ['Statement', 'Condition'],
          {
            StringEquals: { 'issuer.example.com:aud': 'sts.amazonaws.com' },
          },
        ),
    },
  ],
  KanikoRetired: [
    {
      title: 'in the pipeline',
      breakIt: draft =>
        draft.line(
          '.gitlab-ci.yml',
          '  image: gcr.io/kaniko-project/executor:debug',
        ),
      at: 'line 10',
    },
  ],
  PrivilegedBuild: [
    {
      title: 'Docker in Docker as a service',
      breakIt: draft =>
        draft.line('.gitlab-ci.yml', '  services: [docker:27.3-dind]'),
    },
  ],
  MergedResultsTag: [
    {
      title: 'the commit of the pipeline as the tag',
      breakIt: draft => {
        draft.files[0].text =
          'build:\n  script: docker push $CI_REGISTRY_IMAGE:$CI_COMMIT_SHORT_SHA\n';
      },
      at: 'line 2',
    },
  ],
  ClusterAccessFromCi: [
    {
      title: 'a job that applies',
      breakIt: draft =>
        draft.line('.gitlab-ci.yml', '    - kubectl -n shop apply -f deploy/'),
    },
  ],
  TokenInPlainText: [
    {
      title: 'in the pipeline, also as a comment',
      breakIt: draft =>
        draft.line('.gitlab-ci.yml', `# glpat-${'abcdEFGH'.repeat(3)}`),
      value: 'glpat-…',
    },
    {
      title: 'in a variable of a container',
      breakIt: draft =>
        draft.inContainer('prod', ['env', 1], {
          name: 'DATABASE_PASSWORD',
          value: 'correct horse',
        }),
      value: '…',
    },
    {
      title: 'in the ConfigMap of a plugin of Argo CD',
      breakIt: draft =>
        draft.add({
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'generator', namespace: 'argocd' },
          data: { baseUrl: 'http://previews', token: 'hunter2hunter2' },
        }),
      at: 'data.token',
      value: '…',
    },
    {
      title: 'in the address of a repository',
      breakIt: draft =>
        draft.inSet(
          [...SOURCE, 'repoURL'],
          'https://bot:s3cr3t-s3cr3t@gitlab.example.com/platform/gitops.git',
        ),
      value: '://…:…@',
    },
  ],
  BranchUnprotected: [
    {
      title: 'maintainers may push',
      breakIt: draft => {
        draft.context.repositories = [
          {
            path: 'platform/gitops',
            role: 'gitops',
            defaultBranch: 'main',
            protectedBranches: [
              {
                name: 'main',
                push_access_levels: [{ access_level: 40 }],
                merge_access_levels: [{ access_level: 40 }],
              },
            ],
          },
        ];
      },
    },
    {
      title: 'nothing is protected',
      breakIt: draft => {
        draft.context.repositories = [
          {
            path: 'platform/gitops',
            role: 'gitops',
            defaultBranch: 'main',
            protectedBranches: [],
          },
        ];
      },
    },
  ],
  TagsUnprotected: [
    {
      title: 'developers may create them',
      breakIt: draft => {
        draft.context.repositories = [
          {
            path: 'group/shop',
            role: 'service',
            protectedTags: [
              { name: 'v*', create_access_levels: [{ access_level: 30 }] },
            ],
          },
        ];
      },
    },
    ...['user_id', 'group_id', 'deploy_key_id'].map(who => ({
      title: `one may create them by its ${who}`,
      breakIt: (draft: Draft) => {
        draft.context.repositories = [
          {
            path: 'group/shop',
            role: 'service' as const,
            protectedTags: [
              {
                name: 'v*',
                create_access_levels: [
                  { access_level: 40, user_id: null, [who]: 7 },
                ],
              },
            ],
          },
        ];
      },
    })),
  ],
  OriginsDisagree: [
    {
      title: 'the image bakes in another one than any environment has',
      breakIt: draft =>
        draft.line('Dockerfile', 'ENV APP_ORIGIN=https://app.example.org'),
      value: 'https://app.example.org',
    },
    {
      title: 'the rule of the bucket admits another one',
      breakIt: draft =>
        draft.add(
          {
            apiVersion: 's3.example.com/v1',
            kind: 'BucketCors',
            metadata: { name: 'uploads', namespace: 'shop' },
            spec: { rules: [{ allowedOrigins: ['https://old.example.com'] }] },
          },
          'prod',
        ),
    },
    {
      title: 'no route serves it',
      breakIt: draft =>
        draft.set(
          draft.object('HTTPRoute', 'prod'),
          ['spec', 'hostnames', 0],
          'store.example.com',
        ),
    },
  ],
  IngressNginxRetired: [
    {
      title: 'by an annotation',
      breakIt: draft =>
        draft.add({
          apiVersion: 'networking.k8s.io/v1',
          kind: 'Ingress',
          metadata: {
            name: 'shop',
            namespace: 'other',
            annotations: { 'nginx.ingress.kubernetes.io/rewrite-target': '/' },
          },
          spec: {},
        }),
    },
    {
      title: 'by its class',
      breakIt: draft =>
        draft.add({
          apiVersion: 'networking.k8s.io/v1',
          kind: 'Ingress',
          metadata: { name: 'shop', namespace: 'other' },
          spec: { ingressClassName: 'nginx' },
        }),
      value: 'nginx',
    },
    {
      title: 'by the chart of an Application',
      breakIt: draft =>
        draft.add({
          apiVersion: 'argoproj.io/v1alpha1',
          kind: 'Application',
          metadata: { name: 'edge', namespace: 'argocd' },
          spec: {
            source: { chart: 'ingress-nginx' },
            destination: { namespace: 'edge' },
          },
        }),
    },
  ],
  GatewayAdmitsAll: [
    {
      title: 'routes of all namespaces',
      breakIt: draft =>
        draft.set(
          draft.object('Gateway'),
          ['spec', 'listeners', 0, 'allowedRoutes', 'namespaces', 'from'],
          'All',
        ),
    },
  ],
  LoadBalancerInPreview: [
    {
      title: 'a Service of a preview',
      breakIt: draft =>
        draft.set(
          draft.object('Service', 'preview'),
          ['spec', 'type'],
          'LoadBalancer',
        ),
    },
  ],
  LoadBalancerHidesClients: [
    {
      title: 'the default policy',
      breakIt: draft =>
        draft.set(
          draft.object('Service', 'prod'),
          ['spec', 'externalTrafficPolicy'],
          undefined,
        ),
    },
  ],
  SecretInServedNamespace: [
    {
      title: 'a synced Secret beside routes that point across',
      breakIt: draft =>
        sealed(draft).add(
          {
            apiVersion: 'external-secrets.io/v1',
            kind: 'ExternalSecret',
            metadata: { name: 'signing', namespace: 'shop' },
            spec: { target: { name: 'signing' } },
          },
          'prod',
        ),
    },
    {
      title: 'a synced Secret in a namespace that is said to be served',
      breakIt: draft => {
        draft.context.servedNamespaces = ['preview-mr-4711-7'];
      },
    },
  ],
  SecretInGit: [
    {
      title: 'a Secret with its values',
      breakIt: draft =>
        draft.add({
          apiVersion: 'v1',
          kind: 'Secret',
          metadata: { name: 'shop', namespace: 'shop' },
          stringData: { password: 'correct horse' },
        }),
      at: 'stringData',
      value: 'password',
    },
    {
      title: 'a pull key, which is a secret as well',
      breakIt: draft =>
        draft.add({
          apiVersion: 'v1',
          kind: 'Secret',
          type: 'kubernetes.io/dockerconfigjson',
          metadata: { name: 'registry', namespace: 'shop' },
          data: { '.dockerconfigjson': 'e30=' },
        }),
    },
  ],
  ImageTagMutable: [
    {
      title: 'latest',
      breakIt: draft =>
        draft.inContainer(
          'preview',
          ['image'],
          'registry.example.com/group/shop/web:latest',
        ),
    },
    {
      title: 'no tag at a registry with a port',
      breakIt: draft =>
        draft.inContainer('prod', ['image'], 'registry.example.com:5050/web'),
    },
    {
      title: 'a base of the image',
      breakIt: draft => draft.line('Dockerfile', 'FROM node AS again'),
      at: 'line 6',
      value: 'node',
    },
    {
      title: 'an overlay',
      breakIt: draft =>
        draft.add({
          apiVersion: 'kustomize.config.k8s.io/v1beta1',
          kind: 'Kustomization',
          images: [{ name: 'web', newTag: 'main' }],
        }),
    },
  ],
  ImageWithoutDigest: [
    {
      title: 'in prod',
      breakIt: draft =>
        draft.inContainer(
          'prod',
          ['image'],
          'registry.example.com/group/shop/web:prod-1.4.2',
        ),
    },
  ],
  PreviewTagForeign: [
    {
      title: 'a release in a preview',
      breakIt: draft =>
        draft.inContainer(
          'preview',
          ['image'],
          'registry.example.com/group/shop/web:v1.4.2',
        ),
    },
  ],
  EnvironmentTagForeign: [
    {
      title: 'the image of staging in prod',
      breakIt: draft =>
        draft.inContainer(
          'prod',
          ['image'],
          `registry.example.com/group/shop/web:staging-9@sha256:${'0a'.repeat(
            32,
          )}`,
        ),
    },
  ],
  ReadinessProbeMissing: [
    {
      title: 'a container with a port',
      breakIt: draft =>
        draft.inContainer('preview', ['readinessProbe'], undefined),
    },
  ],
  DisruptionBudgetMissing: [
    {
      title: 'in prod',
      breakIt: draft => draft.remove('PodDisruptionBudget'),
    },
    {
      title: 'for other pods',
      breakIt: draft =>
        draft.set(
          draft.object('PodDisruptionBudget'),
          ['spec', 'selector', 'matchLabels', 'app'],
          'cart',
        ),
    },
  ],
  SingleReplica: [
    {
      title: 'none is said, which is one',
      breakIt: draft =>
        draft.inDeployment('prod', ['spec', 'replicas'], undefined),
    },
  ],
  RootFileSystemWritable: [
    {
      title: 'nothing is said',
      breakIt: draft =>
        draft.inContainer(
          'preview',
          ['securityContext', 'readOnlyRootFilesystem'],
          undefined,
        ),
    },
  ],
  RunsAsRoot: [
    {
      title: 'the container overrides its pod',
      breakIt: draft =>
        draft.inContainer('prod', ['securityContext', 'runAsNonRoot'], false),
    },
  ],
  PrivilegedContainer: [
    {
      title: 'privileged',
      breakIt: draft =>
        draft.inContainer('prod', ['securityContext', 'privileged'], true),
    },
  ],
  ResourcesMissing: [
    {
      title: 'no limit of memory',
      breakIt: draft =>
        draft.inContainer('preview', ['resources', 'limits'], undefined),
    },
  ],
  ServiceAccountTokenMounted: [
    {
      title: 'nothing is said',
      breakIt: draft =>
        draft.inDeployment(
          'preview',
          ['spec', 'template', 'spec', 'automountServiceAccountToken'],
          undefined,
        ),
    },
  ],
  NetworkPolicyMissing: [
    {
      title: 'in a preview',
      breakIt: draft => draft.remove('NetworkPolicy', 'preview'),
    },
  ],
  NetworkPolicyOpen: [
    {
      title: 'a rule without senders',
      breakIt: draft =>
        draft.set(
          draft.object('NetworkPolicy', 'prod'),
          ['spec', 'ingress'],
          [{ ports: [{ port: 8080 }] }],
        ),
    },
    {
      title: 'every namespace',
      breakIt: draft =>
        draft.set(
          draft.object('NetworkPolicy', 'prod'),
          ['spec', 'ingress', 0, 'from', 0],
          { namespaceSelector: {} },
        ),
      at: 'spec.ingress[0].from[0]',
    },
  ],
  TwoOwners: [
    {
      title: 'Terraform and Argo CD',
      breakIt: draft =>
        draft.set(
          draft.object('Service', 'prod'),
          ['metadata', 'managedFields'],
          [{ manager: 'argocd-controller' }, { manager: 'Terraform' }],
        ),
      at: 'metadata.managedFields[1].manager',
      value: 'Terraform',
    },
  ],
};

const cases = checkIds.flatMap(id => broken[id].map(item => ({ id, ...item })));

function idsOf(results: readonly CheckResult[]): CheckId[] {
  return [...new Set(results.map(({ id }) => id))];
}

it('says nothing of a set-up that is as it should be', () => {
  expect(runReadinessChecks(goodSetUp())).toEqual([]);
});

it('has each check once', () => {
  expect(allChecks.map(({ id }) => id).sort()).toEqual([...checkIds].sort());
});

it.each(cases)('finds $id and nothing else: $title', item => {
  const draft = new Draft();
  item.breakIt(draft);
  const results = runReadinessChecks(draft);
  expect(idsOf(results).sort()).toEqual([item.id, ...(item.also ?? [])].sort());
  const found = results.find(({ id }) => id === item.id)!;
  expect(found.severity).toBe(checkDefinitions[item.id].severity);
  expect(found.evidence.path).toBe(item.at ?? found.evidence.path);
  expect(found.evidence.value).toBe(item.value ?? found.evidence.value);
  expect(found.message).toMatch(/^[A-Za-z.].{15,}\.$/);
  expect(found.fix).toMatch(/^[A-Z].{10,}\.$/);
  expect(JSON.parse(JSON.stringify(found))).toEqual(found);
});

it.each(cases)('shows no secret of $id: $title', item => {
  const draft = new Draft();
  item.breakIt(draft);
  expect(JSON.stringify(runReadinessChecks(draft))).not.toMatch(
    /correct horse|hunter2|s3cr3t|abcdEFGH/,
  );
});
