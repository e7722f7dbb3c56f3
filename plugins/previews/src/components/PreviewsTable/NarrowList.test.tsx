import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { withNarrowScreen } from '../../testing/__testUtils__/narrowScreen';
import { renderFace } from '../../testing/__testUtils__/renderFace';
import { certificateSituations } from '../../testing/certificates';
import { createPreviews } from '../../testing/fixtures';
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
