import {
  AuthService,
  BackstageCredentials,
  PermissionsService,
} from '@backstage/backend-plugin-api';
import { NotAllowedError, NotFoundError } from '@backstage/errors';
import {
  AuthorizeResult,
  BasicPermission,
  PermissionCriteria,
  PolicyDecision,
  ResourcePermission,
} from '@backstage/plugin-permission-common';
import { ConditionTransformer } from '@backstage/plugin-permission-node';
import {
  auditReadPermission,
  EntitySummaryResponse,
  FindingResponse,
  HealthResponse,
  ListFindingsRequest,
  ListFindingsResponse,
  ListPreviewsRequest,
  ListPreviewsResponse,
  previewReadPermission,
  PreviewResponse,
  previewRefreshPermission,
  RefreshResponse,
  sourceReadPermission,
  SourcesResponse,
  StatsRequest,
  StatsResponse,
  statsReadPermission,
  TimelineResponse,
} from '@previews/backstage-plugin-previews-common';
import {
  FindingView,
  PreviewStore,
  Visibility,
  VisibilityCriteria,
} from '../store';
import { callerName, CatalogAccess } from './CatalogAccess';
import { CallerView } from './CallerView';
import { PreviewPermissionFilter } from './permissions';
import { CallerOptions, PreviewsService, Versioned } from './PreviewsService';
import { StorePreviewsService } from './StorePreviewsService';
import { meetsCriteria, toCriteria } from './toCriteria';

/**
 * Works out what the caller may see, and lets the service behind it answer for
 * that view only.
 *
 * A preview is visible when the policy allows it *and* the catalog returns at
 * least one of its entities to the caller. Previews that no entity claims are for
 * those who may read audits. Services pass the catalog's check: their tokens read
 * it whole.
 */
export class AuthorizedPreviewsService implements PreviewsService {
  readonly #service: StorePreviewsService;
  readonly #store: Pick<PreviewStore, 'entityRefs' | 'get'>;
  readonly #catalog: CatalogAccess;
  readonly #permissions: PermissionsService;
  readonly #auth: AuthService;
  readonly #transformConditions: ConditionTransformer<PreviewPermissionFilter>;

  constructor(options: {
    service: StorePreviewsService;
    store: Pick<PreviewStore, 'entityRefs' | 'get'>;
    catalog: CatalogAccess;
    permissions: PermissionsService;
    auth: AuthService;
    transformConditions: ConditionTransformer<PreviewPermissionFilter>;
  }) {
    this.#service = options.service;
    this.#store = options.store;
    this.#catalog = options.catalog;
    this.#permissions = options.permissions;
    this.#auth = options.auth;
    this.#transformConditions = options.transformConditions;
  }

