import {
  Json,
  HEAD,
  HOST,
  merged,
  NEXT,
  OLD,
  podTemplate,
  REGISTRY,
  WorldBuilder,
} from '../testing/world';
import { Story } from '../testing/Story';
import { isRepositoryOf, namesCommit, splitImage } from './commit';

const SHOP = `https://${HOST}/group/shop.git`;

/** A set whose one source is this, and an Application as it would make it for a commit. */
function deployedBy(options: {
  template: (commit: {
    short: string;
    seven: string;
    full: string;
    branch: string;
  }) => Json;
  wanted?: string;
  running?: string;
  spec?: Json;
  status?: Json;
}): WorldBuilder {
  const { template, wanted = HEAD, running = HEAD } = options;
  const expressions = {
    short: '{{.head_short_sha}}',
    seven: '{{.head_short_sha_7}}',
    full: '{{.head_sha}}',
    branch: '{{.branch}}',
  };
  const rendered = {
    short: wanted.slice(0, 8),
    seven: wanted.slice(0, 7),
    full: wanted,
    branch: 'feature/basket',
  };
  const base = { helm: null, path: 'shop' };
  return WorldBuilder.live()
    .applicationSet({
      spec: merged(
        { template: { spec: { source: merged(base, template(expressions)) } } },
        options.spec ?? {},
      ),
    })
    .application({
      spec: { source: merged(base, template(rendered)) },
      status: options.status ?? {},
    })
    .deployment({ spec: { template: podTemplate(running) } })
    .replicaSet({ spec: { template: podTemplate(running) } })
    .pod({ spec: podTemplate(running).spec });
}

function commitOf(world: WorldBuilder) {
  return new Story().pass(world).preview().commit;
}

const helmParameter =
  (length: 'short' | 'seven' | 'full', before = '', after = '') =>
  (commit: Record<string, string>) => ({
    helm: {
      parameters: [
        { name: 'image.tag', value: `${before}${commit[length]}${after}` },
      ],
    },
  });

