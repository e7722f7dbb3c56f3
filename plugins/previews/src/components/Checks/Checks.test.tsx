import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import {
  CheckResult,
  EntityChecks,
} from '@previews/backstage-plugin-previews-common';
import { findViolations } from '../../testing/__testUtils__/findViolations';
import { renderFace } from '../../testing/__testUtils__/renderFace';
import {
  createAlarm,
  createChecks,
  createPreviews,
} from '../../testing/fixtures';
import { FixturePreviewsApi } from '../../testing/FixturePreviewsApi';
import { PreviewsCard } from '../PreviewsCard/PreviewsCard';
import { PreviewsTab } from '../PreviewsTab/PreviewsTab';

const tab = <PreviewsTab entityRef="component:default/shop" />;

function apiWith(
  checks: EntityChecks | undefined,
  options: { onboarded?: boolean; previews?: 'live' | 'none' } = {},
): FixturePreviewsApi {
  const { onboarded = true, previews } = options;
  const api = new FixturePreviewsApi(
    previews && {
      previews:
        previews === 'none'
          ? []
          : createPreviews().filter(({ phase }) => phase === 'Live'),
    },
  );
  api.summary = { checks, onboarded };
  return api;
}

const found = () =>
  screen.findByRole('list', { name: 'Findings of the readiness checks' });
const line = () => screen.findByRole('button', { name: /^Set-up: / });

function many(count: number): EntityChecks {
  const [first] = createChecks().results;
  return {
    ...createChecks(),
    results: Array.from({ length: count }, () => first),
    counts: { error: count },
  };
}

describe('the line of the set-up in the tab', () => {
  it('counts what the checks found, and opens the list', async () => {
    await renderFace(tab, { api: apiWith(createChecks()) });
    const button = await line();
    expect(button).toHaveTextContent('Set-up: 1 error, 1 warning');
    expect(button).toHaveAttribute('aria-expanded', 'false');
    await userEvent.click(button);
    expect(button).toHaveAttribute('aria-expanded', 'true');
    const [error, warning] = within(await found()).getAllByRole('listitem');
    expect(error).toHaveTextContent(
      /^Error.*takes merge requests of any state.*Set pullRequestState: opened on the generator\..*ApplicationSet argocd\/shop-previews \(edge\) · spec\.generators\[0\]\.pullRequest\.gitlab$/,
    );
    expect(warning).toHaveTextContent(
      /^Warning.*gitlab\.project: group\/shop$/,
    );
    expect(screen.getByText(/^Checked/)).toHaveTextContent('Checked 4 min ago');
  });

  it('is there for an entity without an open merge request, too', async () => {
    await renderFace(tab, {
      api: apiWith(createChecks(), { previews: 'none' }),
    });
    expect(await line()).toBeVisible();
    expect(screen.getByText('No open merge requests')).toBeVisible();
  });

  it('counts notes where there is nothing worse', async () => {
    const checks = { ...createChecks(), counts: { info: 3 } };
    await renderFace(tab, { api: apiWith(checks) });
    expect(await line()).toHaveTextContent('Set-up: 3 notes');
  });

  it.each([
    ['nothing was found', { ...createChecks(), results: [], counts: {} }],
    ['nothing could be checked yet', undefined],
  ])('is absent where %s', async (_, checks) => {
    await renderFace(tab, { api: apiWith(checks) });
    await screen.findByText('Faster checkout');
    expect(screen.queryByText(/Set-up/)).not.toBeInTheDocument();
  });

  it('does not say that all is well where a source was not read', async () => {
    await renderFace(tab, {
      api: apiWith({
        ...createChecks(),
        results: [],
        counts: {},
        incomplete: ['cluster:edge', 'gitlab:gitlab.example.com'],
      }),
    });
    expect(
      await screen.findByText(
        'The set-up could not be checked: Kubernetes edge, GitLab gitlab.example.com',
      ),
    ).toBeVisible();
  });

  it('shows five, then the rest, and says what the answer leaves out', async () => {
    const checks = { ...many(7), counts: { error: 60 } };
    await renderFace(tab, { api: apiWith(checks) });
    await userEvent.click(await line());
    expect(within(await found()).getAllByRole('listitem')).toHaveLength(5);
    await userEvent.click(screen.getByRole('button', { name: '2 more' }));
    expect(within(await found()).getAllByRole('listitem')).toHaveLength(7);
    expect(screen.getByText('53 more are not listed.')).toBeVisible();
  });

  it('shows what it does not know as the backend tells it, and text as text', async () => {
    const markup = '<img src=x onerror="window.hacked=true">$t(phase.Live)';
    const unknown = {
      id: 'FromTheFuture',
      severity: 'fatal',
      subject: { kind: 'File', name: markup },
      evidence: { path: markup, value: markup },
      params: {},
      message: markup,
      fix: markup,
    } as unknown as CheckResult;
    await renderFace(tab, {
      api: apiWith({ ...many(1), results: [unknown], counts: { warning: 1 } }),
    });
    await userEvent.click(await line());
    const [item] = within(await found()).getAllByRole('listitem');
    expect(item).toHaveTextContent(`Warning${markup}${markup}${markup}`);
    expect(item.querySelector('img')).toBeNull();
  });

  it('has nothing that axe objects to', async () => {
    await renderFace(tab, { api: apiWith(createChecks()) });
    await userEvent.click(await line());
    await found();
    expect(await findViolations(document.body)).toEqual([]);
  }, 30_000);
});