  async list(
    request: ListPreviewsRequest,
    options: CallerOptions,
  ): Promise<Versioned<ListPreviewsResponse>> {
    return this.#service.list(
      request,
      await this.#viewFor(request.entityRef, options),
    );
  }

  async get(
    id: string,
    options: CallerOptions,
  ): Promise<Versioned<PreviewResponse>> {
    return this.#service.get(id, await this.#viewOfPreview(id, options));
  }

  async timeline(
    id: string,
    request: { limit?: number; cursor?: string },
    options: CallerOptions,
  ): Promise<Versioned<TimelineResponse>> {
    return this.#service.timeline(
      id,
      request,
      await this.#viewOfPreview(id, options),
    );
  }

  async refresh(id: string, options: CallerOptions): Promise<RefreshResponse> {
    const { credentials } = options;
    const refreshable = await this.#criteriaOf(
      previewRefreshPermission,
      credentials,
    );
    const view = await this.#viewOfPreview(id, options);
    const narrowed: Visibility = {
      ...view.visibility,
      criteria: both(view.visibility.criteria, refreshable),
    };
    const [seen, allowed] = await Promise.all([
      this.#store.get(id, view.visibility),
      this.#store.get(id, narrowed),
    ]);
    if (seen && !allowed) {
      throw notAllowed(previewRefreshPermission);
    }
    return this.#service.refresh(id, view);
  }

  async summary(
    entityRef: string,
    options: CallerOptions,
  ): Promise<Versioned<EntitySummaryResponse>> {
    const view = await this.#viewOf([entityRef], options);
    if (!(await view.readable([entityRef])).has(entityRef)) {
      throw new NotFoundError(`No entity '${entityRef}'`);
    }
    return this.#service.summary(entityRef, view, {
      seesAccounts: await this.#isAllowed(
        auditReadPermission,
        options.credentials,
      ),
    });
  }

  async stats(
    request: StatsRequest,
    options: CallerOptions,
  ): Promise<Versioned<StatsResponse>> {
    if (!(await this.#isAllowed(statsReadPermission, options.credentials))) {
      throw notAllowed(statsReadPermission);
    }
    return this.#service.stats(
      request,
      await this.#viewFor(request.entityRef, options),
    );
  }

  async findings(
    request: ListFindingsRequest,
    options: CallerOptions,
  ): Promise<Versioned<ListFindingsResponse>> {
    return this.#service.findings(
      request,
      await this.#findingView(options, request.entityRef),
    );
  }

  async finding(
    id: string,
    options: CallerOptions,
  ): Promise<Versioned<FindingResponse>> {
    return this.#service.finding(id, await this.#findingView(options));
  }

  async sources(options: CallerOptions): Promise<Versioned<SourcesResponse>> {
    await this.#requireSourceRead(options);
    return this.#service.sources();
  }

  async health(options: CallerOptions): Promise<HealthResponse> {
    await this.#requireSourceRead(options);
    return this.#service.health();
  }

  async #requireSourceRead({ credentials }: CallerOptions): Promise<void> {
    if (!(await this.#isAllowed(sourceReadPermission, credentials))) {
      throw notAllowed(sourceReadPermission);
    }
  }

  async #findingView(
    options: CallerOptions,
    entityRef?: string,
  ): Promise<FindingView> {
    if (await this.#isAllowed(auditReadPermission, options.credentials)) {
      return { everything: true, visibility: { withoutEntity: true } };
    }
    const { visibility } = await this.#viewFor(entityRef, options);
    return { everything: false, visibility };
  }

  #viewFor(
    entityRef: string | undefined,
    options: CallerOptions,
  ): Promise<CallerView> {
    return entityRef === undefined
      ? this.#viewOfAll(options)
      : this.#viewOf([entityRef], options);
  }

  /** What the caller sees of all previews. */
  async #viewOfAll(options: CallerOptions): Promise<CallerView> {
    const { credentials } = options;
    const [criteria, withoutEntity, stored] = await Promise.all([
      this.#criteriaOf(previewReadPermission, credentials),
      this.#isAllowed(auditReadPermission, credentials),
      this.#readsWholeCatalog(credentials) ? [] : this.#store.entityRefs(),
    ]);
    const view = await this.#view({
      credentials,
      entityRefs: stored,
      criteria,
      withoutEntity,
    });
    const readable = view.visibility.entityRefs;
    return {
      ...view,
      seesEverything:
        withoutEntity &&
        criteria === undefined &&
        (readable === undefined || readable.length === stored.length),
    };
  }

  /** What the caller sees of the previews of these entities; only they are asked about. */
  async #viewOf(
    entityRefs: readonly string[],
    options: CallerOptions,
  ): Promise<CallerView> {
    const { credentials } = options;
    return this.#view({
      credentials,
      entityRefs,
      criteria: await this.#criteriaOf(previewReadPermission, credentials),
      withoutEntity: false,
    });
  }

  /** What the caller sees of one preview, by the entities that claim it. */
  async #viewOfPreview(
    id: string,
    options: CallerOptions,
  ): Promise<CallerView> {
    const { credentials } = options;
    const [criteria, withoutEntity, found] = await Promise.all([
      this.#criteriaOf(previewReadPermission, credentials),
      this.#isAllowed(auditReadPermission, credentials),
      this.#store.get(id, { withoutEntity: true }),
    ]);
    return this.#view({
      credentials,
      entityRefs: found?.preview.entityRefs ?? [],
      criteria,
      withoutEntity,
    });
  }

  async #view(options: {
    credentials: BackstageCredentials;
    entityRefs: readonly string[];
    criteria?: VisibilityCriteria;
    withoutEntity: boolean;
  }): Promise<CallerView> {
    const { credentials, entityRefs, criteria, withoutEntity } = options;
    const whole = this.#readsWholeCatalog(credentials);
    const readable = async (refs: readonly string[]) =>
      whole ? new Set(refs) : this.#catalog.readable(refs, { credentials });
    return {
      caller: callerName(this.#auth, credentials),
      visibility: {
        ...(!whole && { entityRefs: [...(await readable(entityRefs))] }),
        withoutEntity,
        ...(criteria && { criteria }),
      },
      seesEverything: false,
      allows: entityRef => !criteria || meetsCriteria(criteria, [entityRef]),
      readable,
    };
  }

  #readsWholeCatalog(credentials: BackstageCredentials): boolean {
    return this.#auth.isPrincipal(credentials, 'service');
  }

  async #isAllowed(
    permission: BasicPermission,
    credentials: BackstageCredentials,
  ): Promise<boolean> {
    const [decision] = await this.#permissions.authorize([{ permission }], {
      credentials,
    });
    return decision.result === AuthorizeResult.ALLOW;
  }

  /**
   * The conditions of the policy, or nothing where it sets none.
   * @throws NotAllowedError for a definitive denial.
   */
  async #criteriaOf(
    permission: ResourcePermission,
    credentials: BackstageCredentials,
  ): Promise<VisibilityCriteria | undefined> {
    const [decision]: PolicyDecision[] =
      await this.#permissions.authorizeConditional([{ permission }], {
        credentials,
      });
    if (decision.result === AuthorizeResult.DENY) {
      throw notAllowed(permission);
    }
    if (decision.result !== AuthorizeResult.CONDITIONAL) {
      return undefined;
    }
    const filters: PermissionCriteria<PreviewPermissionFilter> =
      this.#transformConditions(decision.conditions);
    return toCriteria(filters, {
      ownedBy: owners => this.#catalog.ownedBy(owners, { credentials }),
    });
  }
}

function both(
  first: VisibilityCriteria | undefined,
  second: VisibilityCriteria | undefined,
): VisibilityCriteria | undefined {
  return first && second ? { allOf: [first, second] } : first ?? second;
}

function notAllowed(permission: { name: string }): NotAllowedError {
  return new NotAllowedError(`It needs the permission ${permission.name}`);
}
