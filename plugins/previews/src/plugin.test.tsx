import { screen } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import {
  EntityPreviewsCard,
  EntityPreviewsContent,
  isPreviewsAvailable,
  previewsApiRef,
  previewsPlugin,
} from './index';
import { FixturePreviewsApi } from './testing/FixturePreviewsApi';
import { createPreviews } from './testing/fixtures';
import { renderFace, shopEntity } from './testing/__testUtils__/renderFace';

const tabAtItsPath = (
  <Routes>
    <Route path="/previews" element={<EntityPreviewsContent />} />
  </Routes>
);

describe('the plugin in the legacy frontend system', () => {
  it('has an id and the factory of its API', () => {
    expect(previewsPlugin.getId()).toBe('previews');
    expect([...previewsPlugin.getApis()].map(({ api }) => api)).toEqual([
      previewsApiRef,
    ]);
    expect(isPreviewsAvailable(shopEntity)).toBe(true);
  });

  it('provides the tab', async () => {
    await renderFace(tabAtItsPath, { path: '/previews' });
    expect(await screen.findByText('Faster checkout')).toBeInTheDocument();
  });

  it('provides the card', async () => {
    await renderFace(<EntityPreviewsCard />);
    expect(await screen.findByText(/Faster checkout/)).toBeInTheDocument();
  });

  describe('leads to the logs', () => {
    const kubernetesTab = '/kubernetes-of-shop';
    const withKubernetes = {
      ...shopEntity,
      metadata: {
        ...shopEntity.metadata,
        annotations: {
          ...shopEntity.metadata.annotations,
          'backstage.io/kubernetes-id': 'shop',
        },
      },
    };

    function apiWithoutArgocd() {
      const api = new FixturePreviewsApi();
      api.previews = createPreviews().map(preview => ({
        ...preview,
        applications: preview.applications.map(application => ({
          ...application,
          webUrl: undefined,
        })),
      }));
      return api;
    }

    it.each([
      ['tab', tabAtItsPath],
      ['card', <EntityPreviewsCard />],
    ])('in the Kubernetes tab from the %s', async (_, element) => {
      await renderFace(element, {
        path: '/previews',
        api: apiWithoutArgocd(),
        entity: withKubernetes,
        kubernetesTab,
      });
      const links = await screen.findAllByRole('link', {
        name: 'See the logs',
      });
      expect(links[0]).toHaveAttribute('href', kubernetesTab);
    });

    it.each([
      ['of a portal without the Kubernetes plugin', withKubernetes, undefined],
      ['of an entity without a Kubernetes tab', shopEntity, kubernetesTab],
    ])('nowhere on the page %s', async (_, entity, path) => {
      await renderFace(tabAtItsPath, {
        path: '/previews',
        api: apiWithoutArgocd(),
        entity,
        kubernetesTab: path,
      });
      expect(await screen.findByText('Faster checkout')).toBeInTheDocument();
      expect(
        screen.queryByRole('link', { name: /See the logs/ }),
      ).not.toBeInTheDocument();
    });
  });
});
