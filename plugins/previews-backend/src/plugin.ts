import {
  coreServices,
  createBackendPlugin,
} from '@backstage/backend-plugin-api';
import {
  actionsRegistryServiceRef,
  metricsServiceRef,
} from '@backstage/backend-plugin-api/alpha';
import { catalogServiceRef } from '@backstage/plugin-catalog-node';
import { eventsServiceRef } from '@backstage/plugin-events-node';
import { notificationService } from '@backstage/plugin-notifications-node';
import { signalsServiceRef } from '@backstage/plugin-signals-node';
import {
  PreviewsCluster,
  PreviewsClusterProvider,
  previewsClustersExtensionPoint,
  PreviewsConditionProvider,
  previewsConditionsExtensionPoint,
  PreviewsSourceProvider,
  previewsSourcesExtensionPoint,
} from '@previews/backstage-plugin-previews-node';
import { registerActions } from './actions';
import { createPreviewsService, createRouter } from './api';
import {
  isClaimAllowed,
  PreviewsConfig,
  readPreviewsConfig,
  withModuleClusters,
} from './config';
import { PreviewEngine } from './engine';
import {
  EventsRefresh,
  MetricsReader,
  PreviewMetrics,
  PreviewNotifier,
  PreviewSignals,
  subscribeToHints,
} from './events';
import { DecisionSettings } from './reconcile';
import { CallListener } from './sources/calls';
import { DefaultArgocdSource } from './sources/argocd';
import { DefaultCatalogSource } from './sources/catalog';
import { DefaultRoute53Source } from './sources/dns';
import { createExtensions } from './sources/extension';
import { DefaultGitLabSource, NamedTokensSource } from './sources/gitlab';
import { DefaultReachabilitySource } from './sources/reachability';
import {
  DefaultClusterSource,
  unsupportedClusterState,
} from './sources/kubernetes';
import { AcmeLimits, certificateBudgets, letsEncryptLimits } from './stats';
import { DatabasePreviewStore } from './store';

/**
 * The backend of previews: reconciles merge requests with what the clusters hold
 * and serves the previews API.
 *
 * @public
 */
