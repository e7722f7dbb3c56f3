import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { withNarrowScreen } from '../../testing/__testUtils__/narrowScreen';
import { renderFace } from '../../testing/__testUtils__/renderFace';
import { certificateSituations } from '../../testing/certificates';
import { createPreviews, createTiers } from '../../testing/fixtures';
import { FixturePreviewsApi } from '../../testing/FixturePreviewsApi';
import { PreviewsTab } from '../PreviewsTab/PreviewsTab';

describe('the tab on a narrow screen', () => {
  it('keeps phase and open first and opens the drawer from the row', async () => {
    await withNarrowScreen(async () => {
      await renderFace(<PreviewsTab entityRef="component:default/shop" />);
      const row = (await screen.findByText('Faster checkout')).closest('li')!;
      expect(screen.queryByRole('table')).not.toBeInTheDocument();
      expect(row.textContent).toMatch(/^LiveOpen2 h/);
      expect(
        within(row).getByRole('link', { name: /^Open the preview/ }),
      ).toHaveAttribute('href', 'https://mr-117.preview.example.com/');
      act(() => row.focus());
      await userEvent.keyboard('{Enter}');
      expect(
        await screen.findByRole('dialog', { name: '!117 Faster checkout' }),
      ).toBeInTheDocument();
    });
  });

  it('comes before what is told of all previews, and on a phone before the tiers', async () => {
    const api = new FixturePreviewsApi();
    api.summary = { tiers: createTiers() };
    const none = { count: 0, imprecise: 0, stages: [] };
    api.statistics = {
      overall: {
        spinUp: { ...none, p50Seconds: 270 },
        teardown: none,
        created: { total: 0, weeks: [] },
      },
    };
    const isBefore = (first: HTMLElement, second: HTMLElement) =>
      // eslint-disable-next-line no-bitwise -- how the DOM tells an order
      (first.compareDocumentPosition(second) &
        Node.DOCUMENT_POSITION_FOLLOWING) !==
      0;
    const parts = async () => ({
      row: await screen.findByText('Faster checkout'),
      statistics: await screen.findByRole('list', { name: 'Statistics' }),
      tiers: await screen.findByRole('list', { name: 'Environments' }),
    });
    await withNarrowScreen(async () => {
      const { unmount } = await renderFace(
        <PreviewsTab entityRef="component:default/shop" />,
        { api },
      );
      const { row, statistics, tiers } = await parts();
      expect(isBefore(row, statistics)).toBe(true);
      expect(isBefore(row, tiers)).toBe(true);
      unmount();
    });
    await withNarrowScreen(
      async () => {
        const { unmount } = await renderFace(
          <PreviewsTab entityRef="component:default/shop" />,
          { api },
        );
        const { row, statistics, tiers } = await parts();
        expect(isBefore(row, statistics)).toBe(true);
        expect(isBefore(tiers, row)).toBe(true);
        unmount();
      },
      { width: 800 },
    );
    await renderFace(<PreviewsTab entityRef="component:default/shop" />, {
      api,
    });
    const { row, statistics, tiers } = await parts();
    expect(isBefore(statistics, row)).toBe(true);
    expect(isBefore(tiers, row)).toBe(true);
  });

  it('warns of a certificate that ends soon, and of no other', async () => {
    await withNarrowScreen(async () => {
      await renderFace(<PreviewsTab entityRef="component:default/shop" />, {
        api: new FixturePreviewsApi({
          previews: [
            certificateSituations.expiresSoon(),
            ...createPreviews().filter(({ id }) => id !== 'p-42-117'),
          ],
        }),
      });
      const row = (await screen.findByText('Faster checkout')).closest('li')!;
      expect(row).toHaveTextContent(/Certificate ?9 d.*expires soon/);
      expect(screen.getAllByText('expires soon')).toHaveLength(1);
    });
  });
});
