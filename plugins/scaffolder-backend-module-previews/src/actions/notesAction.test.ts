import { createMockDirectory } from '@backstage/backend-test-utils';
import { FakeGitLab, type FakeProject } from '../__testUtils__/FakeGitLab';
import { integrationsOf } from '../__testUtils__/integrations';
import { runAction } from '../__testUtils__/runAction';
import { createNotesAction } from './notesAction';

const workspace = createMockDirectory();
const digest = `@sha256:${'4f'.repeat(32)}`;

describe('previews:release:notes', () => {
  let gitlab: FakeGitLab;
  let gitops: FakeProject;
  let shop: FakeProject;

  beforeAll(async () => {
    gitlab = await FakeGitLab.listen();
  });
  afterAll(() => gitlab.close());
  beforeEach(() => {
    gitlab.reset();
    gitops = gitlab.addProject({ id: 7, path: 'platform/gitops' });
    shop = gitlab.addProject({ id: 42, path: 'web/shop' });
    ['v1', 'v2', '9e107d9d'].forEach(ref => shop.refs.set(ref, {}));
    const values = (tag: string) => ({
      'services/shop/chart/values-prod.yaml': `image:\n  tag: ${tag}\n`,
    });
    gitops.refs.set('shop-v1', values('prod-v1'));
    gitops.refs.set('shop-v2', values('prod-v2'));
  });

  const entity = {
    kind: 'Component',
    metadata: {
      name: 'shop',
      annotations: { 'gitlab.com/project-slug': 'web/shop' },
    },
  };

  function notes(more: object = {}) {
    return runAction({
      action: createNotesAction({
        integrations: integrationsOf([gitlab.integration]),
      }),
      workspacePath: workspace.path,
      input: {
        service: 'shop',
        line: 'targetRevision',
        path: 'argocd/shop/application-prod.yaml',
        previous: 'shop-v1',
        value: 'shop-v2',
        entity,
        gitopsRepository: `${gitlab.host}?owner=platform&repo=gitops`,
        ...more,
      },
    });
  }

  const merged = (project: FakeProject, iid: number, title: string) => ({
    iid,
    title,
    state: 'merged',
    target_project_id: project.answer.id,
    web_url: 'https://elsewhere.example.com',
    author: { username: 'dev1' },
  });
  const link = (path: string, iid: number) =>
    `[\\!${iid}](http://${gitlab.host}/${path}/-/merge_requests/${iid})`;

  it('lists what was merged in the service between the images of two tags', async () => {
    shop.ranges.set('v1..v2', ['c3', 'c2', 'c1']);
    shop.mergedBy.set('c3', [merged(shop, 12, 'Faster @all search')]);
    shop.mergedBy.set('c2', [merged(shop, 12, 'Faster @all search')]);
    shop.mergedBy.set('c1', [
      merged(shop, 11, 'Basket'),
      { ...merged(shop, 10, 'Open'), state: 'opened' },
      { ...merged(shop, 9, 'Of a fork'), target_project_id: 99 },
      { title: 'Hostile' },
    ]);
    expect(await notes()).toEqual({
      mergeRequests: [
        { iid: 12, title: 'Faster @all search' },
        { iid: 11, title: 'Basket' },
      ],
      description: [
        'Promotes shop from `shop-v1` to `shop-v2`.',
        '',
        '## What is in it',
        '',
        'Merged in web/shop between v1 and v2:',
        '',
        `- ${link('web/shop', 12)} Faster @\u200ball search (dev1)`,
        `- ${link('web/shop', 11)} Basket (dev1)`,
        '',
        'Reverting this merge request takes the release back.',
        '',
      ].join('\n'),
    });
    expect(gitlab.writes).toEqual([]);
  });

  it('lists what was merged between the images of an overlay', async () => {
    shop.ranges.set('9e107d9d..v2', ['c1']);
    shop.mergedBy.set('c1', [merged(shop, 11, 'Basket')]);
    const { description } = await notes({
      line: 'newTag',
      previous: `prod-9e107d9d${digest}`,
      value: `prod-v2${digest}`,
    });
    expect(description).toContain(
      'Merged in web/shop between 9e107d9d and v2:',
    );
    expect(description).toContain('Basket');
  });

  it('says that a release goes back, and what it takes out', async () => {
    shop.ranges.set('v1..v2', ['c1']);
    shop.mergedBy.set('c1', [merged(shop, 11, 'Basket')]);
    const { description } = await notes({
      previous: 'shop-v2',
      value: 'shop-v1',
    });
    expect(description).toContain(
      'It goes back. This was merged in web/shop between v1 and v2, and is taken out:',
    );
    expect(description).toContain('Basket');
  });

  const withoutService: [string, object][] = [
    ['no Component is named', { entity: undefined }],
    ['the Component is not to be seen', { entity: null }],
    [
      'the Component has no project',
      { entity: { kind: 'Component', metadata: { name: 'shop' } } },
    ],
    [
      'the Component is on another GitLab',
      {
        entity: {
          ...entity,
          metadata: {
            name: 'shop',
            annotations: {
              'gitlab.com/project-slug': 'web/shop',
              'gitlab.com/instance': 'other.example.com',
            },
          },
        },
      },
    ],
  ];
  it.each(withoutService)(
    'lists the changes of its folder in the GitOps repository where %s',
    async (_, more) => {
      gitops.ranges.set('shop-v1..shop-v2', ['c1']);
      gitops.mergedBy.set('c1', [merged(gitops, 3, 'Shop 2')]);
      const { description } = await notes(more);
      expect(description).toContain(
        'Merged in platform/gitops between shop-v1 and shop-v2, of what touches services/shop:',
      );
      expect(description).toContain('Shop 2');
      const listed = gitlab.calls.find(({ path }) =>
        path.endsWith('/repository/commits'),
      );
      expect(listed!.query.get('path')).toBe('services/shop');
    },
  );

  it('goes to the GitOps repository where an image names no commit', async () => {
    shop.refs.delete('v2');
    gitops.ranges.set('shop-v1..shop-v2', []);
    const { description } = await notes();
    expect(description).toContain(
      'Merged in platform/gitops between shop-v1 and shop-v2, of what touches services/shop:\n\nNo merge request in between touches services/shop.',
    );
  });

  it('does not speak of a path where all of the service was looked at', async () => {
    shop.ranges.set('v1..v2', []);
    const { description } = await notes();
    expect(description).toContain(
      'Merged in web/shop between v1 and v2:\n\nNo merge request in between.\n',
    );
  });

  it('says of a release that goes back which part of the GitOps repository it tells of', async () => {
    gitops.ranges.set('shop-v1..shop-v2', ['c1']);
    gitops.mergedBy.set('c1', [merged(gitops, 3, 'Shop 2')]);
    const { description } = await notes({
      entity: undefined,
      previous: 'shop-v2',
      value: 'shop-v1',
    });
    expect(description).toContain(
      'It goes back. This was merged in platform/gitops between shop-v1 and shop-v2, of what touches services/shop, and is taken out:',
    );
  });

  it('says that it looked at the newest hundred commits only', async () => {
    shop.ranges.set(
      'v1..v2',
      Array.from({ length: 101 }, (_, index) => `c${index}`),
    );
    expect((await notes()).description).toContain(
      '- and older ones, which were not looked at',
    );
    expect(
      gitlab.calls.filter(({ path }) => path.endsWith('/merge_requests')),
    ).toHaveLength(100);
  });

  it('takes what somebody lists, and asks nobody', async () => {
    const { description } = await notes({ mergeRequests: 'Faster search' });
    expect(description).toContain('## What is in it\n\n- Faster search\n');
    expect(gitlab.calls).toEqual([]);
  });

  it('refuses a list that is none', async () => {
    await expect(notes({ mergeRequests: '[{' })).rejects.toThrow(
      'no valid JSON',
    );
  });

  const unknown: [string, object, string][] = [
    ['there was no release', { previous: '' }, 'nothing was released before'],
    [
      'a tag is gone',
      { previous: 'shop-v0' },
      'platform/gitops has no shop-v0',
    ],
    [
      'an image is of no commit',
      { line: 'newTag', previous: 'prod-v0', value: 'prod-v9' },
      'web/shop has no v0 and no v9',
    ],
    [
      'the repository of an image is not known',
      { line: 'newTag', entity: undefined },
      'images are built from a repository that was not named',
    ],
    [
      'the host is no GitLab of the portal',
      { gitopsRepository: 'other.example.com?owner=a&repo=b' },
      'other.example.com is not among integrations.gitlab',
    ],
  ];
  it.each(unknown)(
    'says that it is not known, and holds up nothing, where %s',
    async (_, more, why) => {
      const { description, mergeRequests } = await notes(more);
      expect(description).toContain(
        `What was merged in between is not known: ${why}`,
      );
      expect(mergeRequests).toEqual([]);
    },
  );

  it('says that GitLab was not read', async () => {
    gitlab.fault = () => ({ status: 403, body: { message: 'x`y' } });
    expect((await notes()).description).toContain('is not known: 127.0.0.1:');
  });
});