describe('the commit that a set’s expression names', () => {
  it('is not looked for in YAML that contains itself', () => {
    const template = ({ short }: { short: string }) => ({
      helm: { values: `x: &a [*a, *a, *a]\nimage: {tag: ${short}}\n` },
    });
    expect(commitOf(deployedBy({ template })).running).toBe(HEAD.slice(0, 8));
  });

  it.each<[string, Parameters<typeof deployedBy>[0], string, string]>([
    [
      'a Helm parameter of 8 characters',
      { template: helmParameter('short') },
      HEAD.slice(0, 8),
      HEAD.slice(0, 8),
    ],
    [
      'a Helm parameter of 7 characters',
      { template: helmParameter('seven') },
      HEAD.slice(0, 7),
      HEAD.slice(0, 7),
    ],
    [
      'a Helm parameter of 40 characters',
      { template: helmParameter('full') },
      HEAD,
      HEAD,
    ],
    [
      'a tag with a prefix',
      { template: helmParameter('short', 'mr-') },
      `mr-${HEAD.slice(0, 8)}`,
      HEAD.slice(0, 8),
    ],
    [
      'a tag with a suffix',
      { template: helmParameter('short', '', '-debug') },
      `${HEAD.slice(0, 8)}-debug`,
      HEAD.slice(0, 8),
    ],
    [
      'a whole image as the parameter',
      { template: helmParameter('short', `${REGISTRY}:`) },
      HEAD.slice(0, 8),
      HEAD.slice(0, 8),
    ],
    [
      'a values object',
      {
        template: ({ short }) => ({
          helm: { valuesObject: { image: { tag: short } } },
        }),
      },
      HEAD.slice(0, 8),
      HEAD.slice(0, 8),
    ],
    [
      'a values text',
      {
        template: ({ short }) => ({
          helm: { values: `replicas: 1\nimage:\n  tag: "${short}"\n` },
        }),
      },
      HEAD.slice(0, 8),
      HEAD.slice(0, 8),
    ],
    [
      'a values text of one line',
      {
        template: ({ short }) => ({
          helm: { values: `image: {tag: "${short}"}` },
        }),
      },
      HEAD.slice(0, 8),
      HEAD.slice(0, 8),
    ],
    [
      'a Kustomize image',
      {
        template: ({ short }) => ({
          kustomize: { images: [`shop=${REGISTRY}:${short}`] },
        }),
      },
      HEAD.slice(0, 8),
      HEAD.slice(0, 8),
    ],
    [
      'an environment variable of a plugin',
      {
        template: ({ full }) => ({
          plugin: { env: [{ name: 'TAG', value: full }] },
        }),
      },
      HEAD,
      HEAD,
    ],
  ])('is found in %s', (_, options, expected, wanted) => {
    expect(commitOf(deployedBy(options))).toEqual({
      head: HEAD,
      expected,
      wantedByArgo: wanted,
      running: HEAD.slice(0, 8),
      by: 'tag',
    });
  });

  it('is found in a template patch', () => {
    const world = deployedBy({
      template: () => ({}),
      spec: {
        templatePatch:
          'spec:\n  source:\n    helm:\n      parameters:\n      - name: image.tag\n        value: "{{.head_short_sha}}"\n',
      },
    }).application({
      spec: {
        source: {
          helm: {
            parameters: [{ name: 'image.tag', value: HEAD.slice(0, 8) }],
          },
        },
      },
    });
    expect(commitOf(world)).toMatchObject({
      by: 'tag',
      wantedByArgo: HEAD.slice(0, 8),
    });
  });

  it('is that of the image where the set puts the commit into a label too', () => {
    const world = deployedBy({
      template: ({ short, full }) => ({
        helm: {
          parameters: [
            { name: 'podLabels.commit', value: full },
            { name: 'image.tag', value: short },
          ],
        },
      }),
    });
    expect(commitOf(world).expected).toBe(HEAD.slice(0, 8));
  });

  it('finds the parameter by its name, wherever it stands in the Application', () => {
    const world = deployedBy({ template: helmParameter('short') }).application({
      spec: {
        source: {
          helm: {
            parameters: [
              { name: 'replicas', value: '1' },
              { name: 'image.tag', value: OLD.slice(0, 8) },
            ],
          },
        },
      },
    });
    expect(commitOf(world).wantedByArgo).toBe(OLD.slice(0, 8));
  });

  it('follows the head while the Application still asks for an older commit', () => {
    const world = deployedBy({
      template: helmParameter('short'),
      wanted: OLD,
      running: OLD,
    });
    expect(commitOf(world)).toEqual({
      head: HEAD,
      expected: HEAD.slice(0, 8),
      wantedByArgo: OLD.slice(0, 8),
      running: OLD.slice(0, 8),
      by: 'tag',
    });
  });

  it('takes 7 characters of a running tag for the 8 that are expected', () => {
    const world = deployedBy({ template: helmParameter('short') }).pod({
      spec: {
        containers: [
          { name: 'shop', image: `${REGISTRY}:${HEAD.slice(0, 7)}` },
        ],
      },
    });
    expect(new Story().pass(world).preview()).toMatchObject({
      phase: 'Live',
      commit: { running: HEAD.slice(0, 7) },
    });
  });

  it.each([HEAD.slice(0, 6), `${HEAD.slice(0, 7)}0`, 'latest', '1.15.0'])(
    'does not take the tag %s for the head',
    tag => {
      const world = deployedBy({ template: helmParameter('short') })
        .pod({
          spec: { containers: [{ name: 'shop', image: `${REGISTRY}:${tag}` }] },
        })
        .application({ status: { health: { status: 'Progressing' } } });
      expect(new Story().pass(world).preview().phase).not.toBe('Live');
    },
  );

  it('shows the commit of the project’s own image, not a sidecar’s', () => {
    const world = deployedBy({ template: helmParameter('short') }).pod({
      spec: {
        containers: [
          { name: 'proxy', image: `example.com/proxy:${OLD.slice(0, 8)}` },
          { name: 'shop', image: `${REGISTRY}/web:${HEAD.slice(0, 8)}` },
        ],
      },
    });
    expect(commitOf(world).running).toBe(HEAD.slice(0, 8));
  });

  it('goes by the image under the project’s registry where the set names no commit', () => {
    const world = deployedBy({ template: () => ({}) });
    expect(commitOf(world)).toMatchObject({
      by: 'tag',
      wantedByArgo: HEAD.slice(0, 8),
      running: HEAD.slice(0, 8),
    });
  });

  it('believes Argo CD where images are pinned by digest alone', () => {
    const image = `${REGISTRY}@sha256:${'ab'.repeat(32)}`;
    const world = deployedBy({
      template: helmParameter('short'),
      status: { summary: { images: [image] } },
    }).pod({ spec: { containers: [{ name: 'shop', image }] } });
    expect(new Story().pass(world).preview()).toMatchObject({
      phase: 'Live',
      commit: { by: 'tag', running: HEAD.slice(0, 8) },
    });
  });

  it('does not believe Argo CD’s Healthy where it lists the image of another commit', () => {
    const world = deployedBy({
      template: helmParameter('short'),
      status: { summary: { images: [`${REGISTRY}:${OLD.slice(0, 8)}`] } },
    }).kindReading('pods', { state: 'forbidden' });
    expect(new Story().pass(world).preview().phase).toBe('Deploying');
  });

  it('believes Argo CD where pods may not be read', () => {
    const world = deployedBy({ template: helmParameter('short') }).kindReading(
      'pods',
      {
        state: 'forbidden',
      },
    );
    expect(new Story().pass(world).preview().phase).toBe('Live');
  });

  it('is unknown where nothing names it, which does not keep a preview from being live', () => {
    const world = WorldBuilder.live()
      .applicationSet({
        spec: { template: { spec: { source: { helm: null } } } },
      })
      .application({
        spec: { source: { helm: null } },
        status: { summary: null },
      })
      .pod({
        spec: {
          containers: [{ name: 'shop', image: 'example.com/shop:latest' }],
        },
      });
    expect(new Story().pass(world).preview()).toMatchObject({
      phase: 'Live',
      commit: { head: HEAD, by: 'none' },
    });
  });

  it('is told by the Application that is behind where there are several', () => {
    const world = deployedBy({ template: helmParameter('short') })
      .cluster({ cluster: 'blue' })
      .applicationSet({ metadata: { uid: 'set-blue' } }, 'blue')
      .application(
        {
          metadata: {
            uid: 'app-blue',
            ownerReferences: [
              {
                kind: 'ApplicationSet',
                name: 'shop-previews',
                uid: 'set-blue',
                controller: true,
              },
            ],
          },
          spec: { source: helmParameter('short')({ short: OLD.slice(0, 8) }) },
        },
        'blue',
      )
      .deployment({ spec: { template: podTemplate(OLD) } }, 'blue')
      .replicaSet({ spec: { template: podTemplate(OLD) } }, 'blue')
      .pod({ spec: podTemplate(OLD).spec }, 'blue');
    expect(new Story().pass(world).preview()).toMatchObject({
      phase: 'Updating',
      commit: { running: OLD.slice(0, 8) },
    });
  });
});

