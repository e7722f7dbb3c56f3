import { ApiServer, type KubernetesToken } from './apiServer';
import { ChunkedLists } from './chunks';
import type { Cluster } from './cluster';
import { ClusterFaults, FaultState } from './faults';
import { Listener } from './listener';
import type { KubernetesObjectInput } from './object';
import { ObjectHandlers } from './objectHandlers';
import { BOOTSTRAP_POLICY } from './rbac';
import { RequestCounter } from './requestCounter';
import { createSelfSignedCertificate } from './selfSignedCertificate';
import { Watches } from './watches';

/**
 * A running API server.
 *
 * @public
 */
export interface KubernetesServer {
  /** Such as `http://127.0.0.1:7082`. */
  url: string;
  /**
   * The same port by HTTPS. `kubectl` needs it: over plain HTTP it keeps its
   * token to itself.
   */
  secureUrl: string;
  /** The certificate, in PEM, that vouches for {@link KubernetesServer.secureUrl}. */
  certificateAuthority: string;
  faults: ClusterFaults;
  requests: RequestCounter;
  /** Stops listening and drops every connection. */
  close(): Promise<void>;
}

/**
 * Serves a cluster over HTTP, as an API server does: discovery, objects,
 * watches, RBAC. Requests without a token are those of `system:anonymous`.
 *
 * @param options - `port` 0 takes a free one. `rbac` are objects of
 * `rbac.authorization.k8s.io`, stored in the cluster; without any, only members
 * of `system:masters` see more than discovery.
 * @public
 */
export async function startKubernetesServer(options: {
  cluster: Cluster;
  port?: number;
  host?: string;
  tokens: KubernetesToken[];
  rbac?: KubernetesObjectInput[];
}): Promise<KubernetesServer> {
  const { cluster, port = 0, host = '127.0.0.1', tokens, rbac = [] } = options;
  storePolicy(cluster, [...BOOTSTRAP_POLICY, ...rbac]);

  const lists = new ChunkedLists();
  const requests = new RequestCounter();
  const faultState = new FaultState();
  const watches = new Watches({ cluster, faults: faultState });
  const stopObserving = cluster.resources.onRemove(kind => watches.cut(kind));
  const api = new ApiServer({
    cluster,
    tokens,
    faults: faultState,
    requests,
    objects: new ObjectHandlers({ cluster, lists, watches }),
  });
  const certificate = createSelfSignedCertificate({
    hosts: [...new Set(['localhost', '127.0.0.1', host])],
    now: new Date(),
  });
  const listener = await Listener.open({
    port,
    host,
    certificate,
    onRequest: (request, response) => {
      void api.serve(request, response);
    },
  });

  const faults = new ClusterFaults({
    state: faultState,
    actions: {
      cutWatches: kind => watches.cut(kind),
      forgetChanges: () => cluster.store.forgetChanges(),
      expireContinueTokens: () => lists.expire(),
      setListening: listening => listener.setListening(listening),
    },
  });

  return {
    url: `http://${listener.authority}`,
    secureUrl: `https://${listener.authority}`,
    certificateAuthority: certificate.certificate,
    faults,
    requests,
    async close() {
      stopObserving();
      watches.cut();
      await listener.setListening(false);
    },
  };
}

function storePolicy(cluster: Cluster, policy: KubernetesObjectInput[]): void {
  for (const object of policy) {
    const { kind, metadata } = object;
    const { name = '', namespace } = metadata;
    // The same cluster may be served anew; what it has by then is kept.
    if (!cluster.get({ kind, namespace, name })) {
      cluster.create(object);
    }
  }
}
