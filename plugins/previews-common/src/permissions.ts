import { createPermission } from '@backstage/plugin-permission-common';

/**
 * Resource type of a preview, for conditional decisions.
 *
 * @public
 */
export const RESOURCE_TYPE_PREVIEW = 'preview';

/** @public */
export const previewReadPermission = createPermission({
  name: 'previews.preview.read',
  attributes: { action: 'read' },
  resourceType: RESOURCE_TYPE_PREVIEW,
});

/** @public */
export const previewRefreshPermission = createPermission({
  name: 'previews.preview.refresh',
  attributes: { action: 'update' },
  resourceType: RESOURCE_TYPE_PREVIEW,
});

/**
 * Statistics of the previews that the caller may see.
 *
 * @public
 */
export const statsReadPermission = createPermission({
  name: 'previews.stats.read',
  attributes: { action: 'read' },
});

/**
 * Freshness and errors of every source, on the platform's page.
 *
 * @public
 */
export const sourceReadPermission = createPermission({
  name: 'previews.source.read',
  attributes: { action: 'read' },
});

/**
 * Previews without an entity, and what names accounts.
 *
 * @public
 */
export const auditReadPermission = createPermission({
  name: 'previews.audit.read',
  attributes: { action: 'read' },
});

/**
 * Every permission that the plugin checks.
 *
 * @public
 */
export const previewsPermissions = [
  previewReadPermission,
  previewRefreshPermission,
  statsReadPermission,
  sourceReadPermission,
  auditReadPermission,
];
