import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { TierState } from '@previews/backstage-plugin-previews-common';
import { findViolations } from '../../testing/__testUtils__/findViolations';
import { renderFace } from '../../testing/__testUtils__/renderFace';
import { createTiers, fixtureNow } from '../../testing/fixtures';
import { FixturePreviewsApi } from '../../testing/FixturePreviewsApi';
import { PreviewsCard } from '../PreviewsCard/PreviewsCard';
import { PreviewsTab } from '../PreviewsTab/PreviewsTab';
import { TierStrip } from './TierStrip';

const tab = <PreviewsTab entityRef="component:default/shop" />;
const ago = (minutes: number) =>
  new Date(fixtureNow - minutes * 60_000).toISOString();

function apiWith(tiers: TierState[] | undefined): FixturePreviewsApi {
  const api = new FixturePreviewsApi();
  api.summary = { tiers };
  return api;
}

async function renderStrip(
  change: (tiers: [dev: TierState, prod: TierState]) => void = () => {},
  options: { withScaffolder?: boolean } = {},
) {
  const tiers = createTiers() as [TierState, TierState];
  change(tiers);
  await renderFace(<TierStrip tiers={tiers} previews={9} />, options);
}

const strip = () => screen.findByRole('list', { name: 'Environments' });
const answersOf = (link: HTMLElement) =>
  JSON.parse(
    new URL(link.getAttribute('href') ?? '', 'https://portal').searchParams.get(
      'formData',
    ) ?? '',
  );

async function details(tier: string) {
  await userEvent.click(
    await screen.findByRole('button', {
      name: `Who released to ${tier}, and when`,
    }),
  );
  return screen.findByRole('dialog', { name: tier });
}

