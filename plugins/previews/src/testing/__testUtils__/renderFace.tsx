import { Entity } from '@backstage/catalog-model';
import {
  AnyApiRef,
  configApiRef,
  identityApiRef,
} from '@backstage/core-plugin-api';
import {
  catalogApiRef,
  EntityProvider,
  entityRouteRef,
} from '@backstage/plugin-catalog-react';
import { signalApiRef } from '@backstage/plugin-signals-react';
import {
  mockApis,
  renderInTestApp,
  TestApiProvider,
} from '@backstage/test-utils';
import { ReactElement } from 'react';
import { useLocation } from 'react-router-dom';
import { previewsApiRef } from '../../api';
import { TemplatesProvider } from '../../links';
import { kubernetesRouteRef, templateRouteRef } from '../../routes';
import { WordsProvider } from '../../words';
import { fixtureNow } from '../fixtures';
import { FixturePreviewsApi } from '../FixturePreviewsApi';

export const shopEntity: Entity = {
  apiVersion: 'backstage.io/v1alpha1',
  kind: 'Component',
  metadata: {
    name: 'shop',
    namespace: 'default',
    annotations: { 'gitlab.com/project-slug': 'group/shop' },
  },
  spec: { type: 'service', owner: 'team', lifecycle: 'production' },
};

const USER_REF = 'user:default/dev2';

/** A signed-in user whose entity carries a GitLab login. */
function userEntity(login: string | undefined): Entity {
  return {
    apiVersion: 'backstage.io/v1alpha1',
    kind: 'User',
    metadata: {
      name: 'dev2',
      annotations: login ? { 'gitlab.example.com/user-login': login } : {},
    },
    spec: {},
  };
}

/** Signals that a test sends by hand. */
export class ManualSignals {
  readonly #listeners = new Map<string, Set<() => void>>();

  subscribe(channel: string, onMessage: (message: any) => void) {
    const listeners = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, listeners);
    const listener = () => onMessage({});
    listeners.add(listener);
    return { unsubscribe: () => listeners.delete(listener) };
  }

  send(channel: string) {
    this.#listeners.get(channel)?.forEach(listener => listener());
  }

  has(channel: string): boolean {
    return (this.#listeners.get(channel)?.size ?? 0) > 0;
  }
}

/** Shows the address, so that tests can see what is in it. */
function Address() {
  const { search } = useLocation();
  return <output data-testid="address">{search}</output>;
}

/** Renders part of the face at the moment that the fixtures are made for. */
export async function renderFace(
  element: ReactElement,
  options: {
    api?: FixturePreviewsApi;
    search?: string;
    login?: string;
    signals?: ManualSignals;
    entity?: Entity;
    path?: string;
    /** Path of the entity's Kubernetes tab; default is a portal without that plugin. */
    kubernetesTab?: string;
    /** Whether the portal has a scaffolder; default is one without. */
    withScaffolder?: boolean;
    /** Configuration of the portal. */
    config?: { previews?: object };
  } = {},
): Promise<{ api: FixturePreviewsApi; unmount(): void }> {
  const api = options.api ?? new FixturePreviewsApi();
  const apis: [AnyApiRef, unknown][] = [
    [previewsApiRef, api],
    [configApiRef, mockApis.config({ data: { ...options.config } as never })],
    [identityApiRef, mockApis.identity({ userEntityRef: USER_REF })],
    [catalogApiRef, { getEntityByRef: async () => userEntity(options.login) }],
  ];
  if (options.signals) {
    apis.push([signalApiRef, options.signals]);
  }
  const { unmount } = await renderInTestApp(
    <TestApiProvider apis={apis as never}>
      <EntityProvider entity={options.entity ?? shopEntity}>
        <WordsProvider clock={() => fixtureNow}>
          <TemplatesProvider>{element}</TemplatesProvider>
        </WordsProvider>
      </EntityProvider>
      <Address />
    </TestApiProvider>,
    {
      routeEntries: [`${options.path ?? '/'}${options.search ?? ''}`],
      mountedRoutes: {
        '/catalog/:namespace/:kind/:name': entityRouteRef,
        ...(options.kubernetesTab && {
          [options.kubernetesTab]: kubernetesRouteRef,
        }),
        ...(options.withScaffolder && {
          '/create/templates/:namespace/:templateName': templateRouteRef,
        }),
      },
    },
  );
  return { api, unmount };
}
