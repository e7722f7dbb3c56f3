import { Entity } from '@backstage/catalog-model';
import { Content, Header, Page } from '@backstage/core-components';
import {
  createPlugin,
  createRoutableExtension,
  createRouteRef,
} from '@backstage/core-plugin-api';
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
import {
  createChecks,
  createStaleSources,
  createTiers,
  withoutCertificates,
} from '../src/testing/fixtures';
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
shop.summary = {
  tiers: createTiers(Date.now()),
  checks: createChecks(Date.now()),
};
const quiet = new FixturePreviewsApi({ now: Date.now(), previews: [] });
const bare = new FixturePreviewsApi({ now: Date.now(), previews: [] });
bare.summary = { onboarded: false, checks: createChecks(Date.now()) };
const stale = new FixturePreviewsApi({ now: Date.now() });
stale.sources = createStaleSources(Date.now());
stale.summary = {
  tiers: createTiers(Date.now()).map(tier => ({
    ...tier,
    health: 'Degraded',
    sync: 'OutOfSync',
    stale: ['gitlab:gitlab.example.com'],
  })),
  checks: {
    ...createChecks(Date.now()),
    results: [],
    counts: {},
    incomplete: ['gitlab:gitlab.example.com'],
  },
};
stale.previews = stale.previews.map(preview => ({
  ...preview,
  stale: ['gitlab:gitlab.example.com'],
}));

const denied = new FixturePreviewsApi({ now: Date.now() });
denied.previews = denied.previews.map(withoutCertificates);

const apis: Record<string, FixturePreviewsApi> = {
  shop,
  stale,
  denied,
  quiet,
  bare,
};

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

const templateRouteRef = createRouteRef({
  id: 'selected-template',
  params: ['namespace', 'templateName'],
});

/** Stands where a portal has the scaffolder, so that there are buttons to it. */
const scaffolderPlugin = createPlugin({
  id: 'scaffolder',
  routes: { selectedTemplate: templateRouteRef },
});

const TemplatePage = scaffolderPlugin.provide(
  createRoutableExtension({
    name: 'TemplatePage',
    component: async () => () =>
      <pre>{new URLSearchParams(window.location.search).get('formData')}</pre>,
    mountPoint: templateRouteRef,
  }),
);

const app = createDevApp()
  .registerPlugin(previewsPlugin)
  .registerPlugin(scaffolderPlugin)
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
    path: '/create/templates/:namespace/:templateName',
    element: <TemplatePage />,
  });

for (const name of Object.keys(apis)) {
  app
    .addPage({
      path: `/${name}`,
      title: name,
      element: (
        <EntityPage name={name}>
          <EntityPreviewsContent />
        </EntityPage>
      ),
    })
    .addPage({
      path: `/card/${name}`,
      title: `Card of ${name}`,
      element: (
        <EntityPage name={name}>
          <EntityPreviewsCard />
        </EntityPage>
      ),
    });
}

app.render();
