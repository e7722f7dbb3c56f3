import { screen, within } from '@testing-library/react';
import {
  Preview,
  PreviewTtl,
} from '@previews/backstage-plugin-previews-common';
import { renderFace } from '../../testing/__testUtils__/renderFace';
import { withNarrowScreen } from '../../testing/__testUtils__/narrowScreen';
import { createPreviews, fixtureNow } from '../../testing/fixtures';
import { FixturePreviewsApi } from '../../testing/FixturePreviewsApi';
import { PreviewDrawer } from '../PreviewDrawer';
import { PreviewsTab } from '../PreviewsTab/PreviewsTab';

const HOUR = 3_600_000;
const at = (hours: number) => new Date(fixtureNow + hours * HOUR).toISOString();

function apiWith(
  ttl: Partial<PreviewTtl> | undefined,
  reason?: Preview['reason'],
) {
  const [live] = createPreviews().filter(({ phase }) => phase === 'Live');
  const preview: Preview = {
    ...live,
    reason,
    message: undefined,
    ttl: ttl && {
      idleSince: at(-3),
      duration: 'P7D',
      from: 'configuration',
      expiresAt: at(13 * 24),
      near: false,
      ...ttl,
    },
  };
  return new FixturePreviewsApi({ previews: [preview] });
}

const tab = <PreviewsTab entityRef="component:default/shop" />;
const near = { idleSince: at(-150), expiresAt: at(20), near: true };

describe('the time to live', () => {
  it('is told in the drawer: how long it is idle, and until when it is kept', async () => {
    const api = apiWith({});
    await renderFace(
      <PreviewDrawer id={api.previews[0].id} onClose={() => {}} />,
      { api },
    );
    expect(await screen.findByText(/^idle 3 h · kept until/)).toHaveTextContent(
      /^idle 3 h · kept until (Dec 12, 2026|12 Dec 2026)$/,
    );
  });

  it('is no part of a row before its end is near', async () => {
    await renderFace(tab, { api: apiWith({}) });
    await screen.findByText('Live');
    expect(screen.queryByText(/kept until/)).not.toBeInTheDocument();
  });

  it('is a warning of the row when its end is near, and the phase stays', async () => {
    await renderFace(tab, { api: apiWith(near) });
    expect(await screen.findByText(/^idle 6 d · kept until/)).toBeVisible();
    const [, row] = screen.getAllByRole('row');
    expect(within(row).getByText('Live')).toBeVisible();
    expect(row).toHaveAccessibleDescription(/idle 6 d · kept until/);
  });

  it('is one where there is little room, too', async () => {
    await withNarrowScreen(async () => {
      await renderFace(tab, { api: apiWith(near) });
      expect(await screen.findByText(/^idle 6 d · kept until/)).toBeVisible();
    });
  });

  it('is not said twice where the sentence of the row tells of it', async () => {
    const reason = {
      type: 'MergeRequestOpen',
      reason: 'IdleNearEnd',
      params: { idleSince: near.idleSince, expiresAt: near.expiresAt },
    };
    await renderFace(tab, { api: apiWith(near, reason) });
    expect(
      await screen.findByText(/A push or a comment keeps it/),
    ).toBeVisible();
    expect(screen.queryByText(/kept until/)).not.toBeInTheDocument();
  });

  it('does not promise what is past', async () => {
    await renderFace(tab, { api: apiWith({ ...near, expiresAt: at(-1) }) });
    expect(await screen.findByText(/· was kept until/)).toBeVisible();
  });

  it.each([
    ['there is none', undefined],
    ['its end is no time', { ...near, expiresAt: 'soon' }],
  ])('is not told where %s', async (_, ttl) => {
    const api = apiWith(ttl);
    await renderFace(
      <PreviewDrawer id={api.previews[0].id} onClose={() => {}} />,
      { api },
    );
    await screen.findByRole('heading', { level: 2 });
    expect(screen.queryByText(/idle|kept/)).not.toBeInTheDocument();
  });
});