describe('the commit of a deployment by revision', () => {
  const byRevision = (
    targetRevision: (commit: Record<string, string>) => string,
    revision: string | undefined = HEAD,
    options: { wanted?: string; status?: Json } = {},
  ) =>
    deployedBy({
      template: commit => ({
        repoURL: SHOP,
        targetRevision: targetRevision(commit),
      }),
      wanted: options.wanted,
      status: merged(
        { sync: { status: 'Synced', revision }, summary: null },
        options.status ?? {},
      ),
    }).pod({
      spec: { containers: [{ name: 'shop', image: 'example.com/shop:1' }] },
    });

  it.each<[string, WorldBuilder, Json]>([
    [
      'the head itself',
      byRevision(({ full }) => full),
      { by: 'revision', expected: HEAD, wantedByArgo: HEAD, running: HEAD },
    ],
    [
      'the short head',
      byRevision(({ short }) => short),
      {
        by: 'revision',
        expected: HEAD.slice(0, 8),
        wantedByArgo: HEAD.slice(0, 8),
        running: HEAD,
      },
    ],
    [
      'the branch',
      byRevision(({ branch }) => branch),
      { by: 'revision', expected: HEAD, wantedByArgo: HEAD, running: HEAD },
    ],
    [
      'the MR’s own ref',
      byRevision(() => 'refs/merge-requests/7/head'),
      { by: 'revision', running: HEAD },
    ],
    [
      'an older head',
      byRevision(({ full }) => full, OLD, { wanted: OLD }),
      { by: 'revision', expected: HEAD, wantedByArgo: OLD, running: OLD },
    ],
    [
      'the new head before Argo CD has compared it',
      byRevision(({ full }) => full, OLD),
      { by: 'revision', wantedByArgo: HEAD, running: OLD },
    ],
    [
      'a head that is compared and not yet applied',
      byRevision(({ branch }) => branch, HEAD, {
        status: {
          sync: { status: 'OutOfSync' },
          history: [{ id: 1, revision: OLD }],
        },
      }),
      { by: 'revision', wantedByArgo: HEAD, running: OLD },
    ],
    [
      'another branch of the project, which is no commit of the MR',
      byRevision(() => 'main', NEXT),
      { by: 'none' },
    ],
    [
      'the default branch, which is no commit of the MR',
      byRevision(() => 'HEAD', NEXT),
      { by: 'none' },
    ],
  ])('follows %s', (_, world, commit) => {
    expect(commitOf(world)).toMatchObject(commit);
  });

  it('stays one where the set writes the commit into a label too', () => {
    const world = deployedBy({
      template: commit => ({
        repoURL: SHOP,
        targetRevision: commit.full,
        helm: {
          parameters: [{ name: 'podLabels.version', value: commit.short }],
        },
      }),
      status: merged(
        { sync: { status: 'Synced', revision: HEAD }, summary: null },
        {},
      ),
    }).pod({
      spec: { containers: [{ name: 'shop', image: 'example.com/shop:1' }] },
    });
    expect(commitOf(world)).toMatchObject({
      by: 'revision',
      wantedByArgo: HEAD,
      running: HEAD,
    });
  });

  it('is live once Argo CD applied the head and the workloads serve', () => {
    expect(
      new Story().pass(byRevision(({ full }) => full)).preview().phase,
    ).toBe('Live');
  });

  it('is updating while it serves the revision before', () => {
    const story = new Story().pass(
      byRevision(({ full }) => full, OLD, { wanted: OLD }),
    );
    expect(story.preview().phase).toBe('Updating');
    expect(story.verdict('Synced')).toBe('False OldCommit');
  });

  const multiSource = (revisions: string[], targets: [string, string]) =>
    WorldBuilder.live()
      .applicationSet({
        spec: { template: { spec: { source: { helm: null } } } },
      })
      .application({
        spec: {
          source: null,
          sources: [
            {
              repoURL: 'https://charts.example.com',
              chart: 'shop',
              targetRevision: targets[0],
            },
            {
              repoURL: `git@${HOST}:group/shop.git`,
              path: 'deploy',
              targetRevision: targets[1],
            },
          ],
        },
        status: {
          sync: { status: 'Synced', revision: null, revisions },
          summary: null,
        },
      })
      .pod({
        spec: { containers: [{ name: 'shop', image: 'example.com/shop:1' }] },
      });

  it('is that of the source whose repository is the project, among several', () => {
    expect(
      commitOf(multiSource(['1.15.0', HEAD], ['1.15.0', 'feature/basket'])),
    ).toMatchObject({
      by: 'revision',
      wantedByArgo: HEAD,
      running: HEAD,
    });
  });

  it('is never the version of a chart', () => {
    const found = commitOf(
      multiSource(['1.15.0', '1.15.0'], ['1.15.0', 'main']),
    );
    expect(found).toEqual({ head: HEAD, by: 'none' });
  });

  it('is unknown as long as nothing is resolved', () => {
    expect(commitOf(multiSource([], ['1.15.0', 'feature/basket']))).toEqual({
      head: HEAD,
      by: 'none',
    });
  });
});

