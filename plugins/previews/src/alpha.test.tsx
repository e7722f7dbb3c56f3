import { screen } from '@testing-library/react';
import {
  createExtensionTester,
  renderInTestApp,
  TestApiProvider,
} from '@backstage/frontend-test-utils';
import {
  catalogApiRef,
  EntityProvider,
  entityRouteRef,
} from '@backstage/plugin-catalog-react';
import {
  EntityCardBlueprint,
  EntityContentBlueprint,
} from '@backstage/plugin-catalog-react/alpha';
import { coreExtensionData } from '@backstage/frontend-plugin-api';
import previewsPlugin from './alpha';
import { previewsApiRef } from './api';
import { FixturePreviewsApi } from './testing/FixturePreviewsApi';
import { shopEntity } from './testing/__testUtils__/renderFace';

const content = previewsPlugin.getExtension('entity-content:previews');
const card = previewsPlugin.getExtension('entity-card:previews/overview');

function render(element: JSX.Element) {
  renderInTestApp(
    <TestApiProvider
      apis={[
        [previewsApiRef, new FixturePreviewsApi()],
        [catalogApiRef, { getEntityByRef: async () => undefined } as never],
      ]}
    >
      <EntityProvider entity={shopEntity}>{element}</EntityProvider>
    </TestApiProvider>,
    { mountedRoutes: { '/catalog/:namespace/:kind/:name': entityRouteRef } },
  );
}

describe('the plugin in the new frontend system', () => {
  it('adds the tab at /previews', async () => {
    const tester = createExtensionTester(content);
    expect(tester.get(coreExtensionData.routePath)).toBe('/previews');
    expect(tester.get(EntityContentBlueprint.dataRefs.title)).toBe('Previews');
    render(tester.reactElement());
    expect(await screen.findByText('Faster checkout')).toBeInTheDocument();
  });

  it('adds the card to the overview', async () => {
    render(createExtensionTester(card).reactElement());
    expect(await screen.findByText(/Faster checkout/)).toBeInTheDocument();
    expect(screen.getByText('Previews')).toBeInTheDocument();
  });

  it('shows both only where previews can be', () => {
    const filters = [
      createExtensionTester(content).get(
        EntityContentBlueprint.dataRefs.filterFunction,
      ),
      createExtensionTester(card).get(
        EntityCardBlueprint.dataRefs.filterFunction,
      ),
    ];
    const withAnnotations = (annotations: Record<string, string>) => ({
      ...shopEntity,
      metadata: { name: 'shop', annotations },
    });
    for (const filter of filters) {
      expect(filter?.(shopEntity)).toBe(true);
      expect(filter?.(withAnnotations({}))).toBe(false);
      // Asked for, though nothing leads to a project: the tab says what is missing.
      expect(filter?.(withAnnotations({ 'previews/enabled': 'true' }))).toBe(
        true,
      );
      expect(
        filter?.(
          withAnnotations({
            'gitlab.com/project-slug': 'group/shop',
            'previews/enabled': 'false',
          }),
        ),
      ).toBe(false);
    }
  });
});
