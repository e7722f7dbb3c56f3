import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Finding } from '@previews/backstage-plugin-previews-common';
import { createResponseError } from '../../testing/__testUtils__/responseError';
import {
  createAlarm,
  createHostilePreview,
  createPreviews,
  createStaleSources,
  fixtureNow,
} from '../../testing/fixtures';
import { FixturePreviewsApi } from '../../testing/FixturePreviewsApi';
import {
  ManualSignals,
  renderFace,
} from '../../testing/__testUtils__/renderFace';
import { PreviewsTab } from '../PreviewsTab/PreviewsTab';
import { PreviewDrawer } from './PreviewDrawer';

const tab = <PreviewsTab entityRef="component:default/shop" />;

async function openDrawer(id: string, api = new FixturePreviewsApi()) {
  const onClose = jest.fn();
  await renderFace(<PreviewDrawer id={id} onClose={onClose} />, { api });
  const drawer = await screen.findByRole('dialog');
  await within(drawer).findByRole('heading', { level: 2 });
  return { drawer, onClose, api };
}

function step(drawer: HTMLElement, name: RegExp): HTMLElement {
  return within(
    within(drawer).getByRole('list', { name: 'Steps of the preview' }),
  ).getByRole('button', { name });
}

describe('opening and closing the drawer', () => {
  it('opens from a row with Enter, closes with Escape and gives the focus back', async () => {
    await renderFace(tab);
    const row = (await screen.findByText('Faster checkout')).closest('tr')!;
    act(() => row.focus());
    await userEvent.keyboard('{Enter}');
    expect(
      await screen.findByRole('dialog', { name: '!117 Faster checkout' }),
    ).toBeInTheDocument();
    expect(screen.getByTestId('address')).toHaveTextContent('preview=p-42-117');
    await userEvent.keyboard('{Escape}');
    await waitFor(() =>
      expect(screen.queryByRole('dialog')).not.toBeInTheDocument(),
    );
    expect(screen.getByTestId('address')).toBeEmptyDOMElement();
    expect(row).toHaveFocus();
  });

  it('opens from a link that was sent', async () => {
    await renderFace(tab, { search: '?preview=p-42-119' });
    expect(
      await screen.findByRole('dialog', {
        name: '!119 Upgrade Postgres client',
      }),
    ).toBeInTheDocument();
  });

  it('names a draft as its row does, and says beside the name that it is one', async () => {
    const { drawer } = await openDrawer('p-42-123');
    expect(
      within(drawer).getByRole('heading', { name: '!123 New header' }),
    ).toBeVisible();
    expect(within(drawer).getByText('Draft')).toBeVisible();
    expect(
      within(drawer).getByRole('link', {
        name: 'Merge request !123 New header in GitLab',
      }),
    ).toBeVisible();
  });

  it('opens by "Why?" where there is nothing to open', async () => {
    await renderFace(tab);
    await userEvent.click(
      await screen.findByRole('button', {
        name: 'Why !119 Upgrade Postgres client has no preview to open',
      }),
    );
    expect(
      await screen.findByRole('dialog', {
        name: '!119 Upgrade Postgres client',
      }),
    ).toBeInTheDocument();
  });

  it('says that a preview is hidden or not there', async () => {
    const api = new FixturePreviewsApi();
    api.failure = await createResponseError(404);
    await renderFace(<PreviewDrawer id="p-1-1" onClose={() => {}} />, { api });
    expect(
      await screen.findByText('This preview is not there'),
    ).toBeInTheDocument();
  });
});

