import {
  AuthService,
  PermissionsRegistryService,
  PermissionsService,
} from '@backstage/backend-plugin-api';
import { CatalogService } from '@backstage/plugin-catalog-node';
import { createConditionTransformer } from '@backstage/plugin-permission-node';
import { AcmeLimits } from '../stats';
import { PreviewStore } from '../store';
import { AuthorizedPreviewsService } from './AuthorizedPreviewsService';
import { CatalogAccess } from './CatalogAccess';
import {
  previewPermissionResourceRef,
  registerPermissions,
} from './permissions';
import { PreviewsService, RefreshPort } from './PreviewsService';
import { SignalHints } from './SignalHints';
import { StorePreviewsService } from './StorePreviewsService';

/**
 * The service that the router answers from, with its checks around it.
 *
 * Also registers the permissions: the checks read conditions through the same
 * registry, so that one cannot be made without the other. Call it while the
 * plugin initialises.
 */
export function createPreviewsService(options: {
  store: PreviewStore;
  catalog: CatalogService;
  permissions: PermissionsService;
  permissionsRegistry: PermissionsRegistryService;
  auth: AuthService;
  refresh: RefreshPort;
  /** Without it, answers name no channel and clients poll. */
  signals?: SignalHints;
  /** Default: those of Let's Encrypt. */
  acmeLimits?: AcmeLimits;
  /** Default: the machine's clock. */
  clock?: () => Date;
}): PreviewsService {
  const { store, catalog, permissions, permissionsRegistry, auth } = options;
  registerPermissions({ permissionsRegistry, store, catalog, auth });
  return new AuthorizedPreviewsService({
    service: new StorePreviewsService({
      store,
      refresh: options.refresh,
      signals: options.signals,
      acmeLimits: options.acmeLimits,
      clock: options.clock,
    }),
    store,
    catalog: new CatalogAccess({ catalog, auth }),
    permissions,
    auth,
    transformConditions: createConditionTransformer(
      permissionsRegistry.getPermissionRuleset(previewPermissionResourceRef),
    ),
  });
}