describe('the strip of tiers', () => {
  it('shows the way of a release at a glance', async () => {
    await renderStrip();
    const items = within(await strip()).getAllByRole('listitem');
    expect(items.map(item => item.textContent)).toEqual([
      'previews: 9 live',
      'devmain @ 9f8e7d615 min agolevel with main',
      'prodshop-v1.42.03 d ago12 commits behind dev',
    ]);
  });

  it('is in the tab, with the number of live previews', async () => {
    await renderFace(tab, { api: apiWith(createTiers()) });
    expect(await strip()).toHaveTextContent(/^previews: 2 live/);
  });

  it.each([
    ['a backend that knows of none', undefined],
    ['an entity without any', []],
  ])('is absent for %s', async (_, tiers) => {
    await renderFace(tab, { api: apiWith(tiers) });
    await screen.findByText('Faster checkout');
    expect(
      screen.queryByRole('list', { name: 'Environments' }),
    ).not.toBeInTheDocument();
  });

  it('leads to the commit, the comparison and the environment', async () => {
    await renderStrip();
    await strip();
    expect(
      screen.getByRole('link', {
        name: 'main @ 9f8e7d61 of dev, its commit in GitLab',
      }),
    ).toHaveAttribute(
      'href',
      expect.stringMatching(/\/-\/commit\/9f8e7d61b2c3/),
    );
    expect(
      screen.getByRole('link', {
        name: 'prod is 12 commits behind dev: compare them in GitLab',
      }),
    ).toHaveAttribute('href', expect.stringContaining('/-/compare/'));
    expect(screen.getByRole('link', { name: 'Open dev' })).toHaveAttribute(
      'href',
      'https://shop.dev.example.com/',
    );
  });

  it('does not lead to the commit of an older release', async () => {
    await renderStrip(([dev]) => {
      dev.revision = '0'.repeat(40);
    });
    expect(await strip()).toHaveTextContent('main @ 00000000');
    expect(
      screen.queryByRole('link', { name: /^main @/ }),
    ).not.toBeInTheDocument();
  });

  it.each([
    ['a branch', { targetRevision: 'main' }, 'main @ 9f8e7d61'],
    ['a commit', { targetRevision: '9f8e7d61b2c3d4e5' }, '9f8e7d61'],
    ['no revision yet', { revision: undefined }, 'main'],
    ['no target', { targetRevision: undefined }, '9f8e7d61'],
    [
      'a pinned image',
      {
        image: 'prod-1a2b3c4d@sha256:00ff',
        pin: {
          line: 'newTag',
          repository: 'a/b',
          host: 'gitlab.example.com',
        } as const,
      },
      'prod-1a2b3c4d',
    ],
    [
      'nothing that is known',
      { targetRevision: undefined, revision: undefined, image: undefined },
      'commit unknown',
    ],
  ])('names what runs by %s', async (_, part, name) => {
    await renderStrip(([dev]) => Object.assign(dev, part));
    const [, dev] = within(await strip()).getAllByRole('listitem');
    expect(dev.textContent).toBe(`dev${name}5 min agolevel with main`);
  });

  it.each([
    [{ from: 'dev', behind: 1 }, '1 commit behind dev'],
    [
      { from: 'dev', behind: 1000, atLeast: true },
      'at least 1000 commits behind dev',
    ],
    [{ from: 'dev', behind: 0 }, 'level with dev'],
  ])('tells the distance %j as "%s"', async (distance, text) => {
    await renderStrip(([, prod]) => {
      prod.distance = distance;
    });
    expect(await strip()).toHaveTextContent(text);
  });

  it('tells no distance and no release where they are not known', async () => {
    await renderStrip(([, prod]) => {
      delete prod.distance;
      delete prod.release;
    });
    const items = within(await strip()).getAllByRole('listitem');
    expect(items[2].textContent).toBe('prodshop-v1.42.0');
    expect(await details('prod')).toHaveTextContent('Deployednothing yet');
  });

  it("says what is wrong in Argo CD's words, and nothing where all is well", async () => {
    await renderStrip(([dev, prod]) => {
      prod.health = 'Degraded';
      prod.sync = 'OutOfSync';
      dev.health = 'Unknown';
      dev.sync = 'Unknown';
    });
    const [, dev, prod] = within(await strip()).getAllByRole('listitem');
    expect(within(prod).getByText('Degraded')).toBeVisible();
    expect(within(prod).getByText('OutOfSync')).toBeVisible();
    expect(within(dev).getAllByText('Unknown')).toHaveLength(1);
  });

  it('names the repository that its branch is of', async () => {
    await renderStrip();
    const items = within(await strip());
    expect(items.getByText('main @ 9f8e7d61')).toHaveAttribute(
      'title',
      expect.stringMatching(/ · group\/gitops$/),
    );
    expect(items.getByText('level with main')).toHaveAttribute(
      'title',
      'group/gitops',
    );
    expect(await details('dev')).toHaveTextContent(
      'Git repositorygroup/gitops',
    );
  });

  it('names no repository where it is not known', async () => {
    await renderStrip(([, prod]) => {
      delete prod.repository;
      delete prod.distance?.project;
    });
    expect(
      within(await strip()).getByText('12 commits behind dev'),
    ).not.toHaveAttribute('title');
    expect(await details('prod')).not.toHaveTextContent('Git repository');
  });

  it('leads to that repository', async () => {
    await renderStrip();
    expect(
      within(await details('dev')).getByRole('link', { name: 'group/gitops' }),
    ).toHaveAttribute('href', 'https://gitlab.example.com/group/gitops');
  });

  it('names the repository of a comparison, which may be the service’s own', async () => {
    await renderStrip(([, prod]) => {
      Object.assign(prod.distance!, { project: 'group/shop' });
    });
    expect(
      within(await strip()).getByText('12 commits behind dev'),
    ).toHaveAttribute('title', 'group/shop');
    expect(await details('prod')).toHaveTextContent(
      'Git repositorygroup/gitops',
    );
  });

  it.each(['ftp://evil.example/', 'https://someone@evil.example/'])(
    'does not lead to a repository at %s',
    async webUrl => {
      await renderStrip(([dev]) => Object.assign(dev.repository!, { webUrl }));
      const panel = within(await details('dev'));
      expect(panel.getByText('group/gitops')).toBeVisible();
      expect(
        panel.queryByRole('link', { name: 'group/gitops' }),
      ).not.toBeInTheDocument();
    },
  );

  it('says from which source what it shows is the last known state', async () => {
    await renderStrip(([dev]) => {
      dev.stale = ['gitlab:gitlab.example.com'];
    });
    await strip();
    expect(
      screen.getByTitle('Last known state, from GitLab gitlab.example.com'),
    ).toHaveTextContent('dev');
  });

  it('tells who released what, and when', async () => {
    await renderStrip();
    const dialog = await details('dev');
    expect(dialog).toHaveTextContent(/Deployed5 min ago .*by Argo CD itself/);
    expect(dialog).toHaveTextContent('Deploy shop 1a2b3c4d to dev · by dev1');
    expect(dialog).toHaveTextContent(
      '!31 Faster checkout in dev · by dev1, merged by reviewer1',
    );
    expect(
      within(dialog).getByRole('link', { name: 'argocd/shop-dev' }),
    ).toHaveAttribute(
      'href',
      'https://argocd.example.com/applications/argocd/shop-dev',
    );
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(dialog).not.toBeInTheDocument());
    expect(
      screen.getByRole('button', { name: 'Who released to dev, and when' }),
    ).toHaveFocus();
    expect(await details('prod')).toHaveTextContent(
      /Deployed3 d ago .*by reviewer1/,
    );
  });

  it('tells no time of what Argo CD had nothing to deploy for', async () => {
    await renderStrip(([, prod]) => {
      prod.release = { ...prod.release!, deployedAt: undefined };
    });
    const [, , item] = within(await strip()).getAllByRole('listitem');
    expect(item).toHaveTextContent('prodshop-v1.42.012 commits behind dev');
    expect(await details('prod')).toHaveTextContent(
      'DeployedNothing to deploy, nothing changed by it',
    );
  });

  it('leads to a release and to a revert, filled in', async () => {
    await renderStrip(() => {}, { withScaffolder: true });
    const promote = await screen.findByRole('button', {
      name: 'Promote a release to prod',
    });
    expect(promote).toHaveAttribute(
      'href',
      expect.stringMatching(/^\/create\/templates\/default\/promote-release\?/),
    );
    expect(answersOf(promote)).toEqual({
      entity: 'component:default/shop',
      service: 'shop',
      line: 'targetRevision',
      path: 'argocd/shop/application-prod.yaml',
      gitopsRepository: 'gitlab.example.com?owner=group%2Fplatform&repo=gitops',
      gitopsBranch: 'main',
    });
    const revert = within(await details('prod')).getByRole('link', {
      name: 'Revert prod to shop-v1.41.0',
    });
    expect(answersOf(revert)).toMatchObject({ value: 'shop-v1.41.0' });
  });

  it('has the button at the last tier that a release changes, and a link at those before', async () => {
    await renderStrip(
      ([dev, prod]) => {
        dev.pin = prod.pin;
      },
      { withScaffolder: true },
    );
    await strip();
    expect(screen.getAllByText('Promote')).toHaveLength(1);
    expect(
      within(await details('dev')).getByRole('link', {
        name: 'Promote a release to dev',
      }),
    ).toBeVisible();
  });

  it('offers no form in a portal without a scaffolder', async () => {
    await renderStrip();
    await strip();
    expect(screen.queryByText('Promote')).not.toBeInTheDocument();
    const dialog = await details('prod');
    expect(dialog).toHaveTextContent('Beforeshop-v1.41.0');
    expect(within(dialog).queryByText(/Revert/)).not.toBeInTheDocument();
  });

  it('has nothing that axe objects to', async () => {
    await renderFace(tab, {
      api: apiWith(
        createTiers().map(tier => ({ ...tier, health: 'Degraded' })),
      ),
      withScaffolder: true,
    });
    await strip();
    expect(await findViolations(document.body)).toEqual([]);
    expect(await findViolations(await details('prod'))).toEqual([]);
  }, 30_000);
});

