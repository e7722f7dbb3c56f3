import {
  BackstageCredentials,
  coreServices,
  createBackendPlugin,
  createServiceFactory,
} from '@backstage/backend-plugin-api';
import {
  mockServices,
  startTestBackend,
  TestBackend,
} from '@backstage/backend-test-utils';
import {
  actionsRegistryServiceMock,
  MockActionsRegistry,
} from '@backstage/backend-test-utils/alpha';
import { Entity, stringifyEntityRef } from '@backstage/catalog-model';
import { catalogServiceRef } from '@backstage/plugin-catalog-node';
import {
  catalogServiceMock,
  CatalogServiceMock,
} from '@backstage/plugin-catalog-node/testUtils';
import {
  AuthorizeResult,
  PolicyDecision,
} from '@backstage/plugin-permission-common';
import { Knex } from 'knex';
import { registerActions } from '../../actions';
import { createPreviewsService, createRouter, SignalHints } from '../../api';
import { MergeRequestKey } from '../../model';
import { DatabasePreviewStore, LeaseTerm } from '../../store';
import { databaseServiceOf } from './databases';

/** Decision of the policy, by the permission's name; what is not named is allowed. */
export type Policy = Record<string, PolicyDecision>;

export interface StartedApi {
  server: TestBackend['server'];
  store: DatabasePreviewStore;
  term: LeaseTerm;
  /** Actions, as a client of the actions registry sees them. */
  actions: MockActionsRegistry;
  /** Keys that a refresh was asked for. */
  refreshed: MergeRequestKey[];
  catalog: { getEntitiesByRefs: jest.Mock; getEntities: jest.Mock };
  /** As if the last refreshes were long ago. */
  clearRefreshLog(): Promise<void>;
  stop(): Promise<void>;
}

export function entity(name: string, owner = 'group:default/web'): Entity {
  return {
    apiVersion: 'backstage.io/v1alpha1',
    kind: 'Component',
    metadata: { name, namespace: 'default' },
    relations: [{ type: 'ownedBy', targetRef: owner }],
  };
}

/** A catalog that shows each caller only what is not hidden from them. */
function catalogOf(options: {
  entities: Entity[];
  hidden: Record<string, string[]>;
}) {
  const whole = catalogServiceMock({ entities: options.entities });
  const shows = (credentials: BackstageCredentials, ref: string) => {
    const { userEntityRef } = credentials.principal as {
      userEntityRef?: string;
    };
    return !options.hidden[userEntityRef ?? '']?.includes(ref);
  };
  return {
    getEntitiesByRefs: jest.fn<
      ReturnType<CatalogServiceMock['getEntitiesByRefs']>,
      any[]
    >(async (request, { credentials }) => {
      const { items } = await whole.getEntitiesByRefs(request);
      return {
        items: items.map(item =>
          item && shows(credentials, stringifyEntityRef(item))
            ? item
            : undefined,
        ),
      };
    }),
    getEntities: jest.fn<ReturnType<CatalogServiceMock['getEntities']>, any[]>(
      async (request, { credentials }) => {
        const { items } = await whole.getEntities(request);
        return {
          items: items.filter(item =>
            shows(credentials, stringifyEntityRef(item)),
          ),
        };
      },
    ),
  };
}

/** The API in a real backend, without sources and engine: tests fill the store. */
export async function startApi(options: {
  knex: Knex;
  entities?: Entity[];
  /** Entity refs that the catalog hides, by user. */
  hidden?: Record<string, string[]>;
  policy?: Policy;
  /** Default: the machine's clock. */
  clock?: () => Date;
}): Promise<StartedApi> {
  const { knex, entities = [], hidden = {}, policy = {} } = options;
  const database = databaseServiceOf(knex);
  const store = await DatabasePreviewStore.create({ database });
  const term = await store.acquireLease({
    holder: 'test',
    durationSeconds: 600,
  });
  if (!term) {
    throw new Error('The lease is not free');
  }
  const refreshed: MergeRequestKey[] = [];
  const actions = actionsRegistryServiceMock();
  const catalog = catalogOf({ entities, hidden });
  const signals: SignalHints = {
    channelFor: async scope =>
      `channel-${scope === 'all' ? 'all' : scope.entityRef}`,
  };
  const decide = (name: string): PolicyDecision =>
    policy[name] ?? { result: AuthorizeResult.ALLOW };

  const plugin = createBackendPlugin({
    pluginId: 'previews',
    register(env) {
      env.registerInit({
        deps: {
          auth: coreServices.auth,
          catalog: catalogServiceRef,
          httpAuth: coreServices.httpAuth,
          httpRouter: coreServices.httpRouter,
          permissions: coreServices.permissions,
          permissionsRegistry: coreServices.permissionsRegistry,
        },
        async init(deps) {
          const service = createPreviewsService({
            ...deps,
            store,
            signals,
            clock: options.clock,
            refresh: {
              requestRefresh: async key => {
                refreshed.push(key);
              },
            },
          });
          deps.httpRouter.use(createRouter({ ...deps, service }));
          registerActions({ actionsRegistry: actions, service });
        },
      });
    },
  });

  const backend = await startTestBackend({
    features: [
      plugin,
      catalogServiceMock.mock(catalog as never).factory,
      createServiceFactory({
        service: coreServices.database,
        deps: {},
        factory: () => database,
      }),
      mockServices.permissions.mock({
        authorize: async requests =>
          requests.map(({ permission }) => ({
            result:
              decide(permission.name).result === AuthorizeResult.DENY
                ? AuthorizeResult.DENY
                : AuthorizeResult.ALLOW,
          })),
        authorizeConditional: async requests =>
          requests.map(({ permission }) => decide(permission.name)),
      }).factory,
    ],
  });
  return {
    server: backend.server,
    store,
    term,
    actions,
    refreshed,
    catalog,
    clearRefreshLog: async () => {
      await knex('refresh_log').delete();
    },
    stop: () => backend.stop(),
  };
}
