import { screen } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import {
  EntityPreviewsCard,
  EntityPreviewsContent,
  isPreviewsAvailable,
  previewsApiRef,
  previewsPlugin,
} from './index';
import { renderFace, shopEntity } from './testing/__testUtils__/renderFace';

describe('the plugin in the legacy frontend system', () => {
  it('has an id and the factory of its API', () => {
    expect(previewsPlugin.getId()).toBe('previews');
    expect([...previewsPlugin.getApis()].map(({ api }) => api)).toEqual([
      previewsApiRef,
    ]);
    expect(isPreviewsAvailable(shopEntity)).toBe(true);
  });

  it('provides the tab', async () => {
    await renderFace(
      <Routes>
        <Route path="/previews" element={<EntityPreviewsContent />} />
      </Routes>,
      { path: '/previews' },
    );
    expect(await screen.findByText('Faster checkout')).toBeInTheDocument();
  });

  it('provides the card', async () => {
    await renderFace(<EntityPreviewsCard />);
    expect(await screen.findByText(/Faster checkout/)).toBeInTheDocument();
  });
});
