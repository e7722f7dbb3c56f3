import { Entity } from '@backstage/catalog-model';
import { Content, Header, Page } from '@backstage/core-components';
import { createRoutableExtension } from '@backstage/core-plugin-api';
import { createDevApp } from '@backstage/dev-utils';
import {
  catalogApiRef,
  EntityProvider,
  entityRouteRef,
} from '@backstage/plugin-catalog-react';
import { PropsWithChildren } from 'react';
import { previewsApiRef } from '../src/api';
import {
  EntityPreviewsCard,
  EntityPreviewsContent,
  previewsPlugin,
} from '../src';
import { createStaleSources } from '../src/testing/fixtures';
import { FixturePreviewsApi } from '../src/testing/FixturePreviewsApi';

function createEntity(name: string): Entity {
  return {
    apiVersion: 'backstage.io/v1alpha1',
    kind: 'Component',
    metadata: {
      name,
      namespace: 'default',
      annotations: { 'gitlab.com/project-slug': `group/${name}` },
    },
    spec: { type: 'service', owner: 'team', lifecycle: 'production' },
  };
}

const shop = new FixturePreviewsApi({ now: Date.now() });
const quiet = new FixturePreviewsApi({ now: Date.now(), previews: [] });
const bare = new FixturePreviewsApi({ now: Date.now(), previews: [] });
bare.summary = { onboarded: false };
const stale = new FixturePreviewsApi({ now: Date.now() });
stale.sources = createStaleSources(Date.now());
stale.previews = stale.previews.map(preview => ({
  ...preview,
  stale: ['gitlab:gitlab.example.com'],
}));

const apis: Record<string, FixturePreviewsApi> = { shop, stale, quiet, bare };

/** One API for the app, which answers by the entity that is asked about. */
const api = new FixturePreviewsApi({ now: Date.now() });
api.listPreviews = request =>
  apis[request?.entityRef?.split('/').pop() ?? 'shop'].listPreviews(request);
api.getEntitySummary = entityRef =>
  apis[entityRef.split('/').pop() ?? 'shop'].getEntitySummary(entityRef);

function EntityPage(props: PropsWithChildren<{ name: string }>) {
  return (
    <EntityProvider entity={createEntity(props.name)}>
      <Page themeId="service">
        <Header title={props.name} />
        <Content>{props.children}</Content>
      </Page>
    </EntityProvider>
  );
}

/** Where the card's links lead. */
const ShopPage = previewsPlugin.provide(
  createRoutableExtension({
    name: 'ShopPage',
    component: async () => () =>
      (
        <EntityPage name="shop">
          <EntityPreviewsContent />
        </EntityPage>
      ),
    mountPoint: entityRouteRef,
  }),
);

const app = createDevApp()
  .registerPlugin(previewsPlugin)
  .registerApi({ api: previewsApiRef, deps: {}, factory: () => api })
  .registerApi({
    api: catalogApiRef,
    deps: {},
    factory: () => ({ getEntityByRef: async () => undefined } as never),
  })
  .addPage({
    path: '/catalog/:namespace/:kind/:name',
    element: <ShopPage />,
  })
  .addPage({
    path: '/card',
    title: 'Card',
    element: (
      <EntityPage name="shop">
        <EntityPreviewsCard />
      </EntityPage>
    ),
  });

for (const name of Object.keys(apis)) {
  app.addPage({
    path: `/${name}`,
    title: name,
    element: (
      <EntityPage name={name}>
        <EntityPreviewsContent />
      </EntityPage>
    ),
  });
}

app.render();
