import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { PreviewDrawer } from './components/PreviewDrawer';
import { PreviewsCard } from './components/PreviewsCard/PreviewsCard';
import { PreviewsTab } from './components/PreviewsTab/PreviewsTab';
import { findViolations } from './testing/__testUtils__/findViolations';
import { createAlarm, createStaleSources } from './testing/fixtures';
import { FixturePreviewsApi } from './testing/FixturePreviewsApi';
import { withNarrowScreen } from './testing/__testUtils__/narrowScreen';
import { renderFace } from './testing/__testUtils__/renderFace';

const tab = <PreviewsTab entityRef="component:default/shop" />;

// axe walks every node of a page full of rows, on a machine that may have much to do.
jest.setTimeout(60_000);

describe('axe finds no violation', () => {
  it('on the tab with every phase and a stale source', async () => {
    const api = new FixturePreviewsApi();
    api.sources = createStaleSources();
    api.findings = [createAlarm(api.previews)];
    await renderFace(tab, { api, login: 'dev2' });
    await screen.findByText('Faster checkout');
    await screen.findByRole('checkbox', { name: 'Mine' });
    expect(await findViolations(document.body)).toEqual([]);
  });

  it('on the tab of an entity without previews', async () => {
    const api = new FixturePreviewsApi({ previews: [] });
    api.summary = { onboarded: false };
    await renderFace(tab, { api });
    await screen.findByText('This entity has no previews yet');
    expect(await findViolations(document.body)).toEqual([]);
  });

  it('on the tab of a narrow screen', async () => {
    await withNarrowScreen(async () => {
      await renderFace(tab);
      await screen.findByText('Faster checkout');
      expect(await findViolations(document.body)).toEqual([]);
    });
  });

  it('on the list of sources', async () => {
    await renderFace(tab);
    await userEvent.click(
      await screen.findByRole('button', { name: 'Fresh 8 s ago' }),
    );
    expect(await findViolations(await screen.findByRole('dialog'))).toEqual([]);
  });

  it('on the drawer with all sections open', async () => {
    await renderFace(<PreviewDrawer id="p-42-119" onClose={() => {}} />);
    await screen.findByRole('heading', { level: 2 });
    for (const name of [
      /^Conditions/,
      /^Certificate mr/,
      /^Route shop/,
      /^Resources/,
      /^Timeline/,
    ]) {
      await userEvent.click(screen.getByRole('button', { name }));
    }
    await screen.findByRole('list', { name: 'Timeline' });
    expect(await findViolations(document.body)).toEqual([]);
  });

  it('on the card', async () => {
    await renderFace(
      <PreviewsCard
        entityRef="component:default/shop"
        tab="/previews"
        onOpenTab={() => {}}
      />,
    );
    await screen.findByText('Needs a person: !119');
    expect(await findViolations(document.body)).toEqual([]);
  });
});