describe('what is not as Git has it', () => {
  const lines = () => screen.findByRole('list', { name: 'Not as Git has it' });

  it('is told with the tool, the time and the fields, and that it was put back', async () => {
    await renderStrip();
    expect(await lines()).toHaveTextContent(
      'prod: Deployment api was changed by hand with kubectl-edit 20 min ago (spec.replicas); it was put back 19 min ago.',
    );
  });

  it('is told first where it is not put back', async () => {
    await renderStrip(([dev, prod]) => {
      dev.drift = prod.drift;
      prod.drift = [
        {
          group: '',
          kind: 'Service',
          name: 'api',
          status: 'OutOfSync',
          changes: [{ manager: 'k9s', at: ago(3), fields: [] }],
        },
      ];
    });
    const [first, second] = within(await lines()).getAllByRole('listitem');
    expect(first).toHaveTextContent(
      'prod: Service api was changed by hand with k9s 3 min ago; it is not put back.',
    );
    expect(second).toHaveTextContent(/^dev: .*put back 19 min ago/);
  });

  it('is told where nobody was seen to change it', async () => {
    await renderStrip(([, prod]) => {
      prod.drift = [
        { group: '', kind: 'ConfigMap', name: 'env', status: 'OutOfSync' },
        { group: '', kind: 'Secret', name: 'old', status: 'Synced' },
      ];
    });
    const items = within(await lines()).getAllByRole('listitem');
    expect(items.map(item => item.textContent)).toEqual([
      'prod: ConfigMap env is not as Git has it (OutOfSync).',
    ]);
  });

  it('is told for a day after it was put back, later in the details only', async () => {
    await renderStrip(([, prod]) => {
      prod.drift[0].changes![0].restoredAt = ago(24 * 60 + 1);
    });
    await strip();
    expect(
      screen.queryByRole('list', { name: 'Not as Git has it' }),
    ).not.toBeInTheDocument();
    expect(await details('prod')).toHaveTextContent(
      /Not as Git has itDeployment api was changed by hand/,
    );
  });

  it('does not push the rows away: the rest of many opens', async () => {
    await renderStrip(([, prod]) => {
      prod.drift = Array.from({ length: 9 }, (_, index) => ({
        group: '',
        kind: 'ConfigMap',
        name: `env-${index}`,
        status: 'OutOfSync' as const,
      }));
    });
    const list = await lines();
    expect(within(list).getAllByRole('listitem')).toHaveLength(4);
    await userEvent.click(within(list).getByRole('button', { name: '6 more' }));
    expect(within(list).getAllByRole('listitem')).toHaveLength(9);
  });
});