describe('namesCommit', () => {
  it.each([
    [HEAD, HEAD, true],
    [HEAD.slice(0, 8), HEAD, true],
    [HEAD.slice(0, 7), HEAD, true],
    [HEAD.slice(0, 6), HEAD, false],
    [HEAD.slice(0, 8).toUpperCase(), HEAD, true],
    [OLD.slice(0, 8), HEAD, false],
    [`${HEAD}0`, HEAD, false],
    [undefined, HEAD, false],
    [HEAD, undefined, false],
    ['', HEAD, false],
  ])('%j names %j: %s', (abbreviated, full, expected) => {
    expect(namesCommit(abbreviated, full)).toBe(expected);
  });
});

describe('splitImage', () => {
  it.each([
    ['shop', 'shop', undefined],
    ['shop:1', 'shop', '1'],
    [
      'registry.example.com:5000/shop',
      'registry.example.com:5000/shop',
      undefined,
    ],
    ['registry.example.com:5000/shop:1', 'registry.example.com:5000/shop', '1'],
    ['shop:1@sha256:ab', 'shop', '1'],
    ['shop@sha256:ab', 'shop', undefined],
    ['', '', undefined],
  ])('%j is the repository %j with the tag %j', (image, repository, tag) => {
    expect(splitImage(image)).toEqual(
      tag ? { repository, tag } : { repository },
    );
  });
});

describe('isRepositoryOf', () => {
  const project = {
    id: 42,
    path: 'group/shop',
    webUrl: `https://${HOST}/group/shop`,
    httpUrl: SHOP,
    sshUrl: `git@${HOST}:group/shop.git`,
  };

  it.each([
    [SHOP, true],
    [SHOP.replace('.git', ''), true],
    [`${SHOP.replace('.git', '')}/`, true],
    [`https://oauth2@${HOST}/group/shop.git`, true],
    [`git@${HOST}:group/shop.git`, true],
    [`ssh://git@${HOST}/group/shop.git`, true],
    [SHOP.toUpperCase(), true],
    [`https://${HOST}/group/shop-api.git`, false],
    ['https://gitlab.com/group/shop.git', false],
    [undefined, false],
  ])('%j is the project’s: %s', (url, expected) => {
    expect(isRepositoryOf(url, project)).toBe(expected);
  });
});
