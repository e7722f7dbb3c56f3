import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import {
  createAlarm,
  createPreviews,
  createSources,
  createStaleSources,
  fixtureNow,
  withoutCertificates,
} from '../../testing/fixtures';
import { createResponseError } from '../../testing/__testUtils__/responseError';
import { FixturePreviewsApi } from '../../testing/FixturePreviewsApi';
import {
  ManualSignals,
  renderFace,
} from '../../testing/__testUtils__/renderFace';
import { PreviewsTab } from './PreviewsTab';

const tab = <PreviewsTab entityRef="component:default/shop" />;

async function rowOf(text: string): Promise<HTMLElement> {
  return (await screen.findByText(new RegExp(text))).closest('tr')!;
}

function address(): URLSearchParams {
  return new URLSearchParams(screen.getByTestId('address').textContent ?? '');
}

describe('the Previews tab', () => {
  it('counts the previews by phase and says how fresh the facts are', async () => {
    await renderFace(tab);
    await rowOf('Faster checkout');
    const counts = screen
      .getByRole('button', { name: '2 live' })
      .closest('[role="status"]');
    expect(counts).toHaveTextContent(/^2 live · 1 failed · 1 degraded/);
    expect(counts).toHaveTextContent(/1 without environment/);
    expect(
      screen.getByRole('button', { name: 'Fresh 8 s ago' }),
    ).toBeInTheDocument();
  });

  it('warns above the table of a set that lost its Applications, and only of that', async () => {
    const api = new FixturePreviewsApi();
    const alarm = createAlarm(api.previews);
    api.findings = [
      alarm,
      { ...alarm, id: 'other', type: 'NameCollision', severity: 'warning' },
    ];
    await renderFace(tab, { api });
    const bars = await screen.findByRole('list', { name: 'Findings' });
    expect(within(bars).getAllByRole('listitem')).toHaveLength(1);
    expect(bars).toHaveTextContent(
      /argocd\/shop-previews lost 6 of 9 Applications at once/,
    );
  });

  it('lists every source with its state behind the freshness', async () => {
    await renderFace(tab);
    await userEvent.click(
      await screen.findByRole('button', { name: 'Fresh 8 s ago' }),
    );
    const panel = await screen.findByRole('dialog', {
      name: 'Freshness of the sources',
    });
    expect(within(panel).getAllByRole('listitem')).toHaveLength(2);
    expect(
      within(panel).getByText('GitLab gitlab.example.com'),
    ).toBeInTheDocument();
    expect(within(panel).getByText('read 3 s ago')).toBeInTheDocument();
  });

  it('shows commit, certificate and Argo CD of a live preview and opens it in a new tab', async () => {
    await renderFace(tab);
    const row = await rowOf('Faster checkout');
    const open = within(row).getByRole('link', {
      name: 'Open the preview of !117 Faster checkout',
    });
    expect(open).toHaveAttribute('href', 'https://mr-117.preview.example.com/');
    expect(open).toHaveAttribute('target', '_blank');
    expect(open).toHaveAttribute('rel', 'noopener noreferrer');
    expect(
      within(row).getByRole('link', { name: 'Commit 1a2b3c4d in GitLab' }),
    ).toHaveAttribute(
      'href',
      'https://gitlab.example.com/group/shop/-/commit/1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d',
    );
    expect(
      within(row).getByText('This is the latest commit of the branch'),
    ).toBeInTheDocument();
    expect(within(row).getByText('Valid for 78 d more')).toBeInTheDocument();
    expect(within(row).getByText("Let's Encrypt R12")).toBeInTheDocument();
    expect(within(row).getByText('Synced')).toBeInTheDocument();
    expect(within(row).getByText('Healthy')).toBeInTheDocument();
    expect(within(row).getByText('2 h')).toHaveAttribute('dateTime');
  });

  it('tells the age of the merge request, which may be older than the portal', async () => {
    const api = new FixturePreviewsApi();
    api.previews = createPreviews().map(preview => ({
      ...preview,
      createdAt: new Date(fixtureNow - 20_000).toISOString(),
    }));
    await renderFace(tab, { api });
    const row = await rowOf('Faster checkout');
    expect(within(row).getByText('2 h')).toBeInTheDocument();
    expect(within(row).queryByText('20 s')).not.toBeInTheDocument();
  });

  it('tells the age of the preview where GitLab has told no other', async () => {
    const api = new FixturePreviewsApi();
    api.previews = createPreviews().map(preview => ({
      ...preview,
      createdAt: new Date(fixtureNow - 20_000).toISOString(),
      mergeRequest: { ...preview.mergeRequest, createdAt: '' },
    }));
    await renderFace(tab, { api });
    const row = await rowOf('Faster checkout');
    expect(within(row).getByText('20 s')).toBeInTheDocument();
  });

  it('puts the sentence and the next step under a row that is not plainly live', async () => {
    await renderFace(tab);
    const row = await rowOf('Upgrade Postgres client');
    const reason = document.getElementById(
      row.getAttribute('aria-describedby')!,
    )!;
    expect(reason).toHaveTextContent(/api.*6/);
    expect(
      within(reason).getByRole('link', { name: /^See the logs/ }),
    ).toHaveAttribute(
      'href',
      'https://argocd.example.com/applications/argocd/preview-mr-119?node=apps%2FDeployment%2Fpreview-mr-119%2Fapi%2F0&tab=logs',
    );
    const live = await rowOf('Faster checkout');
    expect(live).not.toHaveAttribute('aria-describedby');
  });

  it('shows both commits while the new one is on its way', async () => {
    await renderFace(tab);
    const row = await rowOf('Rework cart');
    expect(within(row).getByText('4d5e6f70')).toBeInTheDocument();
    expect(within(row).getByText('77aa88bb')).toBeInTheDocument();
    expect(within(row).getByText('Progressing')).toBeInTheDocument();
  });

  it('takes what a torn down preview was for no success of now', async () => {
    await renderFace(tab);
    const row = await rowOf('Remove the old basket');
    expect(within(row).getByText(/^110a2b3c/)).toBeInTheDocument();
    expect(
      within(row).queryByText('This is the latest commit of the branch'),
    ).not.toBeInTheDocument();
    const live = await rowOf('Faster checkout');
    for (const word of ['Synced', 'Healthy']) {
      expect(within(row).getByText(word)).not.toHaveClass(
        within(live).getByText(word).className,
      );
    }
  });

  it('frames the row that has the focus together with its sentence', async () => {
    await renderFace(tab);
    const row = await rowOf('Upgrade Postgres client');
    // jsdom does not know `:has`, so that only the rule itself can be looked at.
    const outlineOf = (suffix: string, element: Element) =>
      [...document.styleSheets]
        .flatMap(sheet => [...sheet.cssRules] as CSSStyleRule[])
        .filter(({ selectorText = '' }) =>
          selectorText
            .split(', ')
            .some(
              selector =>
                selector.endsWith(suffix) &&
                element.matches(selector.slice(0, -suffix.length)),
            ),
        )
        .map(({ style }) => style.outline);
    const group = row.closest('tbody')!;
    expect(outlineOf(':has(> tr:focus-visible)', group)).toEqual([
      expect.stringMatching(/^2px solid /),
    ]);
    expect(outlineOf(':focus-visible', row)).toEqual(['none']);
  });

  it('says "commit unknown" where no expression names the commit', async () => {
    await renderFace(tab);
    const row = await rowOf('Move to the new payment provider');
    expect(within(row).getByText('commit unknown')).toBeInTheDocument();
  });

  it('says in place of the link why there is none', async () => {
    await renderFace(tab);
    const building = await rowOf('New header');
    expect(within(building).getByText('building…')).toBeInTheDocument();
    expect(within(building).getByText('waiting')).toBeInTheDocument();
    const none = await rowOf('Docs only');
    expect(within(none).getByText('None')).toBeInTheDocument();
    expect(within(none).getByText('no preview')).toBeInTheDocument();
    const foreign = await rowOf('Chart in another cluster');
    expect(
      within(foreign).queryByRole('link', { name: /^Open/ }),
    ).not.toBeInTheDocument();
    expect(within(foreign).getByText('elsewhere.example.net')).toHaveAttribute(
      'title',
      expect.stringContaining('allowed domain'),
    );
  });

  it('shows the exact time of an age on hover', async () => {
    await renderFace(tab);
    const age = within(await rowOf('Faster checkout')).getByText('2 h');
    expect(age).toHaveAttribute('title', expect.stringMatching(/\d\d:\d\d/));
  });

  it('leaves what an ApplicationSet reports, the same for all its rows, to the drawer', async () => {
    const error = 'GET https://gitlab.example.com/api/v4/projects/42: 502';
    const api = new FixturePreviewsApi();
    api.previews = api.previews.map(preview => ({
      ...preview,
      reason: {
        type: 'ApplicationGenerated',
        reason: 'FrozenByGenerator',
        params: { applicationSet: 'argocd/shop-previews', error },
      },
    }));
    await renderFace(tab, { api });
    const row = await rowOf('Faster checkout');
    const reason = document.getElementById(
      row.getAttribute('aria-describedby')!,
    )!;
    expect(reason).toHaveTextContent(
      /argocd\/shop-previews updates nothing.*while it reports an error, [^:]*\. See/,
    );
    expect(screen.queryByText(/502/)).not.toBeInTheDocument();
    await userEvent.click(row);
    const drawer = await screen.findByRole('dialog');
    expect(await within(drawer).findByText(/projects\/42: 502/)).toBeVisible();
  });

  it('marks drafts once, and forks', async () => {
    await renderFace(tab);
    const draft = await rowOf('New header');
    expect(within(draft).getByText('Draft')).toBeVisible();
    expect(draft).not.toHaveTextContent(/Draft:/);
    expect(
      within(await rowOf('Show delivery dates')).getByText('Fork'),
    ).toBeVisible();
  });
});