describe('the findings of a preview', () => {
  it('stand above its steps, each with its sentence and since when', async () => {
    const api = new FixturePreviewsApi();
    const collision: Finding = {
      id: 'name-collision-1',
      type: 'NameCollision',
      severity: 'warning',
      subject: { kind: 'Application', name: 'preview-mr-117' },
      params: { application: 'preview-mr-117', count: 2 },
      message: 'English.',
      since: new Date(fixtureNow - 600_000).toISOString(),
      previewIds: ['p-42-117'],
      evidence: [],
    };
    api.findings = [createAlarm(api.previews), collision];
    const { drawer } = await openDrawer('p-42-117', api);
    const items = within(
      within(drawer).getByRole('list', { name: 'Findings' }),
    ).getAllByRole('listitem');
    expect(items.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/lost 6 of 9 Applications.*Found 2 h ago\.$/),
      expect.stringMatching(
        /^The Application name preview-mr-117 comes from 2 merge requests.*Found 10 min ago\.$/,
      ),
    ]);
  });

  it('of a newer backend are told in its own words', async () => {
    const api = new FixturePreviewsApi();
    api.findings = [
      {
        ...createAlarm(api.previews),
        type: 'FromTheFuture' as never,
        message: 'Something new.',
      },
    ];
    const { drawer } = await openDrawer('p-42-117', api);
    expect(within(drawer).getByText(/^Something new\./)).toBeVisible();
  });

  it('take no room where there are none', async () => {
    const { drawer } = await openDrawer('p-42-117');
    expect(
      within(drawer).queryByRole('list', { name: 'Findings' }),
    ).not.toBeInTheDocument();
  });
});

