import { screen, within } from '@testing-library/react';
import { createResponseError } from '../../testing/__testUtils__/responseError';
import {
  createAlarm,
  createPreviews,
  createStaleSources,
  withoutCertificates,
} from '../../testing/fixtures';
import { FixturePreviewsApi } from '../../testing/FixturePreviewsApi';
import { renderFace } from '../../testing/__testUtils__/renderFace';
import { EntityPreviewsCard } from './EntityPreviewsCard';
import { PreviewsCard } from './PreviewsCard';

const card = (
  <PreviewsCard
    entityRef="component:default/shop"
    tab="/catalog/default/component/shop/previews"
    onOpenTab={() => {}}
  />
);

describe('the overview card', () => {
  it('counts by phase and shows the three latest with their links', async () => {
    await renderFace(card);
    expect(
      (await screen.findByText('2 live')).closest('[role="status"]'),
    ).toHaveTextContent(/^2 live · 1 failed/);
    const latest = screen.getAllByRole('listitem');
    expect(latest).toHaveLength(3);
    expect(
      within(latest[0]).getByRole('link', {
        name: 'Open the preview of !117 Faster checkout',
      }),
    ).toHaveAttribute('href', 'https://mr-117.preview.example.com/');
    expect(
      within(latest[0]).getByRole('link', { name: '!117 Faster checkout' }),
    ).toHaveAttribute(
      'href',
      '/catalog/default/component/shop/previews?preview=p-42-117',
    );
  });

  it('names a draft as the tab does, and says beside the name that it is one', async () => {
    const api = new FixturePreviewsApi();
    api.previews = createPreviews().map(preview => ({
      ...preview,
      mergeRequest: {
        ...preview.mergeRequest,
        title: `Draft: ${preview.mergeRequest.title}`,
        draft: true,
      },
    }));
    await renderFace(card, { api });
    const link = await screen.findByRole('link', {
      name: '!117 Faster checkout',
    });
    const item = link.closest('li')!;
    expect(within(item).getByText('Draft')).toBeVisible();
    expect(
      within(item).getByRole('link', {
        name: 'Open the preview of !117 Faster checkout',
      }),
    ).toBeVisible();
  });

  it('has one line for what needs a person', async () => {
    await renderFace(card);
    expect(await screen.findByText('Needs a person: !119')).toBeInTheDocument();
    expect(
      screen.getByRole('link', { name: /^See the logs/ }),
    ).toBeInTheDocument();
  });

  it('warns of a set that lost its Applications', async () => {
    const api = new FixturePreviewsApi();
    api.findings = [createAlarm(api.previews)];
    await renderFace(card, { api });
    expect(
      await screen.findByText(/lost 6 of 9 Applications at once/),
    ).toBeVisible();
  });

  it('says which source does not answer, and from when the counts are', async () => {
    const api = new FixturePreviewsApi();
    api.sources = createStaleSources();
    await renderFace(card, { api });
    expect(await screen.findByRole('alert')).toHaveTextContent(
      /GitLab gitlab\.example\.com .* since \d\d:\d\d.*What you see is from \d\d:\d\d\./,
    );
    expect(screen.getByText('2 live')).toBeInTheDocument();
  });

  it('says what a cluster does not let the portal list, once', async () => {
    const api = new FixturePreviewsApi();
    api.previews = createPreviews().map(withoutCertificates);
    await renderFace(card, { api });
    expect(await screen.findByRole('alert')).toHaveTextContent(
      /^The cluster edge does not let the portal list certificates/,
    );
    expect(screen.getByText('2 live')).toBeInTheDocument();
  });

  it('says it where only what needs a person rests on it', async () => {
    const api = new FixturePreviewsApi();
    api.previews = createPreviews().map(preview =>
      preview.phase === 'Failed' ? withoutCertificates(preview) : preview,
    );
    await renderFace(card, { api });
    expect(await screen.findByRole('alert')).toHaveTextContent(
      /does not let the portal list certificates/,
    );
  });

  it('leaves it to the tab to tell all that may not be listed', async () => {
    const api = new FixturePreviewsApi();
    api.previews = createPreviews().map(preview => {
      const without = withoutCertificates(preview);
      return {
        ...without,
        conditions: without.conditions.map(condition =>
          condition.type === 'RouteAccepted'
            ? {
                ...condition,
                status: 'Unknown' as const,
                reason: 'KindForbidden',
                params: {
                  kind: 'httproutes',
                  group: 'gateway.networking.k8s.io',
                  cluster: 'edge',
                },
              }
            : condition,
        ),
      };
    });
    await renderFace(card, { api });
    expect(await screen.findAllByRole('alert')).toHaveLength(1);
  });

  it('does not say that there are none before GitLab was read', async () => {
    const api = new FixturePreviewsApi({ previews: [] });
    api.sources = api.sources.map(source => ({
      ...source,
      ...(source.kind === 'gitlab' && {
        status: 'failing' as const,
        lastCompleteAt: undefined,
      }),
    }));
    await renderFace(card, { api });
    expect(
      await screen.findByText(/has not been read completely yet/),
    ).toBeVisible();
    expect(screen.queryByText('No previews')).not.toBeInTheDocument();
  });

  it('has no such line when nothing does', async () => {
    const previews = createPreviews().filter(({ phase }) => phase === 'Live');
    await renderFace(card, { api: new FixturePreviewsApi({ previews }) });
    expect(await screen.findByText('2 live')).toBeInTheDocument();
    expect(screen.queryByText(/Needs a person/)).not.toBeInTheDocument();
  });

  it('says so when there are none', async () => {
    await renderFace(card, { api: new FixturePreviewsApi({ previews: [] }) });
    expect(await screen.findByText('No previews')).toBeInTheDocument();
  });

  it('says that the entity leads to no project', async () => {
    const api = new FixturePreviewsApi({ previews: [] });
    api.summary = { onboarded: false };
    await renderFace(card, { api });
    expect(
      await screen.findByText(/leads from this entity to a GitLab project/),
    ).toBeInTheDocument();
  });

  it('names the missing permission', async () => {
    const api = new FixturePreviewsApi();
    api.failure = await createResponseError(403);
    await renderFace(card, { api });
    expect(
      await screen.findByText('You are not allowed to see previews'),
    ).toBeInTheDocument();
  });

  it('finds the tab of the entity whose page it is on', async () => {
    await renderFace(<EntityPreviewsCard />);
    expect(
      await screen.findByRole('link', { name: '!117 Faster checkout' }),
    ).toHaveAttribute(
      'href',
      '/catalog/default/component/shop/previews?preview=p-42-117',
    );
  });
});
