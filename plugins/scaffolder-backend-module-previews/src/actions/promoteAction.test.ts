import { createMockDirectory } from '@backstage/backend-test-utils';
import { FakeGitLab, type FakeProject } from '../__testUtils__/FakeGitLab';
import { integrationsOf } from '../__testUtils__/integrations';
import { runAction } from '../__testUtils__/runAction';
import { createPromoteAction } from './promoteAction';

const workspace = createMockDirectory();
const path = 'argocd/shop/application-prod.yaml';
const overlay = 'services/shop/kustomize/overlays/prod/kustomization.yaml';
const image = 'registry.example.com/web/shop';
const digest = `sha256:${'4f'.repeat(32)}`;
const other = `sha256:${'5a'.repeat(32)}`;

describe('previews:release:promote', () => {
  let gitlab: FakeGitLab;
  let gitops: FakeProject;
  let shop: FakeProject;

  beforeAll(async () => {
    gitlab = await FakeGitLab.listen();
  });
  afterAll(() => gitlab.close());

  const applicationOf = (repositoryUrl: string) =>
    `kind: Application\nmetadata: {name: shop-prod}\nspec:\n  source:\n    repoURL: ${repositoryUrl}\n    # the release\n    targetRevision: shop-v1\n`;
  const gitopsUrl = () => `http://${gitlab.host}/platform/gitops.git`;

  function tag(project: FakeProject, name: string) {
    project.refs.set(name, {});
    project.tags.add(name);
  }

  beforeEach(() => {
    gitlab.reset();
    gitops = gitlab.addProject({ id: 7, path: 'platform/gitops' });
    shop = gitlab.addProject({ id: 42, path: 'web/shop' });
    ['shop-v2', 'shop-v1', 'other-v1'].forEach(name => tag(gitops, name));
    gitops.refs.set('shop-vnext', {});
    gitops.refs.set('9e107d9d', {});
    shop.registry.push({
      id: 3,
      location: image,
      tags: { 'prod-v1': digest, 'prod-v2': digest },
    });
    workspace.setContent({
      'gitops-repository': {
        [path]: applicationOf(gitopsUrl()),
        [overlay]: `images:\n  - name: ${image}\n    newTag: prod-v1@${digest}\n`,
        other: 'x',
      },
    });
  });

  function promote(more: object = {}) {
    return runAction({
      action: createPromoteAction({
        integrations: integrationsOf([gitlab.integration]),
      }),
      workspacePath: workspace.path,
      input: {
        service: 'shop',
        path,
        line: 'targetRevision',
        value: 'shop-v2',
        gitopsRepository: `${gitlab.host}?owner=platform&repo=gitops`,
        entity: {
          kind: 'Component',
          metadata: {
            name: 'shop',
            annotations: { 'gitlab.com/project-slug': 'web/shop' },
          },
        },
        ...more,
      },
    });
  }

  const ofImage = { path: overlay, line: 'newTag' };

  function withRepository(repositoryUrl: string) {
    workspace.addContent({
      'gitops-repository': { [path]: applicationOf(repositoryUrl) },
    });
  }

  it('writes the one file with its one line changed', async () => {
    expect(await promote()).toEqual({
      changed: true,
      previous: 'shop-v1',
      unverified: '',
      branchName: expect.stringMatching(/^previews\/promote-shop-[0-9a-f]{8}$/),
      title: 'Promote shop to shop-v2',
    });
    expect((workspace.content() as any).gitops).toEqual({
      argocd: {
        shop: {
          'application-prod.yaml': applicationOf(gitopsUrl()).replace(
            'shop-v1',
            'shop-v2',
          ),
        },
      },
    });
    expect(gitlab.writes).toEqual([]);
  });

  it('writes nothing when the release is out already, and asks nobody', async () => {
    expect(await promote({ value: 'shop-v1' })).toMatchObject({
      changed: false,
      unverified: '',
    });
    expect(workspace.content()).not.toHaveProperty('gitops');
    expect(gitlab.calls).toEqual([]);
  });

  const there: [string, object][] = [
    ['a commit of the GitOps repository', { value: '9e107d9d' }],
    ['a tag by its full name', { value: 'refs/tags/shop-v2' }],
    ['a tag of the image', { ...ofImage, value: `prod-v2@${digest}` }],
  ];
  it.each(there)('takes %s that is there', async (_, more) => {
    expect(await promote(more)).toMatchObject({
      changed: true,
      unverified: '',
    });
  });

  it.each([
    'ssh://git@127.0.0.1/web/manifests.git',
    'git@127.0.0.1:web/manifests.git',
  ])('looks into the repository that Argo CD reads: %s', async url => {
    withRepository(url);
    const manifests = gitlab.addProject({ id: 8, path: 'web/manifests' });
    await expect(promote()).rejects.toThrow('web/manifests has no tag shop-v2');
    tag(manifests, 'shop-v2');
    expect(await promote()).toMatchObject({ unverified: '' });
  });

  it('knows the GitOps repository by an address for the cluster alone', async () => {
    withRepository('http://gitlab.gitlab.svc/platform/gitops.git');
    expect(await promote()).toMatchObject({ unverified: '' });
    await expect(promote({ value: 'shop-v9' })).rejects.toThrow('shop-v9');
  });

  it.each<[string, object, string]>([
    ['a file that is not there', { path: 'none.yaml' }, 'has no none.yaml'],
    ['a path that leads out', { path: '../x' }, 'Relative path'],
    ['a revision that moves', { value: 'HEAD' }, 'which moves'],
    [
      'a tag that is not there, and names those that are',
      { value: 'shop-v9.9.9' },
      'platform/gitops has no tag shop-v9.9.9; there is shop-v2, shop-v1. Make the tag first',
    ],
    [
      'a commit that is not there',
      { value: '0a1b2c3d' },
      'platform/gitops has no tag and no commit 0a1b2c3d',
    ],
    [
      'a tag of another service',
      { value: 'other-v1' },
      '"other-v1" is no tag of shop: its tags begin with "shop-v", as shop-v1 does',
    ],
    [
      'a tag without the name of the service',
      { value: 'v1.0.0' },
      '"v1.0.0" is no tag of shop',
    ],
    [
      'a branch',
      { value: 'shop-vnext' },
      '"shop-vnext" is a branch of platform/gitops, which moves',
    ],
    [
      'a tag that the image does not have',
      { ...ofImage, value: `prod-v9@${digest}` },
      `The registry of web/shop has no ${image}:prod-v9`,
    ],
  ])('refuses %s', async (_, more, message) => {
    await expect(promote(more)).rejects.toThrow(message);
    expect(workspace.content()).not.toHaveProperty('gitops');
  });

  it('refuses an image that the registry does not have', async () => {
    shop.registry.length = 0;
    await expect(
      promote({ ...ofImage, value: `prod-v2@${digest}` }),
    ).rejects.toThrow(`The registry of web/shop has no image ${image}`);
  });

  it('says that there is no tag at all', async () => {
    gitops.tags.clear();
    gitops.refs.delete('shop-v2');
    await expect(promote()).rejects.toThrow(
      'platform/gitops has no tag shop-v2, and none at all.',
    );
  });

  const unknown: [string, object, string][] = [
    [
      'the Component of an image is not named',
      { ...ofImage, value: `prod-v2@${digest}`, entity: undefined },
      'the Component was not named',
    ],
    [
      'the digest is not the one of the tag',
      { ...ofImage, value: `prod-v2@${other}` },
      `the registry has prod-v2 as ${digest}`,
    ],
    [
      'the host is no GitLab of the portal',
      { gitopsRepository: 'other.example.com?owner=a&repo=b' },
      'other.example.com is not among integrations.gitlab',
    ],
  ];
  it.each(unknown)(
    'goes on and says that it is not known where %s',
    async (_, more, why) => {
      expect(await promote(more)).toMatchObject({
        changed: true,
        unverified: expect.stringContaining(why),
      });
    },
  );

  it('does not know of an image of another registry', async () => {
    workspace.addContent({
      'gitops-repository': { [overlay]: 'images: [{name: app, newTag: v1}]\n' },
    });
    expect(await promote({ ...ofImage, value: 'v2' })).toMatchObject({
      unverified: 'app is not of the registry of web/shop',
    });
  });

  it.each([
    ['https://elsewhere.example.com/a/b.git', 'is no repository of 127.0.0.1:'],
    ['oci://registry.example.com/shop', 'it is the version of a chart'],
  ])('does not know of %s', async (url, why) => {
    withRepository(url);
    expect(await promote()).toMatchObject({
      unverified: expect.stringContaining(why),
    });
  });

  it.each([
    ['GitLab gives up', 503, /\/repository\/tags/],
    ['tags are not to be seen', 404, /\/repository\/tags/],
    ['the project is not to be seen', 404, /gitops$/],
    ['the registry is not to be read', 403, /\/registry\//],
  ])('takes nothing for missing where %s', async (_, status, of) => {
    gitlab.fault = call =>
      of.test(decodeURIComponent(call.path))
        ? { status, body: { message: 'no' } }
        : undefined;
    expect(
      await promote(
        String(of).includes('registry')
          ? { ...ofImage, value: `prod-v9@${digest}` }
          : { value: 'shop-v9' },
      ),
    ).toMatchObject({ unverified: expect.stringContaining(String(status)) });
  });
});