describe('filters of the Previews tab', () => {
  it('keeps search, phase, author and drafts in the address', async () => {
    const { api } = await renderFace(tab);
    await rowOf('Faster checkout');
    await userEvent.type(
      screen.getByRole('searchbox', { name: /Search/ }),
      'cart',
    );
    await waitFor(() => expect(address().get('q')).toBe('cart'));
    await userEvent.click(screen.getByRole('button', { name: 'Phase All' }));
    await userEvent.click(screen.getByRole('option', { name: 'Updating' }));
    await userEvent.keyboard('{Escape}');
    await waitFor(() =>
      expect(address().getAll('phase')).toEqual(['Updating']),
    );
    await userEvent.click(
      await screen.findByRole('button', { name: /^Author/ }),
    );
    await userEvent.click(screen.getByRole('option', { name: 'dev2' }));
    await waitFor(() => expect(address().get('author')).toBe('dev2'));
    await waitFor(() =>
      expect(api.requests.at(-1)).toMatchObject({
        q: 'cart',
        phase: ['Updating'],
        author: 'dev2',
      }),
    );
    expect(await rowOf('Rework cart')).toBeVisible();
    await waitFor(() =>
      expect(screen.queryByText('Faster checkout')).not.toBeInTheDocument(),
    );
  });

  it('shows the rows of one phase from its count, and again all of them', async () => {
    await renderFace(tab);
    await rowOf('Faster checkout');
    const failed = screen.getByRole('button', { name: '1 failed' });
    expect(failed).toHaveAttribute('aria-pressed', 'false');
    await userEvent.click(failed);
    await waitFor(() => expect(address().getAll('phase')).toEqual(['Failed']));
    await waitFor(() =>
      expect(screen.queryByText('Faster checkout')).not.toBeInTheDocument(),
    );
    expect(failed).toHaveAttribute('aria-pressed', 'true');
    await userEvent.click(failed);
    expect(await rowOf('Faster checkout')).toBeVisible();
    expect(address().getAll('phase')).toEqual([]);
  });

  it('reads the address that a colleague has sent', async () => {
    const { api } = await renderFace(tab, {
      search: '?q=cart&phase=Live&phase=Updating&phase=Nonsense&sort=-created',
    });
    expect(await rowOf('Rework cart')).toBeVisible();
    expect(api.requests[0]).toMatchObject({
      q: 'cart',
      phase: ['Updating', 'Live'],
      sort: '-created',
    });
    expect(screen.getByRole('searchbox', { name: /Search/ })).toHaveValue(
      'cart',
    );
    expect(screen.getByRole('columnheader', { name: 'Age' })).toHaveAttribute(
      'aria-sort',
      'ascending',
    );
  });

  it('says nothing of the number while only the filtered rows are known', async () => {
    const api = new FixturePreviewsApi();
    api.getEntitySummary = () => new Promise(() => {});
    await renderFace(tab, { api, search: '?q=nothing-like-it' });
    expect(await screen.findByText('No preview matches')).toBeVisible();
    expect(screen.queryByText('No previews')).not.toBeInTheDocument();
  });

  it('hides exactly the drafts and says how many', async () => {
    await renderFace(tab);
    await rowOf('New header');
    await userEvent.click(
      screen.getByRole('checkbox', { name: 'Hide drafts' }),
    );
    expect(
      await screen.findByRole('checkbox', { name: 'Hide drafts (2 hidden)' }),
    ).toBeChecked();
    await waitFor(() =>
      expect(screen.queryByText('New header')).not.toBeInTheDocument(),
    );
    expect(screen.queryByText('Docs only')).not.toBeInTheDocument();
    expect(await rowOf('Faster checkout')).toBeVisible();
    expect(address().get('drafts')).toBe('hide');
  });

  it('offers "Mine" to those whose user entity has a GitLab login', async () => {
    await renderFace(tab, { login: 'https://gitlab.example.com/dev2' });
    await userEvent.click(
      await screen.findByRole('checkbox', { name: 'Mine' }),
    );
    await waitFor(() => expect(address().get('author')).toBe('dev2'));
    await waitFor(() =>
      expect(screen.queryByText('Faster checkout')).not.toBeInTheDocument(),
    );
    expect(await rowOf('Rework cart')).toBeVisible();
  });

  it('keeps "Mine" when it leaves no row', async () => {
    await renderFace(tab, { login: 'someone', search: '?author=someone' });
    expect(await screen.findByText('No preview matches')).toBeVisible();
    expect(screen.getByRole('checkbox', { name: 'Mine' })).toBeChecked();
  });

  it('leaves "Mine" out without one', async () => {
    await renderFace(tab);
    await rowOf('Faster checkout');
    expect(
      screen.queryByRole('checkbox', { name: 'Mine' }),
    ).not.toBeInTheDocument();
  });

  it('sorts by the heads of the columns and tells assistive technology', async () => {
    await renderFace(tab);
    await rowOf('Faster checkout');
    const head = screen.getByRole('columnheader', { name: 'Merge request' });
    expect(head).toHaveAttribute('aria-sort', 'none');
    await userEvent.click(within(head).getByRole('button'));
    await waitFor(() => expect(address().get('sort')).toBe('iid'));
    expect(head).toHaveAttribute('aria-sort', 'ascending');
    await userEvent.click(within(head).getByRole('button'));
    await waitFor(() => expect(address().get('sort')).toBe('-iid'));
    expect(head).toHaveAttribute('aria-sort', 'descending');
  });

  it('says so when the filters leave no row, and clears them', async () => {
    await renderFace(tab, { search: '?q=nothing-like-it' });
    expect(await screen.findByText('No preview matches')).toBeVisible();
    // There are previews, so the headline does not say "No previews".
    expect(await screen.findByText('0 of 13')).toHaveAttribute(
      'role',
      'status',
    );
    expect(screen.queryByText('No previews')).not.toBeInTheDocument();
    await userEvent.click(
      screen.getByRole('button', { name: 'Clear filters' }),
    );
    expect(await rowOf('Faster checkout')).toBeVisible();
    expect(address().get('q')).toBeNull();
  });
});

