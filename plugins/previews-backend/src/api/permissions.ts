import {
  AuthService,
  PermissionsRegistryService,
} from '@backstage/backend-plugin-api';
import { CatalogService } from '@backstage/plugin-catalog-node';
import {
  createConditionExports,
  createPermissionResourceRef,
  createPermissionRule,
} from '@backstage/plugin-permission-node';
import { RELATION_OWNED_BY } from '@backstage/catalog-model';
import {
  auditReadPermission,
  previewReadPermission,
  previewRefreshPermission,
  RESOURCE_TYPE_PREVIEW,
  sourceReadPermission,
  statsReadPermission,
} from '@previews/backstage-plugin-previews-common';
import { z } from 'zod';
import { PreviewStore } from '../store';

/**
 * A preview as permission rules judge it.
 *
 * @public
 */
export interface PreviewPermissionResource {
  id: string;
  /** Entities that claim it. */
  entityRefs: string[];
  /** Owners of those entities. */
  owners: string[];
}

/**
 * What a rule asks of the store: one of these entities, or an entity of one of
 * these owners.
 *
 * @public
 */
export type PreviewPermissionFilter =
  | { entityRefs: string[] }
  | { owners: string[] };

/** @public */
export const previewPermissionResourceRef = createPermissionResourceRef<
  PreviewPermissionResource,
  PreviewPermissionFilter
>().with({ pluginId: 'previews', resourceType: RESOURCE_TYPE_PREVIEW });

const hasEntity = createPermissionRule({
  name: 'HAS_ENTITY',
  description: 'Allow previews of any of the given entities',
  resourceRef: previewPermissionResourceRef,
  paramsSchema: z.object({
    entityRefs: z
      .array(z.string())
      .describe('Full entity refs, such as component:default/web'),
  }),
  apply: (preview, { entityRefs }) =>
    preview.entityRefs.some(ref => entityRefs.includes(ref)),
  toQuery: ({ entityRefs }) => ({ entityRefs }),
});

const hasOwner = createPermissionRule({
  name: 'HAS_OWNER',
  description: 'Allow previews of entities that any of the given owners owns',
  resourceRef: previewPermissionResourceRef,
  paramsSchema: z.object({
    owners: z
      .array(z.string())
      .describe('Full entity refs of users and groups'),
  }),
  apply: (preview, { owners }) =>
    preview.owners.some(owner => owners.includes(owner)),
  toQuery: ({ owners }) => ({ owners }),
});

/**
 * The rules that conditional policies can use.
 *
 * @public
 */
export const previewPermissionRules = { hasEntity, hasOwner };

const exportedConditions = createConditionExports({
  resourceRef: previewPermissionResourceRef,
  rules: previewPermissionRules,
});

/**
 * Conditions for policies, such as `previewConditions.hasOwner({ owners })`.
 *
 * @public
 */
export const previewConditions = exportedConditions.conditions;

/**
 * Wraps conditions into the decision of a policy.
 *
 * @public
 */
export const createPreviewConditionalDecision =
  exportedConditions.createConditionalDecision;

/**
 * Makes the permissions, the resource type and its rules known to the permission
 * framework. Goes before the plugin has started.
 */
export function registerPermissions(options: {
  permissionsRegistry: PermissionsRegistryService;
  store: PreviewStore;
  catalog: CatalogService;
  auth: AuthService;
}): void {
  const { permissionsRegistry, store, catalog, auth } = options;
  permissionsRegistry.addResourceType({
    resourceRef: previewPermissionResourceRef,
    permissions: [previewReadPermission, previewRefreshPermission],
    rules: Object.values(previewPermissionRules),
    // Asked by the permission framework itself to judge one preview; what is
    // read here reaches no user, so that the plugin's own credentials are right.
    async getResources(ids) {
      return Promise.all(
        ids.map(async id => {
          const found = await store.get(id, { withoutEntity: true });
          if (!found) {
            return undefined;
          }
          const { entityRefs } = found.preview;
          if (entityRefs.length === 0) {
            return { id, entityRefs, owners: [] };
          }
          const { items } = await catalog.getEntitiesByRefs(
            { entityRefs },
            { credentials: await auth.getOwnServiceCredentials() },
          );
          const owners = items.flatMap(
            entity =>
              entity?.relations
                ?.filter(({ type }) => type === RELATION_OWNED_BY)
                .map(({ targetRef }) => targetRef) ?? [],
          );
          return { id, entityRefs, owners: [...new Set(owners)] };
        }),
      );
    },
  });
  permissionsRegistry.addPermissions([
    statsReadPermission,
    sourceReadPermission,
    auditReadPermission,
  ]);
}
