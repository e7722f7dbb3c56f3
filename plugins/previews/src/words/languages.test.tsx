import { screen } from '@testing-library/react';
import {
  renderInTestApp,
  TestApiProvider,
} from '@backstage/frontend-test-utils';
import {
  catalogApiRef,
  EntityProvider,
  entityRouteRef,
} from '@backstage/plugin-catalog-react';
import { previewsApiRef } from '../api';
import { PreviewsTab } from '../components/PreviewsTab/PreviewsTab';
import { shopEntity } from '../testing/__testUtils__/renderFace';
import { fixtureNow } from '../testing/fixtures';
import { FixturePreviewsApi } from '../testing/FixturePreviewsApi';
import { WordsProvider } from './WordsProvider';

function renderIn(language: string) {
  renderInTestApp(
    <TestApiProvider
      apis={[
        [previewsApiRef, new FixturePreviewsApi()],
        [catalogApiRef, { getEntityByRef: async () => undefined } as never],
      ]}
    >
      <EntityProvider entity={shopEntity}>
        <WordsProvider clock={() => fixtureNow}>
          <PreviewsTab entityRef="component:default/shop" />
        </WordsProvider>
      </EntityProvider>
    </TestApiProvider>,
    {
      mountedRoutes: { '/catalog/:namespace/:kind/:name': entityRouteRef },
      config: {
        app: {
          extensions: [
            {
              'api:app/app-language': {
                config: {
                  defaultLanguage: language,
                  availableLanguages: ['en', 'ca', 'fr', 'es'],
                },
              },
            },
          ],
        },
      },
    },
  );
}

describe('the face in the language of the portal', () => {
  it.each([
    ['en', /^2 live/, /keeps crashing/],
    ['ca', /^2 en servei/, /contenidor api/],
    ['fr', /^2 en ligne/, /conteneur api/],
    ['es', /^2 en servicio/, /contenedor api/],
  ])(
    'is told in %s, words and sentences',
    async (language, words, sentence) => {
      localStorage.clear();
      renderIn(language);
      expect(await screen.findByText(words)).toBeInTheDocument();
      expect(await screen.findByText(sentence)).toBeInTheDocument();
    },
  );
});
