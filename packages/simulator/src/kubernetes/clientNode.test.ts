import {
  CustomObjectsApi,
  CoreV1Api,
  KubeConfig,
  Watch,
} from '@kubernetes/client-node';
import { createRealClock } from '../clock';
import { createRandom } from '../random';
import { eventually } from '../testing/eventually';
import { Cluster } from './cluster';
import { startKubernetesServer, type KubernetesServer } from './server';

describe.each(['url', 'secureUrl'] as const)(
  'The Kubernetes client for Node.js, by %s',
  scheme => {
    const clock = createRealClock({ speed: 10 });
    let cluster: Cluster;
    let server: KubernetesServer;
    let config: KubeConfig;

    beforeEach(async () => {
      cluster = new Cluster({
        name: 'test',
        clock,
        random: createRandom('client-node'),
      });
      server = await startKubernetesServer({
        cluster,
        tokens: [{ token: 'admin', user: 'admin', groups: ['system:masters'] }],
      });
      config = new KubeConfig();
      config.loadFromClusterAndUser(
        {
          name: 'test',
          server: server[scheme],
          caData: Buffer.from(server.certificateAuthority).toString('base64'),
          // This client talks plain HTTP only to clusters it need not verify.
          skipTLSVerify: scheme === 'url',
        },
        { name: 'admin', token: 'admin' },
      );
    });

    afterEach(async () => {
      await server.close();
    });

    afterAll(() => clock.stop());

    const create = (name: string) =>
      cluster.create({
        apiVersion: 'argoproj.io/v1alpha1',
        kind: 'Application',
        metadata: { name, namespace: 'default' },
        spec: { project: 'default' },
      });

    it('lists in chunks', async () => {
      ['a', 'b', 'c'].forEach(create);
      const api = config.makeApiClient(CustomObjectsApi);
      const found: string[] = [];
      let next: string | undefined;
      do {
        const page = await api.listCustomObjectForAllNamespaces({
          group: 'argoproj.io',
          version: 'v1alpha1',
          resourcePlural: 'applications',
          limit: 2,
          _continue: next,
        });
        found.push(...page.items.map((item: any) => item.metadata.name));
        next = page.metadata._continue ?? page.metadata.continue;
      } while (next);
      expect(found).toEqual(['a', 'b', 'c']);
    });

    it('reads built-in kinds and their errors', async () => {
      const api = config.makeApiClient(CoreV1Api);
      const { items } = await api.listNamespace();
      expect(items.map(item => item.metadata?.name)).toContain('kube-system');
      await expect(
        api.readNamespacedPod({ name: 'nothing', namespace: 'default' }),
      ).rejects.toMatchObject({ code: 404 });
    });

    it('watches', async () => {
      const events: string[] = [];
      const controller = await new Watch(config).watch(
        '/apis/argoproj.io/v1alpha1/applications',
        { allowWatchBookmarks: true },
        (type, object) => events.push(`${type} ${object.metadata.name}`),
        () => {},
      );
      create('a');
      await eventually(() => expect(events).toEqual(['ADDED a']));
      cluster.delete({ kind: 'Application', namespace: 'default', name: 'a' });
      await eventually(() => expect(events).toEqual(['ADDED a', 'DELETED a']));
      controller.abort();
    });
  },
);