export const previewsPlugin = createBackendPlugin({
  pluginId: 'previews',
  register(env) {
    const clusters: PreviewsCluster[] = [];
    const providers: PreviewsClusterProvider[] = [];
    env.registerExtensionPoint(previewsClustersExtensionPoint, {
      addCluster: cluster => clusters.push(cluster),
      addProvider: provider => providers.push(provider),
    });
    const furtherSources: PreviewsSourceProvider[] = [];
    env.registerExtensionPoint(previewsSourcesExtensionPoint, {
      addSource: source => furtherSources.push(source),
    });
    const furtherConditions: PreviewsConditionProvider[] = [];
    env.registerExtensionPoint(previewsConditionsExtensionPoint, {
      addCondition: condition =>
        furtherConditions.push(condition as PreviewsConditionProvider),
    });
    env.registerInit({
      deps: {
        actionsRegistry: actionsRegistryServiceRef,
        auth: coreServices.auth,
        catalog: catalogServiceRef,
        config: coreServices.rootConfig,
        database: coreServices.database,
        events: eventsServiceRef,
        httpAuth: coreServices.httpAuth,
        httpRouter: coreServices.httpRouter,
        lifecycle: coreServices.lifecycle,
        logger: coreServices.logger,
        metrics: metricsServiceRef,
        notifications: notificationService,
        permissions: coreServices.permissions,
        permissionsRegistry: coreServices.permissionsRegistry,
        rootLifecycle: coreServices.rootLifecycle,
        signals: signalsServiceRef,
      },
      async init(services) {
        const {
          auth,
          catalog,
          events,
          httpAuth,
          httpRouter,
          lifecycle,
          logger,
          rootLifecycle,
        } = services;
        // Where the events plugin does not answer yet, the events service takes it
        // for missing, and carries nothing to and from other replicas any more.
        const started = new Promise<void>(resolve => {
          rootLifecycle.addStartupHook(resolve);
        });
        const config = await withModuleClusters(
          readPreviewsConfig(services.config),
          { clusters, providers },
        );
        const store = await DatabasePreviewStore.create({
          database: services.database,
        });
        const signals = new PreviewSignals({
          signals: services.signals,
          secret: () => store.signalSecret(),
          logger,
        });
        const acmeLimits = acmeLimitsOf(config);
        const metrics = PreviewMetrics.create({
          metrics: services.metrics,
          reader: metricsReader(store, acmeLimits),
        });
        const notifier = config.notifications.enabled
          ? new PreviewNotifier({
              notifications: services.notifications,
              logger,
              certificateRefs: config.acme.notify,
            })
          : undefined;
        const { schedule } = config;
        const onCall: CallListener = call => metrics.callEnded(call);
        const extensions = createExtensions({
          sources: furtherSources,
          conditions: furtherConditions,
          logger,
          onCall,
        });
        const engine = PreviewEngine.create({
          store,
          sources: {
            gitlab: config.gitlab.map(host =>
              DefaultGitLabSource.create({
                config: host,
                schedule,
                logger,
                onCall,
              }),
            ),
            clusters: [
              ...config.clusters.map(cluster =>
                DefaultClusterSource.create({
                  config: cluster,
                  schedule,
                  logger,
                  onCall,
                }),
              ),
              ...config.argocd.instances.map(instance =>
                DefaultArgocdSource.create({
                  config: instance,
                  schedule,
                  logger,
                  onCall,
                }),
              ),
            ],
            catalog: DefaultCatalogSource.create({
              catalog,
              auth,
              gitlab: config.gitlab,
              schedule,
              logger,
            }),
            ...(config.probe && {
              reachability: DefaultReachabilitySource.create({
                config: config.probe,
              }),
            }),
            ...(config.dns.route53.length > 0 && {
              dns: config.dns.route53.map(zone =>
                DefaultRoute53Source.create({
                  config: zone,
                  schedule,
                  logger,
                  onCall,
                }),
              ),
            }),
            ...(config.checks.tokens.length > 0 && {
              tokens: NamedTokensSource.create({
                tokens: config.checks.tokens,
                hosts: config.gitlab,
                onCall,
              }),
            }),
            extensions,
          },
          unreadableSources: config.unsupportedClusters.map(cluster =>
            unsupportedClusterState(cluster, { since: new Date() }),
          ),
          settings: decisionSettings(config),
          isClaimAllowed: claim =>
            config.catalog.projectClaims === 'any' ||
            isClaimAllowed(config.catalog.allow, claim),
          acmeLimits,
          checks: {
            everyMilliseconds: schedule.checksMilliseconds,
            webhookHosts: new Set(
              config.gitlab
                .filter(({ webhookSecrets }) => webhookSecrets.length > 0)
                .map(({ host }) => host),
            ),
          },
          tiers: config.tiers,
          retentionMilliseconds: config.retentionMilliseconds,
          listener: {
            previewsChanged: entityRefs => signals.publish(entityRefs),
            previewsTroubled: previews => {
              if (config.notifications.failed) {
                notifier?.previewsTroubled(previews);
              }
            },
            previewsNearEnd: previews => {
              if (config.notifications.reclaim) {
                notifier?.previewsNearEnd(previews);
              }
            },
            certificatesRunOut: (budget, entityRefs) =>
              notifier?.certificatesRunOut(budget, entityRefs),
            spansEnded: spans => metrics.spansEnded(spans),
            passEnded: pass => metrics.passEnded(pass),
          },
          logger,
        });

        const service = createPreviewsService({
          store,
          catalog,
          permissions: services.permissions,
          permissionsRegistry: services.permissionsRegistry,
          auth,
          refresh: new EventsRefresh({ events, started }),
          signals,
          acmeLimits,
        });
        httpRouter.use(createRouter({ service, httpAuth, auth }));
        registerActions({ actionsRegistry: services.actionsRegistry, service });

        // Apart: without hints all is seen a little later, without the engine nothing.
        rootLifecycle.addStartupHook(() =>
          subscribeToHints({
            events,
            listener: { onHint: hint => engine.refresh(hint) },
            logger,
          }),
        );
        rootLifecycle.addStartupHook(() => engine.start());
        lifecycle.addShutdownHook(async () => {
          signals.close();
          await engine.stop();
        });
      },
    });
  },
});

function acmeLimitsOf({ acme }: PreviewsConfig): AcmeLimits {
  const { certificatesPerDomain, certificatesPerNameSet } = acme;
  return {
    perDomain: certificatesPerDomain ?? letsEncryptLimits.perDomain,
    perNameSet: certificatesPerNameSet ?? letsEncryptLimits.perNameSet,
    domains: new Map(
      acme.domains.map(({ domain, certificates }) => [domain, certificates]),
    ),
    unlimitedServers: acme.unlimitedServers
      ? new Set(acme.unlimitedServers)
      : letsEncryptLimits.unlimitedServers,
  };
}

function metricsReader(
  store: DatabasePreviewStore,
  limits: AcmeLimits,
): MetricsReader {
  return {
    countByPhase: () => store.countByPhase(),
    countFindings: () => store.countFindings(),
    countChecks: () => store.countChecks(),
    sources: () => store.sources(),
    certificateBudgets: async () => {
      const { records } = await store.issuances();
      const now = new Date().toISOString();
      return certificateBudgets({ records, gaps: [], limits, now }).domains;
    },
  };
}

function decisionSettings(config: PreviewsConfig): DecisionSettings {
  const { schedule, grace, certificates, urls, argocd, ttl } = config;
  return {
    gitlabStaleAfterSeconds: schedule.gitlabStaleAfterMilliseconds / 1000,
    clusterStaleAfterSeconds: schedule.clusterStaleAfterMilliseconds / 1000,
    minimumGraceSeconds: grace.minimumMilliseconds / 1000,
    deletionStuckAfterSeconds: 600,
    challengeBlockedAfterSeconds:
      certificates.challengeBlockedAfterMilliseconds / 1000,
    dnsGraceSeconds: config.dns.graceMilliseconds / 1000,
    ttl,
    allowedDomains: urls.allowedDomains,
    argocdUrls: argocd.webUrls,
  };
}
