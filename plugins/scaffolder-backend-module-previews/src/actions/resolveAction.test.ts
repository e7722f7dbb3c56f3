import { createMockDirectory } from '@backstage/backend-test-utils';
import { FakeGitLab } from '../__testUtils__/FakeGitLab';
import { integrationsOf } from '../__testUtils__/integrations';
import { runAction } from '../__testUtils__/runAction';
import { createResolveAction } from './resolveAction';

const workspace = createMockDirectory();

describe('previews:service:resolve', () => {
  let gitlab: FakeGitLab;

  beforeAll(async () => {
    gitlab = await FakeGitLab.listen();
  });
  afterAll(() => gitlab.close());
  beforeEach(() => {
    gitlab.reset();
    gitlab.addProject({ id: 7, path: 'platform/gitops' });
    gitlab.addProject({
      id: 42,
      path: 'web/nested/shop',
      answer: { default_branch: 'trunk' },
    });
  });

  const gitopsRepository = () => `${gitlab.host}?owner=platform&repo=gitops`;
  const serviceRepository = () => `${gitlab.host}?owner=web%2Fnested&repo=shop`;

  function resolve(input: object, integrations = [gitlab.integration]) {
    return runAction({
      action: createResolveAction({
        integrations: integrationsOf(integrations),
      }),
      workspacePath: workspace.path,
      input: { gitopsRepository: gitopsRepository(), ...input },
    });
  }

  function entity(
    annotations: Record<string, unknown>,
    more: object = {},
  ): object {
    return {
      apiVersion: 'backstage.io/v1alpha1',
      kind: 'Component',
      metadata: { name: 'shop', annotations },
      spec: { owner: 'group:default/web' },
      ...more,
    };
  }

  const entityRef = 'component:default/shop';
  const resolved = () => ({
    gitlabUrl: `http://${gitlab.host}`,
    gitops: {
      id: 7,
      path: 'platform/gitops',
      branch: 'main',
      repository: gitopsRepository(),
      treeUrl: `http://${gitlab.host}/platform/gitops/-/tree/main`,
      repositoryUrl: `http://${gitlab.host}/platform/gitops.git`,
    },
    project: {
      id: 42,
      path: 'web/nested/shop',
      branch: 'trunk',
      repository: serviceRepository(),
      treeUrl: `http://${gitlab.host}/web/nested/shop/-/tree/trunk`,
      repositoryUrl: `http://${gitlab.host}/web/nested/shop.git`,
    },
    service: 'shop',
    owner: 'group:default/web',
    entityName: 'shop',
    image: 'registry.example.com/web/nested/shop',
  });

  const ways: [string, () => Record<string, unknown>][] = [
    ['the path', () => ({ 'gitlab.com/project-slug': 'web/nested/shop' })],
    ['the number', () => ({ 'gitlab.com/project-id': '42' })],
    [
      'the number before a path of before',
      () => ({
        'gitlab.com/project-id': '42',
        'gitlab.com/project-slug': 'web/old-name',
      }),
    ],
    [
      'where its source is',
      () => ({
        'backstage.io/source-location': `url:http://${gitlab.host}/web/nested/shop/-/tree/trunk/`,
      }),
    ],
    [
      'where it was read from',
      () => ({
        'backstage.io/managed-by-location': `url:http://${gitlab.host}/web/nested/shop/-/blob/trunk/catalog-info.yaml`,
      }),
    ],
    [
      'the path on the GitLab that is named',
      () => ({
        'gitlab.com/project-slug': 'web/nested/shop',
        'gitlab.com/instance': gitlab.host,
      }),
    ],
  ];
  it.each(ways)('finds all there is to know by %s', async (_, annotations) => {
    expect(await resolve({ entityRef, entity: entity(annotations()) })).toEqual(
      resolved(),
    );
    expect(gitlab.writes).toEqual([]);
  });

  it('finds the same by a repository, but no entity', async () => {
    expect(await resolve({ serviceRepository: serviceRepository() })).toEqual({
      ...resolved(),
      owner: undefined,
      entityName: undefined,
    });
  });

  it('reads only the GitOps repository where no service is named', async () => {
    const { gitlabUrl, gitops } = resolved();
    expect(await resolve({})).toEqual({ gitlabUrl, gitops });
  });

  it('takes the owner that the catalog resolved', async () => {
    const relations = [{ type: 'ownedBy', targetRef: 'group:default/other' }];
    const { owner } = await resolve({
      entityRef,
      entity: entity({ 'gitlab.com/project-id': '42' }, { relations }),
    });
    expect(owner).toBe('group:default/other');
  });

  it('takes what is filled in instead', async () => {
    expect(
      await resolve({
        entityRef,
        entity: entity({ 'gitlab.com/project-id': '42' }),
        service: 'store',
        owner: 'user:default/dev1',
        entityName: 'store-api',
        serviceBranch: 'release/x',
        gitopsBranch: 'staging',
        image: 'ghcr.example.com/web/store',
      }),
    ).toMatchObject({
      service: 'store',
      owner: 'user:default/dev1',
      entityName: 'store-api',
      project: { branch: 'release/x' },
      gitops: { branch: 'staging' },
      image: 'ghcr.example.com/web/store',
    });
  });

  it('knows a GitLab below a path', async () => {
    gitlab.fault = ({ path }) =>
      path.startsWith('/gitlab/api/v4/projects/')
        ? {
            status: 200,
            body: {
              ...gitlab.projects[path.endsWith('gitops') ? 0 : 1].answer,
            },
          }
        : { status: 418, body: {} };
    const baseUrl = `http://${gitlab.host}/gitlab`;
    const integration = {
      ...gitlab.integration,
      baseUrl,
      apiBaseUrl: `${baseUrl}/api/v4`,
    };
    expect(
      await resolve(
        {
          entityRef,
          entity: entity({
            'backstage.io/source-location': `url:${baseUrl}/web/nested/shop/-/tree/trunk/`,
          }),
        },
        [integration],
      ),
    ).toMatchObject({
      gitlabUrl: baseUrl,
      project: { treeUrl: `${baseUrl}/web/nested/shop/-/tree/trunk` },
    });
    expect(gitlab.calls.at(-1)!.path).toBe(
      '/gitlab/api/v4/projects/web%2Fnested%2Fshop',
    );
  });

  it('asks as the person who signed in', async () => {
    await resolve({ token: 'of-the-person' });
    expect(gitlab.calls[0].headers.authorization).toBe('Bearer of-the-person');
  });

  const hint =
    'choose its repository instead, or annotate it with gitlab.com/project-slug';
  const refusedEntities: [string, unknown, string][] = [
    [
      'one that is not there',
      null,
      'The catalog has no component:default/shop, or you may not see it',
    ],
    ['what is none', { kind: 1 }, 'is no entity of the catalog'],
    [
      'one without project',
      entity({}),
      `component:default/shop names no project of GitLab, and was not read from one; ${hint}`,
    ],
    [
      'one of another forge',
      entity({
        'backstage.io/source-location':
          'url:https://github.example.com/web/shop/tree/main/',
      }),
      'names no project of GitLab',
    ],
    [
      'one of a file',
      entity({ 'backstage.io/source-location': 'file:/tmp/x' }),
      'names no project of GitLab',
    ],
    [
      'one whose source is no address',
      entity({ 'backstage.io/source-location': 'url:x' }),
      'names no project of GitLab',
    ],
    [
      'one that switched it off',
      entity({ 'gitlab.com/project-slug': '' }),
      'has an empty annotation, which says that it has no project',
    ],
    [
      'a number that is none',
      entity({ 'gitlab.com/project-id': '4\u202e2' }),
      'says "42" as gitlab.com/project-id, which is no number',
    ],
    [
      'a path that is none',
      entity({ 'gitlab.com/project-slug': '../../user\nx' }),
      'says "../../user x" as gitlab.com/project-slug, which is no path',
    ],
    [
      'another GitLab',
      entity({
        'gitlab.com/project-id': '42',
        'gitlab.com/instance': 'other.example.com',
      }),
      'The service is at other.example.com and the GitOps repository at 127.0.0.1',
    ],
  ];
  it.each(refusedEntities)('refuses %s', async (_, given, message) => {
    await expect(resolve({ entityRef, entity: given })).rejects.toThrow(
      message,
    );
  });

  const refusedProjects: [string, object, object, string][] = [
    [
      'an archived one',
      { archived: true },
      {},
      'web/nested/shop is archived in GitLab, so nothing can be proposed to it',
    ],
    [
      'an empty one',
      { default_branch: null },
      {},
      'web/nested/shop has no branch yet',
    ],
    [
      'a branch that would have to be escaped',
      { default_branch: 'a`id`' },
      {},
      'The branch of web/nested/shop is called "a`id`"',
    ],
    [
      'one whose registry is switched off',
      { container_registry_access_level: 'disabled' },
      {},
      'The container registry of web/nested/shop is switched off: switch it on, or fill in the image',
    ],
    [
      'one whose registry an older GitLab says to be off',
      {
        container_registry_access_level: undefined,
        container_registry_enabled: false,
      },
      {},
      'is switched off',
    ],
    [
      'one of a GitLab without registry',
      { container_registry_image_prefix: undefined },
      {},
      'GitLab names no container registry for web/nested/shop: fill in the image',
    ],
    [
      'an image that is none',
      { container_registry_image_prefix: 'https://$(id)' },
      {},
      'GitLab calls images of web/nested/shop "https://$(id)", which is no image',
    ],
    [
      'what is no project',
      { path_with_namespace: '../x' },
      { serviceRepository: '42' },
      'is no repository such as',
    ],
    [
      'a name that its objects cannot have',
      { path_with_namespace: 'web/Preview_Shop' },
      {},
      '"Preview_Shop" cannot be the name of its objects: fill in a name',
    ],
  ];
  it.each(refusedProjects)('refuses %s', async (_, answer, input, message) => {
    Object.assign(gitlab.projects[1].answer, answer);
    const path = String(gitlab.projects[1].answer.path_with_namespace);
    const end = path.lastIndexOf('/');
    const repository = `${gitlab.host}?owner=${path.slice(
      0,
      end,
    )}&repo=${path.slice(end + 1)}`;
    await expect(
      resolve({ serviceRepository: repository, ...input }),
    ).rejects.toThrow(message);
  });

  it('goes by an image that is filled in where there is no registry', async () => {
    gitlab.projects[1].answer.container_registry_access_level = 'disabled';
    expect(
      await resolve({
        serviceRepository: serviceRepository(),
        image: 'ghcr.example.com/web/shop',
      }),
    ).toMatchObject({ image: 'ghcr.example.com/web/shop' });
  });

  it('refuses an answer that is no project', async () => {
    gitlab.fault = () => ({ status: 200, body: { id: 'x' } });
    await expect(resolve({})).rejects.toThrow(
      'answered something else than a project when asked to read project platform/gitops',
    );
  });

  it('refuses one repository for both', async () => {
    await expect(
      resolve({ serviceRepository: gitopsRepository() }),
    ).rejects.toThrow(
      'platform/gitops would be both the service and the GitOps repository',
    );
  });

  it('refuses a service on another GitLab', async () => {
    await expect(
      resolve({ serviceRepository: 'other.example.com?owner=web&repo=shop' }),
    ).rejects.toThrow('both have to be in one GitLab');
  });

  it('refuses a host without integration', async () => {
    await expect(
      resolve({ gitopsRepository: 'other.example.com?owner=a&repo=b' }),
    ).rejects.toThrow(
      'other.example.com is not among integrations.gitlab of this portal: who runs the portal can add it',
    );
    expect(gitlab.calls).toEqual([]);
  });

  const answers: [number, object, string][] = [
    [404, {}, 'it is not there, or the portal may not see it'],
    [404, { token: 'x' }, 'or your account may not see it'],
    [401, { token: 'x' }, 'takes your sign-in no more'],
    [
      403,
      { token: 'x' },
      'does not let your account read project platform/gitops (403: insufficient_scope)',
    ],
    [500, {}, 'could not read project platform/gitops (500); try again later'],
  ];
  it.each(answers)(
    'tells what GitLab answers with %s to %j',
    async (status, more, message) => {
      gitlab.fault = () => ({ status, body: { error: 'insufficient_scope' } });
      await expect(resolve(more)).rejects.toThrow(message);
    },
  );
});