describe('an entity that is not onboarded', () => {
  it('is shown the form, filled in, and what the checks find already', async () => {
    await renderFace(tab, {
      api: apiWith(createChecks(), { onboarded: false, previews: 'none' }),
      withScaffolder: true,
    });
    const button = await screen.findByRole('button', {
      name: 'Get previews for this service',
    });
    const url = new URL(
      button.getAttribute('href') ?? '',
      'https://portal.example.com',
    );
    expect(url.pathname).toBe('/create/templates/default/onboard-service');
    expect(JSON.parse(url.searchParams.get('formData') ?? '')).toEqual({
      entity: 'component:default/shop',
      service: 'shop',
      owner: 'group:default/team',
    });
    expect(within(await found()).getAllByRole('listitem')).toHaveLength(2);
    expect(await findViolations(document.body)).toEqual([]);
  }, 30_000);

  it('is led to the template that the portal has configured', async () => {
    await renderFace(tab, {
      api: apiWith(undefined, { onboarded: false, previews: 'none' }),
      withScaffolder: true,
      config: { previews: { templates: { onboard: 'platform/new-service' } } },
    });
    expect(
      await screen.findByRole('button', {
        name: 'Get previews for this service',
      }),
    ).toHaveAttribute(
      'href',
      expect.stringMatching(/^\/create\/templates\/platform\/new-service\?/),
    );
    expect(
      screen.queryByText('What the readiness checks find already'),
    ).not.toBeInTheDocument();
  });

  it('is led to the page that explains it in a portal without a scaffolder', async () => {
    const docsUrl = 'https://docs.example.com/previews';
    await renderFace(tab, {
      api: apiWith(undefined, { onboarded: false, previews: 'none' }),
      config: { previews: { templates: { docsUrl } } },
    });
    expect(
      await screen.findByRole('link', { name: 'How a service gets previews' }),
    ).toHaveAttribute('href', docsUrl);
  });

  it('has the annotations where there is neither', async () => {
    await renderFace(tab, {
      api: apiWith(undefined, { onboarded: false, previews: 'none' }),
    });
    expect(
      await screen.findByText(/add one of these annotations/),
    ).toBeVisible();
    expect(
      screen.queryByText('Get previews for this service'),
    ).not.toBeInTheDocument();
  });
});

describe('an entity whose project no ApplicationSet generates from', () => {
  const withoutSet = (previews: 'live' | 'none') => {
    const api = apiWith(undefined, { previews });
    api.summary = { ...api.summary, applicationSets: [] };
    return api;
  };

  it.each(['none', 'live'] as const)(
    'is shown the form beside its rows: %s',
    async previews => {
      await renderFace(tab, {
        api: withoutSet(previews),
        withScaffolder: true,
      });
      expect(
        await screen.findByText(/No ApplicationSet .* from group\/shop\./),
      ).toBeVisible();
      expect(
        screen.getByRole('button', { name: 'Get previews for this service' }),
      ).toBeVisible();
    },
  );

  it('is not told so before every source was read', async () => {
    const api = withoutSet('none');
    api.sources = api.sources.map(source =>
      source.kind === 'cluster'
        ? { ...source, lastCompleteAt: undefined }
        : source,
    );
    await renderFace(tab, { api, withScaffolder: true });
    expect(await screen.findByText('No open merge requests')).toBeVisible();
    expect(
      screen.queryByText(/No ApplicationSet that can be read/),
    ).not.toBeInTheDocument();
  });
});

describe('the card', () => {
  const card = (
    <PreviewsCard
      entityRef="component:default/shop"
      tab="/previews"
      onOpenTab={() => {}}
    />
  );

  it('warns of errors of the set-up where nothing is worse', async () => {
    await renderFace(card, {
      api: apiWith(createChecks(), { previews: 'live' }),
    });
    expect(
      await screen.findByRole('link', { name: 'Set-up: 1 error, 1 warning' }),
    ).toHaveAttribute('href', '/previews');
  });

  it('does not where a preview needs a person, or a set lost its Applications', async () => {
    await renderFace(card, { api: apiWith(createChecks()) });
    await screen.findByText('Needs a person: !119');
    expect(screen.queryByText(/Set-up/)).not.toBeInTheDocument();
  });

  it('does not where there is an alarm', async () => {
    const api = apiWith(createChecks(), { previews: 'live' });
    api.findings = [createAlarm(api.previews)];
    await renderFace(card, { api });
    await screen.findByText(/lost 6 of 9 Applications at once/);
    expect(screen.queryByText(/Set-up/)).not.toBeInTheDocument();
  });

  it('leaves warnings to the tab', async () => {
    await renderFace(card, {
      api: apiWith(
        { ...createChecks(), counts: { warning: 2 } },
        { previews: 'live' },
      ),
    });
    await screen.findByText('2 live');
    expect(screen.queryByText(/Set-up/)).not.toBeInTheDocument();
  });
});