describe('states of the Previews tab', () => {
  it('holds the place of the rows while they are loaded', async () => {
    const api = new FixturePreviewsApi();
    api.listPreviews = () => new Promise(() => {});
    await renderFace(tab, { api });
    expect(
      screen.getByRole('table', { name: 'Loading previews' }),
    ).toHaveAttribute('aria-busy', 'true');
  });

  it('tells an entity that is not onboarded which annotation is missing', async () => {
    const api = new FixturePreviewsApi({ previews: [] });
    api.summary = {
      onboarded: false,
      problems: [
        {
          annotation: 'gitlab.com/project-id',
          reason: 'Malformed',
          params: { value: 'shop', expected: 'a number' },
          message: 'The annotation is malformed.',
        },
      ],
    };
    await renderFace(tab, { api });
    expect(
      await screen.findByText('This entity has no previews yet'),
    ).toBeVisible();
    expect(
      screen.getByText(/gitlab.com\/project-slug: group\/project/),
    ).toBeVisible();
    expect(screen.getByText('gitlab.com/project-id')).toBeVisible();
  });

  it('tells what is wrong with annotations beside the previews that others lead to', async () => {
    const api = new FixturePreviewsApi();
    api.summary = {
      problems: ['argocd/one', 'argocd/other'].map(applicationSet => ({
        annotation: 'previews/application-set',
        reason: 'ApplicationSetNotFound',
        params: { applicationSet },
        message: `There is no ${applicationSet}.`,
      })),
    };
    await renderFace(tab, { api });
    expect(await rowOf('Faster checkout')).toBeVisible();
    const told = (await screen.findAllByText('previews/application-set')).map(
      annotation => annotation.parentElement,
    );
    expect(told).toHaveLength(2);
    expect(told[0]).toHaveTextContent(
      /names the ApplicationSet argocd\/one, .* whoever owns the entity can correct it/,
    );
    expect(told[1]).toHaveTextContent(/argocd\/other/);
  });

  it('tells an onboarded entity that no merge request is open', async () => {
    await renderFace(tab, { api: new FixturePreviewsApi({ previews: [] }) });
    expect(await screen.findByText('No open merge requests')).toBeVisible();
    expect(await screen.findByText(/in group\/shop/)).toBeVisible();
  });

  it('offers no filters where there is nothing to filter', async () => {
    await renderFace(tab, { api: new FixturePreviewsApi({ previews: [] }) });
    expect(await screen.findByText('No open merge requests')).toBeVisible();
    await waitFor(() =>
      expect(screen.queryByRole('search')).not.toBeInTheDocument(),
    );
  });

  it('keeps the filters that the address has, though there is nothing to filter', async () => {
    const api = new FixturePreviewsApi({ previews: [] });
    await renderFace(tab, { api, search: '?author=dev2' });
    expect(await screen.findByText('No preview matches')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Author dev2' })).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: /^Clear/ }));
    await waitFor(() =>
      expect(screen.queryByRole('search')).not.toBeInTheDocument(),
    );
  });

  it('keeps the way to previews that are gone, which only a filter shows', async () => {
    const api = new FixturePreviewsApi();
    api.previews = createPreviews().filter(({ phase }) => phase === 'Gone');
    await renderFace(tab, { api });
    expect(await screen.findByText('No open merge requests')).toBeVisible();
    await waitFor(() =>
      expect(api.requests).toContainEqual(
        expect.objectContaining({ phase: ['Gone'] }),
      ),
    );
    await userEvent.click(screen.getByRole('button', { name: 'Phase All' }));
    await userEvent.click(screen.getByRole('option', { name: 'Gone' }));
    await userEvent.keyboard('{Escape}');
    expect(await rowOf(api.previews[0].mergeRequest.title)).toBeInTheDocument();
  });

  it('does not take a GitLab that was never read for one without merge requests', async () => {
    const api = new FixturePreviewsApi({ previews: [] });
    api.sources = api.sources.map(source => ({
      ...source,
      ...(source.kind === 'gitlab' && {
        status: 'failing' as const,
        lastCompleteAt: undefined,
      }),
    }));
    await renderFace(tab, { api });
    expect(
      await screen.findByText('Merge requests have not been read yet'),
    ).toBeVisible();
    expect(
      screen.getByText(/^GitLab gitlab\.example\.com .* so it is not known/),
    ).toBeVisible();
    expect(screen.getByText(/shown as unknown/)).toBeVisible();
    expect(screen.queryByText('No previews')).not.toBeInTheDocument();
    expect(
      screen.queryByText('No open merge requests'),
    ).not.toBeInTheDocument();
  });

  it('names the missing permission in place of an empty page', async () => {
    const api = new FixturePreviewsApi();
    api.failure = await createResponseError(403);
    await renderFace(tab, { api });
    expect(
      await screen.findByText('You are not allowed to see previews'),
    ).toBeVisible();
    expect(screen.getByText(/previews\.preview\.read/)).toBeVisible();
    expect(screen.queryByRole('table')).not.toBeInTheDocument();
  });

  it('shows an error with a way to try again', async () => {
    const api = new FixturePreviewsApi();
    api.failure = new Error('The backend is not there');
    await renderFace(tab, { api });
    expect(await screen.findByRole('alert')).toHaveTextContent(
      /Previews could not be loaded.*The backend is not there/,
    );
    api.failure = undefined;
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await rowOf('Faster checkout')).toBeVisible();
  });

  it('says in words that the portal cannot answer now', async () => {
    const api = new FixturePreviewsApi();
    api.failure = await createResponseError(503);
    await renderFace(tab, { api });
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent(
      /Previews could not be loaded.*its catalog or database does not respond/,
    );
    expect(alert).not.toHaveTextContent(/503/);
    expect(screen.getByRole('button', { name: 'Try again' })).toHaveStyle({
      textTransform: 'none',
    });
  });

  it('says which source is down and since when, and dims what it touches', async () => {
    const api = new FixturePreviewsApi();
    api.sources = createStaleSources();
    api.previews = createPreviews().map(preview => ({
      ...preview,
      stale: ['gitlab:gitlab.example.com'],
      conditions: preview.conditions.map(condition =>
        condition.type === 'MergeRequestOpen'
          ? {
              ...condition,
              status: 'Unknown',
              reason: 'SourceUnavailable',
              params: { source: 'gitlab:gitlab.example.com' },
            }
          : condition,
      ),
    }));
    await renderFace(tab, { api });
    expect(await screen.findByText(/What you see is from/)).toHaveTextContent(
      /GitLab gitlab\.example\.com/,
    );
    const row = await rowOf('Faster checkout');
    const [phase, mergeRequest, , , certificate] =
      within(row).getAllByRole('cell');
    expect(mergeRequest).toHaveAttribute(
      'title',
      'Last known state, from GitLab gitlab.example.com',
    );
    expect(phase).not.toHaveAttribute('title');
    expect(certificate).not.toHaveAttribute('title');
    expect(screen.getByRole('button', { name: 'Not all fresh' })).toBeVisible();
  });

  it('says what a cluster does not let the portal list, and dims only what rests on it', async () => {
    const api = new FixturePreviewsApi();
    api.sources = createSources().map(source => ({
      ...source,
      errors:
        source.kind === 'cluster'
          ? [
              {
                reason: 'Forbidden',
                subject: 'certificates.cert-manager.io',
                message: 'The cluster does not let the portal list it.',
                since: new Date(fixtureNow - 600_000).toISOString(),
              },
            ]
          : [],
    }));
    api.previews = createPreviews().map(withoutCertificates);
    await renderFace(tab, { api });
    const row = await rowOf('Faster checkout');
    const denied = /The cluster edge does not let the portal list certificates/;
    expect(screen.getAllByText(denied)).toHaveLength(1);
    const [, mergeRequest, , commit, certificate, argoCd] =
      within(row).getAllByRole('cell');
    expect(certificate).toHaveAttribute(
      'title',
      'Last known state, from Kubernetes edge',
    );
    expect(within(certificate).getByTitle(denied)).toHaveTextContent(
      'Not known',
    );
    for (const read of [mergeRequest, commit, argoCd]) {
      expect(read).not.toHaveAttribute('title');
    }
    expect(screen.getByRole('button', { name: 'Not all fresh' })).toBeVisible();
  });

  it('says that GitLab limits the portal, and when it is asked again', async () => {
    const api = new FixturePreviewsApi();
    api.sources = createStaleSources().map(source => ({
      ...source,
      errors: source.errors.map(error => ({
        ...error,
        reason: 'RateLimited',
        retryAt: new Date(fixtureNow + 300_000).toISOString(),
      })),
    }));
    await renderFace(tab, { api });
    expect(await screen.findByText(/What you see is from/)).toHaveTextContent(
      /GitLab gitlab\.example\.com has limited the portal’s calls .* next try: \d\d:\d\d\./,
    );
    expect(await rowOf('Faster checkout')).toBeVisible();
  });

  it('leads from a row that waits for a source to the list of sources', async () => {
    const api = new FixturePreviewsApi();
    api.previews = createPreviews()
      .slice(0, 1)
      .map(preview => ({
        ...preview,
        reason: {
          type: 'Available',
          reason: 'SourceUnavailable',
          params: { source: 'cluster:edge' },
        },
      }));
    await renderFace(tab, { api });
    await userEvent.click(
      await screen.findByRole('button', { name: 'See the sources' }),
    );
    expect(
      await screen.findByRole('dialog', { name: 'Freshness of the sources' }),
    ).toBeVisible();
  });

  it('shows more rows page by page', async () => {
    const [sample] = createPreviews().filter(({ phase }) => phase === 'Live');
    const previews = Array.from({ length: 60 }, (_, index) => ({
      ...sample,
      id: `p-42-${1000 + index}`,
      mergeRequest: {
        ...sample.mergeRequest,
        iid: 1000 + index,
        title: `Change ${index}`,
      },
    }));
    await renderFace(tab, { api: new FixturePreviewsApi({ previews }) });
    expect(await screen.findByText('50 of 60')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Show more' }));
    expect(await rowOf('Change 59')).toBeVisible();
    await waitFor(() =>
      expect(screen.queryByText('50 of 60')).not.toBeInTheDocument(),
    );
  });
});

describe('live updates of the Previews tab', () => {
  it('asks again on a signal and keeps the rows meanwhile', async () => {
    const signals = new ManualSignals();
    const api = new FixturePreviewsApi();
    api.channel = 'previews:hidden-name';
    await renderFace(tab, { api, signals });
    await rowOf('Faster checkout');
    await waitFor(() => expect(signals.has('previews:hidden-name')).toBe(true));
    api.previews = api.previews.filter(
      ({ mergeRequest }) => mergeRequest.iid !== 117,
    );
    act(() => signals.send('previews:hidden-name'));
    expect(screen.getByText('Faster checkout')).toBeVisible();
    await waitFor(
      () =>
        expect(screen.queryByText('Faster checkout')).not.toBeInTheDocument(),
      { timeout: 4_000 },
    );
    expect(screen.getByText(/^1 live/)).toBeInTheDocument();
  });

  it('keeps the rows and says from when they are while the portal does not answer', async () => {
    const signals = new ManualSignals();
    const api = new FixturePreviewsApi();
    api.channel = 'previews:hidden-name';
    await renderFace(tab, { api, signals });
    await rowOf('Faster checkout');
    await waitFor(() => expect(signals.has('previews:hidden-name')).toBe(true));
    api.failure = new Error('gone');
    act(() => signals.send('previews:hidden-name'));
    expect(
      await screen.findByText(/could not be asked again/, undefined, {
        timeout: 4_000,
      }),
    ).toBeVisible();
    expect(screen.getByText('Faster checkout')).toBeVisible();
  });
});