describe('the drawer of a live preview', () => {
  it('says since when and on which commit, and leads out', async () => {
    const { drawer } = await openDrawer('p-42-117');
    expect(within(drawer).getByText('Live')).toBeInTheDocument();
    expect(within(drawer).getByText('for 1 h on 1a2b3c4d')).toBeInTheDocument();
    expect(
      within(drawer).getByRole('link', {
        name: 'Open preview of !117 Faster checkout',
      }),
    ).toHaveAttribute('href', 'https://mr-117.preview.example.com/');
    expect(
      within(drawer).getByRole('link', {
        name: 'Merge request !117 Faster checkout in GitLab',
      }),
    ).toHaveAttribute(
      'href',
      'https://gitlab.example.com/group/shop/-/merge_requests/117',
    );
    expect(
      within(drawer).getByRole('link', {
        name: 'Application preview-mr-117 in Argo CD',
      }),
    ).toHaveAttribute(
      'href',
      'https://argocd.example.com/applications/argocd/preview-mr-117',
    );
  });

  it('shows every step as done with the time it took, and opens none', async () => {
    const { drawer } = await openDrawer('p-42-117');
    expect(step(drawer, /^Image, done/)).toHaveTextContent('0:45');
    expect(step(drawer, /^Route, done/)).toBeInTheDocument();
    expect(
      within(drawer).queryByRole('button', { expanded: true }),
    ).not.toBeInTheDocument();
  });

  it.each([
    [
      `${'a'.repeat(67)}.preview.example.com`,
      'Not a link, because a part of the host has 67 characters, and DNS takes at most 63',
    ],
    [
      'elsewhere.example.net',
      'Not a link, because the host belongs neither to a route of this preview nor to an allowed domain',
    ],
  ])('shows %s as text, and why it is no link', async (host, note) => {
    const preview = createPreviews().find(({ id }) => id === 'p-42-117')!;
    preview.urls = [{ url: `https://${host}`, host, clickable: false }];
    const api = new FixturePreviewsApi({ previews: [preview] });
    const { drawer } = await openDrawer('p-42-117', api);
    const addresses = within(drawer).getByRole('list', { name: 'Addresses' });
    expect(addresses).toHaveTextContent(`https://${host}`);
    expect(addresses).toHaveTextContent(`${note}.`);
    expect(within(addresses).queryByRole('link')).not.toBeInTheDocument();
  });

  it('shows conditions of modules below the others, by their title and as text', async () => {
    const preview = createPreviews().find(({ id }) => id === 'p-42-117')!;
    const since = preview.phaseSince;
    preview.furtherConditions = [
      {
        type: 'QualityGate',
        title: { en: 'Quality gate' },
        status: 'False',
        reason: 'Failed',
        effect: 'warning',
        blocksLive: false,
        params: {},
        message: 'of an older sentence',
        sentences: { en: '<b>3</b> checks failed.' },
        since,
        observedAt: since,
      },
    ];
    const { drawer } = await openDrawer(
      preview.id,
      new FixturePreviewsApi({ previews: [preview] }),
    );
    await userEvent.click(
      within(drawer).getByRole('button', { name: /^Conditions/ }),
    );
    const rows = within(
      await within(drawer).findByRole('table', { name: 'Conditions' }),
    ).getAllByRole('row');
    expect(rows).toHaveLength(10);
    expect(within(rows[9]).getByText('Quality gate')).toBeInTheDocument();
    expect(rows[9]).toHaveTextContent('<b>3</b> checks failed.');
  });

  it('shows conditions, certificate, resources and timeline on demand', async () => {
    const { drawer } = await openDrawer('p-42-117');
    await userEvent.click(
      within(drawer).getByRole('button', { name: /^Conditions/ }),
    );
    const conditions = await within(drawer).findByRole('table', {
      name: 'Conditions',
    });
    expect(within(conditions).getAllByRole('row')).toHaveLength(9);
    await userEvent.click(
      within(drawer).getByRole('button', { name: /^Certificate mr-117/ }),
    );
    expect(
      await within(drawer).findByText(/Let's Encrypt R12 · expires .* renews/),
    ).toBeInTheDocument();
    await userEvent.click(
      within(drawer).getByRole('button', { name: /^Resources/ }),
    );
    const workloads = await within(drawer).findByRole('list', {
      name: 'Workloads',
    });
    expect(within(workloads).getByText('1 of 1 ready')).toBeInTheDocument();
    await userEvent.click(
      within(drawer).getByRole('button', { name: /^Timeline/ }),
    );
    const timeline = await within(drawer).findByRole('list', {
      name: 'Timeline',
    });
    const entries = within(timeline).getAllByRole('listitem');
    expect(entries[0]).toHaveTextContent(/accepted by gateway\/edge/);
    expect(entries.at(-1)).toHaveTextContent('First seen as Waiting');
  });
});

describe('the drawer of a preview that is on its way or stuck', () => {
  it('opens the first blocked step by itself', async () => {
    const { drawer } = await openDrawer('p-42-119');
    const blocked = step(drawer, /^Available, blocked/);
    expect(blocked).toHaveAttribute('aria-expanded', 'true');
    const detail = document.getElementById(
      blocked.getAttribute('aria-controls')!,
    );
    expect(detail).toHaveTextContent(/api/);
  });

  it('shows the elapsed and the usual time of the step that runs, and what is still to come', async () => {
    const { drawer } = await openDrawer('p-42-123');
    expect(step(drawer, /^Image, running/)).toHaveTextContent(
      /\d:\d\d of about 2:30/,
    );
    await userEvent.click(step(drawer, /^Synced, not yet/));
    expect(
      within(drawer).getByText('This step comes after the ones before it.'),
    ).toBeInTheDocument();
  });

  it('has no steps where no set takes the merge request, and says why', async () => {
    const { drawer } = await openDrawer('p-42-120');
    expect(
      within(drawer).queryByRole('list', { name: 'Steps of the preview' }),
    ).not.toBeInTheDocument();
    const reason = within(drawer).getByText(/labelled “preview”/);
    expect(reason).toBeInTheDocument();
    // Apart from the line of the section that follows at once.
    expect(reason.closest('p')).toHaveStyle({ marginBottom: '16px' });
  });

  it('tells the reason once', async () => {
    const { drawer } = await openDrawer('p-42-119');
    expect(within(drawer).getAllByText(/keeps crashing/)).toHaveLength(1);
  });

  it('shows what is known of an unknown step', async () => {
    const { drawer } = await openDrawer('p-42-97');
    await userEvent.click(step(drawer, /^Available, unknown/));
    expect(
      within(drawer).getAllByText(/https:\/\/10\.0\.0\.9/).length,
    ).toBeGreaterThan(0);
  });

  it('keeps the timeline of a preview that is gone, and opens it', async () => {
    const { drawer } = await openDrawer('p-42-101');
    expect(within(drawer).getByText('Gone')).toBeInTheDocument();
    expect(
      await within(drawer).findByRole('list', { name: 'Timeline' }),
    ).toBeInTheDocument();
    expect(
      within(drawer).queryByRole('link', { name: /^Open preview/ }),
    ).not.toBeInTheDocument();
  });

  it('shows the older part of a long timeline on demand', async () => {
    const api = new FixturePreviewsApi();
    const getTimeline = api.getTimeline.bind(api);
    api.getTimeline = (id, request) =>
      getTimeline(id, { ...request, limit: 2 });
    const { drawer } = await openDrawer('p-42-101', api);
    const timeline = await within(drawer).findByRole('list', {
      name: 'Timeline',
    });
    expect(within(timeline).getAllByRole('listitem')).toHaveLength(2);
    await userEvent.click(
      within(drawer).getByRole('button', { name: 'Show more' }),
    );
    await waitFor(() =>
      expect(within(timeline).getAllByRole('listitem')).toHaveLength(3),
    );
    expect(
      within(drawer).queryByRole('button', { name: 'Show more' }),
    ).not.toBeInTheDocument();
  });
});

describe('the timeline', () => {
  it('is read again for what moves no row, and not while a source is away', async () => {
    const signals = new ManualSignals();
    const api = new FixturePreviewsApi();
    api.channel = 'previews:hidden-name';
    api.previews = api.previews.filter(({ id }) => id === 'p-42-101');
    const [gone] = api.previews;
    const getTimeline = jest.spyOn(api, 'getTimeline');
    const getPreview = jest.spyOn(api, 'getPreview');
    await renderFace(<PreviewDrawer id={gone.id} onClose={() => {}} />, {
      api,
      signals,
    });
    await screen.findByRole('list', { name: 'Timeline' });
    await waitFor(() => expect(signals.has(api.channel!)).toBe(true));
    const change = async (part: object) => {
      api.previews = [
        {
          ...gone,
          conditions: gone.conditions.map(condition => ({
            ...condition,
            ...part,
          })),
        },
      ];
      const calls = getPreview.mock.calls.length;
      act(() => signals.send(api.channel!));
      await waitFor(
        () => expect(getPreview.mock.calls.length).toBeGreaterThan(calls),
        { timeout: 5_000 },
      );
    };
    await change({ status: 'Unknown', reason: 'SourceUnavailable' });
    expect(getTimeline).toHaveBeenCalledTimes(1);
    await change({ since: new Date(fixtureNow).toISOString() });
    await waitFor(() => expect(getTimeline).toHaveBeenCalledTimes(2));
  });

  it('tells what is over as it was then, without durations that grow', async () => {
    const preview = createPreviews().find(({ id }) => id === 'p-42-101')!;
    const at = (minutesAgo: number) =>
      new Date(fixtureNow - minutesAgo * 60_000).toISOString();
    const api = new FixturePreviewsApi({ previews: [preview] });
    const terminating = (options: { id: string; at: string }) => ({
      ...options,
      previewId: preview.id,
      kind: 'condition' as const,
      type: 'CleanedUp',
      to: 'False',
      reason: 'NamespaceTerminating',
      params: { namespace: 'preview-mr-101', since: at(60) },
      message: 'English.',
    });
    api.getTimeline = async () => ({
      items: [
        terminating({ id: 'later', at: at(58) }),
        terminating({ id: 'begin', at: at(60) }),
        terminating({ id: 'hostile', at: 'nonsense' }),
      ],
    });
    const { drawer } = await openDrawer(preview.id, api);
    const timeline = await within(drawer).findByRole('list', {
      name: 'Timeline',
    });
    const [later, begin] = within(timeline).getAllByRole('listitem');
    expect(later).toHaveTextContent(/terminating since \d\d:\d\d \(2 min\);/);
    expect(begin).toHaveTextContent(/terminating since \d\d:\d\d;/);
  });
});

describe('the head of the drawer', () => {
  it('says whose merge request it is, also of another service', async () => {
    const [preview] = createPreviews().filter(({ id }) => id === 'p-42-118');
    const { drawer } = await openDrawer(
      preview.id,
      new FixturePreviewsApi({
        previews: [
          {
            ...preview,
            mergeRequest: { ...preview.mergeRequest, project: 'group/other' },
          },
        ],
      }),
    );
    expect(within(drawer).getByText('group/other')).toBeVisible();
    expect(within(drawer).getByText('Dev Two (dev2)')).toHaveAttribute(
      'title',
      'Author Dev Two (dev2)',
    );
    expect(
      within(drawer).getByText('from change-118 into main'),
    ).toBeInTheDocument();
  });

  it.each([
    ['p-42-119', 'Failed'],
    ['p-42-110', 'Tearing down'],
  ])('offers no link to %s, which is %s, as its row does not', async id => {
    const { drawer } = await openDrawer(id);
    expect(
      within(drawer).queryByRole('link', { name: /^Open preview/ }),
    ).not.toBeInTheDocument();
    const addresses = within(drawer).getByRole('list', { name: 'Addresses' });
    expect(addresses).toHaveTextContent(/^https:\/\/mr-\d+\.preview[^ ]*$/);
    expect(within(addresses).queryByRole('link')).not.toBeInTheDocument();
  });

  it('says of an open merge request that it is open, not done', async () => {
    const { drawer } = await openDrawer('p-42-117');
    expect(step(drawer, /^Merge request, open/)).toHaveTextContent(/open$/);
    const { drawer: merged } = await openDrawer('p-42-110');
    expect(step(merged, /^Merge request, ended/)).toBeInTheDocument();
  });

  it('opens the step that warns, with what it warns of', async () => {
    const preview = createPreviews().find(({ id }) => id === 'p-42-117')!;
    preview.conditions = preview.conditions.map(condition =>
      condition.type === 'RouteAccepted'
        ? {
            ...condition,
            reason: 'AcceptedByOneParent',
            params: { ...condition.params, parent: 'gateway/old' },
            message: 'The gateway gateway/old does not take it.',
          }
        : condition,
    );
    const { drawer } = await openDrawer(
      preview.id,
      new FixturePreviewsApi({ previews: [preview] }),
    );
    const warning = step(drawer, /^Route, done, with a warning/);
    expect(warning).toHaveAttribute('aria-expanded', 'true');
    expect(
      document.getElementById(warning.getAttribute('aria-controls')!),
    ).toHaveTextContent(/gateway/);
  });

  it('says which source does not answer, and from when the preview is', async () => {
    const api = new FixturePreviewsApi();
    api.sources = createStaleSources();
    const { drawer } = await openDrawer('p-42-117', api);
    expect(within(drawer).getByRole('alert')).toHaveTextContent(
      /GitLab gitlab\.example\.com .* since \d\d:\d\d.*What you see is from \d\d:\d\d\./,
    );
  });
});

describe('asking for a new reading', () => {
  async function refresh(failure?: Error) {
    const api = new FixturePreviewsApi();
    api.refreshFailure = failure;
    const { drawer } = await openDrawer('p-42-117', api);
    await userEvent.click(
      within(drawer).getByRole('button', { name: 'Look again now' }),
    );
    return { drawer, api };
  }

  it('says that everything is read again', async () => {
    const { drawer, api } = await refresh();
    expect(
      await within(drawer).findByText('Reading everything again.'),
    ).toBeInTheDocument();
    expect(api.refreshed).toEqual(['p-42-117']);
  });

  it.each([
    [429, /read a moment ago/],
    [403, /not allowed to ask/],
    [503, /could not be asked for/],
  ])('says why it was not done when the answer is %s', async (status, text) => {
    const { drawer } = await refresh(await createResponseError(status));
    expect(await within(drawer).findByText(text)).toBeInTheDocument();
  });
});

describe('hostile text', () => {
  function expectInert() {
    expect((window as { hacked?: boolean }).hacked).toBeUndefined();
    expect(document.querySelector('img, script[src], b')).toBeNull();
    for (const link of document.querySelectorAll('a[href]')) {
      expect(link.getAttribute('href')).toMatch(/^(https?:|\/|\?)/);
    }
  }

  it('is text in the table', async () => {
    await renderFace(tab, {
      api: new FixturePreviewsApi({ previews: [createHostilePreview()] }),
    });
    expect(
      (await screen.findAllByText(/<img src=x onerror/)).length,
    ).toBeGreaterThan(0);
    expectInert();
    expect(
      screen.queryByRole('link', { name: /^Open/ }),
    ).not.toBeInTheDocument();
  });

  it('is text in the drawer', async () => {
    const { drawer } = await openDrawer(
      'p-42-666',
      new FixturePreviewsApi({ previews: [createHostilePreview()] }),
    );
    for (const name of [/^Conditions/, /^Certificate </, /^Resources/]) {
      await userEvent.click(within(drawer).getByRole('button', { name }));
    }
    expectInert();
    expect(within(drawer).queryByRole('link')).not.toBeInTheDocument();
  });

  it('does not break on a phase that a newer backend may send', async () => {
    const [preview] = createPreviews();
    const api = new FixturePreviewsApi({
      previews: [{ ...preview, phase: 'Hibernating' as never }],
    });
    await renderFace(tab, { api });
    expect(await screen.findByText('Hibernating')).toBeInTheDocument();
  });
});