it('keeps hostile names of tiers, commits and tools inert', async () => {
  const markup = '<img src=x onerror="window.hacked=true">{{t}}$t(phase.Live)';
  // eslint-disable-next-line no-script-url -- a hostile address
  const script = 'javascript:window.hacked=true';
  await renderStrip(
    ([, prod]) => {
      Object.assign(prod, {
        tier: markup,
        targetRevision: markup,
        revision: markup,
        previousRevision: markup,
        health: markup,
        image: markup,
        urls: [{ url: script, host: markup, clickable: true }],
        distance: { from: markup, behind: 3, webUrl: script },
        stale: [markup],
        application: { ...prod.application, name: markup, webUrl: script },
        release: {
          deployedAt: markup,
          initiatedBy: markup,
          automated: false,
          commit: {
            sha: markup,
            title: markup,
            author: markup,
            committedAt: markup,
            webUrl: script,
            mergeRequest: {
              iid: 1,
              title: markup,
              author: markup,
              mergedBy: markup,
              webUrl: script,
            },
          },
        },
        drift: [
          {
            group: markup,
            kind: markup,
            name: markup,
            status: 'OutOfSync',
            changes: [{ manager: markup, at: markup, fields: [markup] }],
          },
        ],
      });
    },
    { withScaffolder: true },
  );
  const items = within(await strip()).getAllByRole('listitem');
  expect(items[2]).toHaveTextContent(markup);
  await details(markup);
  expect(document.querySelectorAll('img')).toHaveLength(0);
  const addresses = [...document.querySelectorAll('a')].map(
    ({ protocol }) => protocol,
  );
  expect(new Set(addresses)).toEqual(new Set(['http:', 'https:']));
  expect((window as { hacked?: boolean }).hacked).toBeUndefined();
});

describe('the card', () => {
  const card = (
    <PreviewsCard
      entityRef="component:default/shop"
      tab="/previews"
      onOpenTab={() => {}}
    />
  );

  it('names what runs in each tier in one line', async () => {
    await renderFace(card, { api: apiWith(createTiers()) });
    const items = within(await strip()).getAllByRole('listitem');
    expect(items.map(item => item.textContent)).toEqual([
      'devmain @ 9f8e7d61',
      'prodshop-v1.42.0· 12 commits behind dev',
    ]);
  });

  it('has no such line where there is no tier', async () => {
    await renderFace(card, { api: apiWith(undefined) });
    await screen.findByText('2 live');
    expect(
      screen.queryByRole('list', { name: 'Environments' }),
    ).not.toBeInTheDocument();
  });
});
