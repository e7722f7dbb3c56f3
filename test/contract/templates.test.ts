import {
  mockCredentials,
  mockServices,
  startTestBackend,
  type TestBackend,
} from '@backstage/backend-test-utils';
import scaffolderPlugin from '@backstage/plugin-scaffolder-backend';
import { catalogServiceMock } from '@backstage/plugin-catalog-node/testUtils';
import scaffolderModulePreviews from '@previews/backstage-plugin-scaffolder-backend-module-previews';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { gitLabOfFiles, type GitLabOfFiles } from '../support/gitLabOfFiles';

// The scaffolder itself runs the templates, dry: its expressions, its checks of what is filled in, its steps.

const TEMPLATES = resolve(__dirname, '../../templates');
const DIGEST = `sha256:${'4f'.repeat(32)}`;

interface DryRun {
  steps: { id: string }[];
  log: { body: { message: string; status?: string; stepId?: string } }[];
  directoryContents: { path: string; base64Content: string }[];
  output: {
    links?: { title: string; url: string }[];
    text?: { title: string; content: string }[];
  };
}

type Answers = Record<string, unknown>;

function filesBelow(folder: string) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .map(path => ({
      path: relative(folder, path),
      base64Content: readFileSync(path).toString('base64'),
    }));
}

describe('the templates, run by the scaffolder', () => {
  let gitlab: GitLabOfFiles;
  let backend: TestBackend;

  beforeAll(async () => {
    gitlab = await gitLabOfFiles([
      {
        id: 7,
        path: 'platform/gitops',
        files: {
          'README.md': 'What Argo CD reads\n',
          'argocd/shop/application-prod.yaml':
            'kind: Application\nmetadata: {name: shop-prod}\nspec:\n  source:\n    repoURL: https://gitlab.example.com/platform/gitops.git\n    targetRevision: shop-v1.4.0\n',
          'services/shop/kustomize/overlays/prod/kustomization.yaml':
            'images:\n  - name: app\n    newTag: prod-v1.4.0\n',
        },
      },
      {
        id: 42,
        path: 'web/shop',
        files: {
          '.gitlab-ci.yml': 'stages: [build]\ntest:\n  script: [make]\n',
          'catalog-info.yaml':
            'apiVersion: backstage.io/v1alpha1\nkind: Component\nmetadata:\n  name: shop\nspec: {type: service, lifecycle: production, owner: web}\n',
        },
      },
    ]);
    backend = await startTestBackend({
      features: [
        scaffolderPlugin,
        scaffolderModulePreviews,
        catalogServiceMock.factory({
          entities: [
            {
              apiVersion: 'backstage.io/v1alpha1',
              kind: 'Component',
              metadata: {
                name: 'shop',
                annotations: { 'gitlab.com/project-slug': 'web/shop' },
              },
              spec: { owner: 'group:default/web' },
            },
          ],
        }),
        mockServices.rootConfig.factory({
          data: {
            integrations: {
              gitlab: [
                {
                  host: gitlab.host,
                  baseUrl: gitlab.url,
                  apiBaseUrl: `${gitlab.url}/api/v4`,
                  token: 'of-the-portal',
                },
              ],
            },
          },
        }),
      ],
    });
  }, 60_000);
  afterAll(() => gitlab.close());

  async function dryRun(
    name: string,
    values: Answers,
    secrets: Record<string, string> = {},
  ) {
    const folder = join(TEMPLATES, name);
    const response = await fetch(
      `http://127.0.0.1:${backend.server.port()}/api/scaffolder/v2/dry-run`,
      {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: mockCredentials.user.header(),
        },
        body: JSON.stringify({
          template: parse(readFileSync(join(folder, 'template.yaml'), 'utf8')),
          values,
          secrets,
          directoryContents: filesBelow(folder),
        }),
      },
    );
    const body = await response.json();
    return { status: response.status, body };
  }

  async function succeeds(name: string, values: Answers) {
    const { status, body } = await dryRun(name, values);
    expect([status, body.error?.message, body.errors]).toEqual([
      200,
      undefined,
      undefined,
    ]);
    const run = body as DryRun;
    const files = new Map(
      run.directoryContents.map(({ path, base64Content }) => [
        path,
        Buffer.from(base64Content, 'base64').toString('utf8'),
      ]),
    );
    expect(gitlab.writes).toEqual([]);
    return { run, files };
  }

  const repository = (owner: string, repo: string) =>
    `${gitlab.host}?owner=${owner}&repo=${repo}`;

  /** What is filled in by somebody who leaves every default as it is. */
  const least = (): Answers => ({
    from: 'entity',
    entity: 'component:default/shop',
    packaging: 'helm',
    port: 8080,
    healthPath: '/healthz',
    resources: {
      requests: { cpu: '50m', memory: '128Mi' },
      limits: { memory: '256Mi' },
    },
    splitNamespaces: false,
    withDatabase: false,
    gitopsRepository: repository('platform', 'gitops'),
    domain: 'example.com',
    destination: { server: 'https://kubernetes.default.svc' },
    argocdNamespace: 'argocd',
    route: {
      kind: 'gateway',
      name: 'edge',
      namespace: 'edge',
      edgeNamespace: 'envoy-gateway-system',
    },
    certificate: { kind: 'wildcard' },
    idleTtl: 'P7D',
    token: {
      secretStore: 'platform',
      remoteKey: 'gitlab/previews',
      property: 'token',
      expiresOn: '2999-03-01',
    },
    withDev: false,
    withProd: false,
    pipelines: 'mergeRequests',
    stage: 'build',
  });

  it('onboards a Component from what the catalog and GitLab know of it', async () => {
    const { run, files } = await succeeds('onboard-service', least());
    expect(files.get('gitops/argocd/shop/applicationset.yaml')).toContain(
      'project: "42"',
    );
    expect(
      parse(files.get('gitops/services/shop/chart/values.yaml')!).image
        .repository,
    ).toBe('registry.example.com/web/shop');
    const [entity] = parseAllDocuments(
      files.get('service/catalog-info.yaml')!,
    ).map(document => document.toJS());
    expect(entity.metadata.annotations).toEqual({
      'gitlab.com/project-slug': 'web/shop',
      'gitlab.com/project-id': '42',
      'previews/enabled': 'true',
      'previews/ttl': 'P7D',
    });
    expect(files.get('service/.gitlab-ci.yml')).toContain(
      '.gitlab/previews.gitlab-ci.yml',
    );
    const [done, left] = run.output.text!;
    expect(done.content).toMatch(
      /- Would open a merge request of \d+ files from previews\/onboard-shop-[0-9a-f]{8} in platform\/gitops\n- Would open a merge request of 3 files from previews\/onboard-shop-[0-9a-f]{8} in web\/shop/,
    );
    expect(left.content).toContain('What is left to do');
    expect(run.output.links ?? []).toEqual([]);
  });

  it('onboards a repository to the same files', async () => {
    const byEntity = await succeeds('onboard-service', least());
    const { entity: _, ...rest } = least();
    const byRepository = await succeeds('onboard-service', {
      ...rest,
      from: 'repository',
      serviceRepository: repository('web', 'shop'),
    });
    expect(byRepository.files).toEqual(byEntity.files);
  });

  const combinations: [string, () => Answers, string[], string[]][] = [
    [
      'Kustomize with all environments',
      () => ({
        service: 'store',
        packaging: 'kustomize',
        withDev: true,
        dev: { image: { tag: 'dev-9e107d9d', digest: DIGEST } },
        withProd: true,
        prod: { image: { tag: 'prod-v1.4.0', digest: DIGEST } },
      }),
      [
        'gitops/services/store/kustomize/overlays/prod/kustomization.yaml',
        'gitops/argocd/store/application-dev.yaml',
      ],
      ['gitops/services/store/chart/Chart.yaml'],
    ],
    [
      'an Ingress, a certificate each, split namespaces, a database and a label',
      () => ({
        route: {
          kind: 'ingress',
          className: 'public',
          controllerNamespace: 'ingress-public',
        },
        certificate: { kind: 'perMergeRequest', issuer: 'letsencrypt' },
        splitNamespaces: true,
        withDatabase: true,
        database: {
          secretStore: 'platform',
          remoteKey: 'databases/shop',
          clientImage: `docker.io/library/postgres@${DIGEST}`,
          migrateCommand: ['migrate'],
        },
        label: 'preview',
        idleTtl: 'never',
        pullSecret: 'registry',
        destination: { name: 'previews' },
      }),
      ['gitops/services/shop/chart/templates/database.yaml'],
      ['gitops/argocd/shop/application-prod.yaml'],
    ],
    [
      'a choice that was taken back',
      () => ({
        withDatabase: false,
        database: {
          secretStore: 'platform',
          remoteKey: 'databases/shop',
          clientImage: 'no-image',
        },
        withProd: false,
        prod: { image: { tag: 'x', digest: 'y' } },
      }),
      ['gitops/services/shop/chart/Chart.yaml'],
      ['gitops/argocd/shop/application-prod.yaml'],
    ],
    [
      'everything that is derived filled in',
      () => ({
        service: 'store',
        owner: 'user:default/dev1',
        entityName: 'shop',
        serviceBranch: 'main',
        gitopsBranch: 'main',
        image: 'ghcr.example.com/web/store',
      }),
      ['gitops/argocd/store/applicationset.yaml'],
      ['gitops/argocd/shop/applicationset.yaml'],
    ],
  ];
  it.each(combinations)('takes %s', async (_, more, there, notThere) => {
    const { files } = await succeeds('onboard-service', {
      ...least(),
      ...more(),
    });
    expect([...files.keys()]).toEqual(expect.arrayContaining(there));
    expect([...files.keys()].filter(path => notThere.includes(path))).toEqual(
      [],
    );
  });

  it.each<[string, Answers, string]>([
    ['a Gateway', {}, 'envoy-gateway-system'],
    [
      'a Gateway elsewhere',
      {
        route: {
          kind: 'gateway',
          name: 'edge',
          namespace: 'edge',
          edgeNamespace: 'proxies',
        },
      },
      'proxies',
    ],
    [
      'an Ingress',
      {
        route: {
          kind: 'ingress',
          className: 'public',
          controllerNamespace: 'ingress-public',
        },
      },
      'ingress-public',
    ],
  ])('admits the pods of %s, and no others', async (_, more, namespace) => {
    const { files } = await succeeds('onboard-service', {
      ...least(),
      ...more,
    });
    const values = parse(files.get('gitops/services/shop/chart/values.yaml')!);
    expect(values.edgeNamespace).toBe(namespace);
  });

  const refused: [string, () => Answers, string][] = [
    [
      'a Component that is not there',
      () => ({ entity: 'component:default/none' }),
      'The catalog has no component:default/none, or you may not see it',
    ],
    [
      'a GitLab that the portal does not know',
      () => ({ gitopsRepository: 'other.example.com?owner=a&repo=b' }),
      'other.example.com is not among integrations.gitlab',
    ],
    [
      'a repository that is not there',
      () => ({ gitopsRepository: repository('platform', 'none') }),
      'found nothing when asked to read project platform/none (404): it is not there, or the portal may not see it',
    ],
    [
      'Kustomize with a database',
      () => ({
        packaging: 'kustomize',
        withDatabase: true,
        database: {
          secretStore: 'platform',
          remoteKey: 'databases/shop',
          clientImage: `docker.io/library/postgres@${DIGEST}`,
        },
      }),
      'database: needs Helm',
    ],
    [
      'to replace what somebody else wrote',
      () => ({
        withProd: true,
        prod: {
          image: { tag: 'prod-v1.4.0', digest: DIGEST },
          revision: 'shop-v1.4.0',
        },
      }),
      'which would be replaced: argocd/shop/application-prod.yaml.',
    ],
    ['a stage that is not there', () => ({ stage: 'deploy' }), 'deploy'],
  ];
  it.each(refused)('refuses %s', async (_, more, message) => {
    const { status, body } = await dryRun('onboard-service', {
      ...least(),
      ...more(),
    });
    expect(JSON.stringify(body)).toContain(message);
    expect(status).toBeGreaterThanOrEqual(400);
  });

  it.each(['', 'of-the-person'])(
    'refuses a token that has expired before it reads anything, in whole words with "%s" as the secret of the person',
    async secret => {
      const { status, body } = await dryRun(
        'onboard-service',
        {
          ...least(),
          token: { ...(least().token as Answers), expiresOn: '2020-01-01' },
          // GitLab would say that there is none.
          gitopsRepository: repository('platform', 'none'),
        },
        { USER_OAUTH_TOKEN: secret },
      );
      expect(body.error.message).toContain(
        'token.expiresOn: 2020-01-01 is no day to come, so the token has expired',
      );
      expect(status).toBeGreaterThanOrEqual(400);
    },
  );

  it.each(['', 'of-the-person'])(
    'hides no word of what it says when "%s" is handed in as the secret of the person',
    async secret => {
      const { body } = await dryRun(
        'onboard-service',
        { ...least(), gitopsRepository: repository('platform', 'none') },
        { USER_OAUTH_TOKEN: secret },
      );
      const { message } = body.error;
      expect(message).toContain('found nothing when asked to read project');
      expect(message).not.toContain('***');
    },
  );

  const unanswered: [string, Answers][] = [
    ['no Component', { entity: undefined }],
    ['no repository', { from: 'repository' }],
    ['a name with capitals', { service: 'Shop' }],
    ['a database without its store', { withDatabase: true }],
    [
      'an Ingress whose controller could be anywhere',
      { route: { kind: 'ingress', className: 'public' } },
    ],
    ['a day that is none', { token: { expiresOn: 'x' } }],
  ];
  it.each(unanswered)('does not start with %s', async (_, more) => {
    const { status, body } = await dryRun('onboard-service', {
      ...least(),
      ...more,
    });
    expect(status).toBe(400);
    expect(body.errors.length).toBeGreaterThan(0);
  });

  const release = (): Answers => ({
    service: 'shop',
    line: 'targetRevision',
    path: 'argocd/shop/application-prod.yaml',
    value: 'shop-v1.5.0',
    gitopsRepository: repository('platform', 'gitops'),
  });

  it('promotes a release by one line, with what GitLab knows to be in it', async () => {
    const { run, files } = await succeeds('promote-release', release());
    expect(run.output.links ?? []).toEqual([]);
    expect(files.get('gitops/argocd/shop/application-prod.yaml')).toContain(
      'targetRevision: shop-v1.5.0\n',
    );
    const [before, notes] = run.output.text!;
    expect(before.content).toBe('shop-v1.4.0');
    expect(notes.content).toContain(
      'Merged in platform/gitops between shop-v1.4.0 and shop-v1.5.0, of what touches services/shop:',
    );
    expect(notes.content).toContain('Faster search');
    expect(notes.content).not.toContain('was not found out');
  });

  it('promotes no tag that is not there', async () => {
    const { status, body } = await dryRun('promote-release', {
      ...release(),
      value: 'shop-v9.9.9',
    });
    expect(JSON.stringify(body)).toContain(
      'platform/gitops has no tag shop-v9.9.9; there is shop-v1.5.0, shop-v1.4.0',
    );
    expect(status).toBeGreaterThanOrEqual(400);
  });

  it('promotes an image of an overlay, whose notes somebody wrote', async () => {
    const { run, files } = await succeeds('promote-release', {
      ...release(),
      entity: 'component:default/shop',
      line: 'newTag',
      path: 'services/shop/kustomize/overlays/prod/kustomization.yaml',
      value: 'prod-v1.5.0',
      mergeRequests: 'By hand',
    });
    expect(
      files.get(
        'gitops/services/shop/kustomize/overlays/prod/kustomization.yaml',
      ),
    ).toContain('newTag: prod-v1.5.0\n');
    expect(run.output.text![1].content).toContain('- By hand\n');
    expect(run.output.text![1].content).toContain(
      'It was not found out whether `prod-v1.5.0` exists:** app is not of the registry of web/shop.',
    );
  });

  it('opens nothing for a release that is out', async () => {
    const { run } = await succeeds('promote-release', {
      ...release(),
      value: 'shop-v1.4.0',
    });
    expect(run.output.links ?? []).toEqual([]);
  });
});
