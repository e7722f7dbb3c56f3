import { createRandom } from '../random';
import { createManualClock } from '../testing/manualClock';
import { Cluster } from './cluster';
import type { ClusterEvent, KubernetesObject } from './object';

function setUp() {
  const clock = createManualClock();
  const cluster = new Cluster({
    name: 'test',
    clock,
    random: createRandom('cluster'),
  });
  cluster.create(namespace('shop'));
  return { clock, cluster };
}

function namespace(name: string) {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
}

function configMap(name: string, more: Record<string, unknown> = {}) {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'shop', ...more },
    data: { color: 'blue' },
  };
}

function application(name: string, more: Record<string, unknown> = {}) {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name, namespace: 'shop', ...more },
    spec: { project: 'default' },
  };
}

function deployment(name: string) {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'shop' },
    spec: { replicas: 1 },
  };
}

function ownerOf(object: KubernetesObject, blockOwnerDeletion = true) {
  return {
    apiVersion: object.apiVersion,
    kind: object.kind,
    name: object.metadata.name,
    uid: object.metadata.uid,
    controller: true,
    blockOwnerDeletion,
  };
}

const inShop = (kind: string, name: string) => ({
  kind,
  namespace: 'shop',
  name,
});

describe('Cluster', () => {
  describe('create', () => {
    it('fills in what the server owns', () => {
      const { cluster } = setUp();
      const created = cluster.create(application('web'));
      expect(created.metadata).toMatchObject({
        name: 'web',
        generation: 1,
        creationTimestamp: '2026-11-29T12:00:00Z',
        uid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        resourceVersion: expect.stringMatching(/^\d+$/),
      });
    });

    it('makes up a name from generateName', () => {
      const { cluster } = setUp();
      const created = cluster.create(
        configMap('', { name: undefined, generateName: 'web-' }),
      );
      expect(created.metadata.name).toMatch(/^web-[a-z0-9]{5}$/);
    });

    it.each([
      [
        'a taken name',
        configMap('taken'),
        409,
        'configmaps "taken" already exists',
      ],
      [
        'an unknown namespace',
        configMap('web', { namespace: 'nowhere' }),
        404,
        'namespaces "nowhere" not found',
      ],
      [
        'an unknown kind',
        { ...configMap('web'), kind: 'Gadget' },
        404,
        'the server could not find the requested resource',
      ],
      [
        'a bad name',
        configMap('Web'),
        422,
        expect.stringContaining('ConfigMap "Web" is invalid: metadata.name'),
      ],
      [
        'a label value over 63 bytes',
        configMap('web', { labels: { branch: 'x'.repeat(64) } }),
        422,
        expect.stringContaining('must be no more than 63 bytes'),
      ],
    ])('refuses %s', (_, input, code, message) => {
      const { cluster } = setUp();
      cluster.create(configMap('taken'));
      expect(() => cluster.create(input)).toThrow(
        expect.objectContaining({ code, message }),
      );
    });
  });

  describe('update', () => {
    it('refuses a write on an outdated version', () => {
      const { cluster } = setUp();
      const first = cluster.create(configMap('web'));
      cluster.update({ ...first, data: { color: 'red' } });
      expect(() =>
        cluster.update({ ...first, data: { color: 'green' } }),
      ).toThrow(
        expect.objectContaining({
          code: 409,
          reason: 'Conflict',
          message:
            'Operation cannot be fulfilled on configmaps "web": the object has been modified; please apply your changes to the latest version and try again',
        }),
      );
    });

    it('writes without a lock when no version is given', () => {
      const { cluster } = setUp();
      cluster.create(configMap('web'));
      const updated = cluster.update({
        ...configMap('web'),
        data: { color: 'red' },
      });
      expect(updated.data).toEqual({ color: 'red' });
    });

    it('counts a generation for changes of the spec, not of the status', () => {
      const { cluster } = setUp();
      cluster.create(deployment('web'));
      const observed = cluster.patch(inShop('Deployment', 'web'), draft => {
        draft.status = { observedGeneration: 1 };
      });
      expect(observed.metadata.generation).toBe(1);
      const scaled = cluster.patch(inShop('Deployment', 'web'), draft => {
        draft.spec!.replicas = 2;
      });
      expect(scaled.metadata.generation).toBe(2);
    });

    it('counts a generation for status writes of an Application', () => {
      const { cluster } = setUp();
      cluster.create(application('web'));
      const updated = cluster.patch(inShop('Application', 'web'), draft => {
        draft.status = { health: { status: 'Healthy' } };
      });
      expect(updated.metadata.generation).toBe(2);
    });
  });

  it('keeps what it filled in when an object is replaced without it', () => {
    const { cluster } = setUp();
    const created = cluster.create(deployment('web'));
    const replaced = cluster.update(deployment('web'));
    expect(replaced).toEqual(created);
  });

  it('keeps the version and tells nobody when a patch changes nothing', () => {
    const { cluster } = setUp();
    const created = cluster.create(configMap('web'));
    const events: ClusterEvent[] = [];
    cluster.subscribe(event => events.push(event));
    const patched = cluster.patch(inShop('ConfigMap', 'web'), draft => {
      draft.data.color = 'blue';
    });
    expect(patched.metadata.resourceVersion).toBe(
      created.metadata.resourceVersion,
    );
    expect(events).toEqual([]);
  });

  it('hands out copies that do not change what is stored', () => {
    const { cluster } = setUp();
    cluster.create(configMap('web')).data.color = 'red';
    cluster.get(inShop('ConfigMap', 'web'))!.data.color = 'red';
    cluster.list({ kind: 'ConfigMap' })[0].data.color = 'red';
    expect(cluster.get(inShop('ConfigMap', 'web'))!.data.color).toBe('blue');
  });

  it('tells every listener the same order, also of writes by listeners', () => {
    const { cluster } = setUp();
    const seen: string[] = [];
    cluster.subscribe(({ type, object }) => {
      if (type === 'ADDED' && object.metadata.name === 'first') {
        cluster.create(configMap('second'));
      }
    });
    cluster.subscribe(({ object }) => seen.push(object.metadata.name));
    cluster.create(configMap('first'));
    expect(seen).toEqual(['first', 'second']);
  });

  it('lists by namespace and labels', () => {
    const { cluster } = setUp();
    cluster.create(namespace('other'));
    cluster.create(configMap('b', { labels: { app: 'web' } }));
    cluster.create(configMap('a', { labels: { app: 'web' } }));
    cluster.create(configMap('c'));
    cluster.create(configMap('a', { namespace: 'other' }));
    const names = (options: Parameters<Cluster['list']>[0]) =>
      cluster
        .list(options)
        .map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
    expect(names({ kind: 'ConfigMap' })).toEqual([
      'other/a',
      'shop/a',
      'shop/b',
      'shop/c',
    ]);
    expect(names({ kind: 'ConfigMap', labelSelector: { app: 'web' } })).toEqual(
      ['shop/a', 'shop/b'],
    );
    expect(
      names({ kind: 'ConfigMap', namespace: 'shop', labelSelector: '!app' }),
    ).toEqual(['shop/c']);
  });

  describe('delete', () => {
    it('removes at once what nothing holds', () => {
      const { cluster } = setUp();
      cluster.create(configMap('web'));
      cluster.delete(inShop('ConfigMap', 'web'));
      expect(cluster.get(inShop('ConfigMap', 'web'))).toBeUndefined();
      expect(() => cluster.delete(inShop('ConfigMap', 'web'))).toThrow(
        'configmaps "web" not found',
      );
    });

    it('waits for finalizers and goes with the last one', () => {
      const { cluster, clock } = setUp();
      cluster.create(application('web', { finalizers: ['example.com/hold'] }));
      const events: ClusterEvent[] = [];
      cluster.subscribe(event => events.push(event));

      cluster.delete(inShop('Application', 'web'));
      clock.advance(60_000);
      expect(cluster.get(inShop('Application', 'web'))!.metadata).toMatchObject(
        {
          deletionTimestamp: '2026-11-29T12:00:00Z',
          finalizers: ['example.com/hold'],
          generation: 2,
        },
      );

      cluster.patch(inShop('Application', 'web'), draft => {
        draft.metadata.finalizers = [];
      });
      expect(cluster.get(inShop('Application', 'web'))).toBeUndefined();
      expect(events.map(({ type }) => type)).toEqual(['MODIFIED', 'DELETED']);
    });

    it('refuses new finalizers on an object being deleted', () => {
      const { cluster } = setUp();
      cluster.create(application('web', { finalizers: ['example.com/hold'] }));
      cluster.delete(inShop('Application', 'web'));
      expect(() =>
        cluster.patch(inShop('Application', 'web'), draft => {
          draft.metadata.finalizers!.push('example.com/more');
        }),
      ).toThrow(expect.objectContaining({ code: 422 }));
    });

    it('gives a running pod time to stop', () => {
      const { cluster, clock } = setUp();
      cluster.create({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'web', namespace: 'shop' },
        spec: { nodeName: 'node-1', containers: [] },
      });
      cluster.delete(inShop('Pod', 'web'));
      expect(cluster.get(inShop('Pod', 'web'))!.metadata).toMatchObject({
        deletionGracePeriodSeconds: 30,
        deletionTimestamp: '2026-11-29T12:00:30Z',
      });
      clock.advance(2_000);
      expect(cluster.get(inShop('Pod', 'web'))).toBeUndefined();
    });
  });

  describe('cascade', () => {
    function family() {
      const { cluster, clock } = setUp();
      const owner = cluster.create(deployment('web'));
      const child = cluster.create({
        ...deployment('web-1'),
        kind: 'ReplicaSet',
        metadata: {
          name: 'web-1',
          namespace: 'shop',
          ownerReferences: [ownerOf(owner)],
        },
      });
      cluster.create(
        configMap('grandchild', { ownerReferences: [ownerOf(child)] }),
      );
      const exists = () => ({
        owner: Boolean(cluster.get(inShop('Deployment', 'web'))),
        child: Boolean(cluster.get(inShop('ReplicaSet', 'web-1'))),
        grandchild: Boolean(cluster.get(inShop('ConfigMap', 'grandchild'))),
      });
      return { cluster, clock, exists, owner };
    }

    it('in the background deletes the owner first, its dependents after', () => {
      const { cluster, clock, exists } = family();
      cluster.delete(inShop('Deployment', 'web'));
      expect(exists()).toEqual({ owner: false, child: true, grandchild: true });
      clock.advance(1_000);
      expect(exists()).toEqual({
        owner: false,
        child: false,
        grandchild: false,
      });
    });

    it('in the foreground deletes the owner last', () => {
      const { cluster, clock, exists } = family();
      const gone: string[] = [];
      cluster.subscribe(({ type, object }) => {
        if (type === 'DELETED') {
          gone.push(object.kind);
        }
      });
      cluster.delete(inShop('Deployment', 'web'), {
        propagationPolicy: 'Foreground',
      });
      expect(
        cluster.get(inShop('Deployment', 'web'))!.metadata.finalizers,
      ).toEqual(['foregroundDeletion']);
      clock.advance(1_000);
      expect(exists()).toEqual({
        owner: false,
        child: false,
        grandchild: false,
      });
      expect(gone).toEqual(['ConfigMap', 'ReplicaSet', 'Deployment']);
    });

    it('keeps the owner in the foreground while a dependent is stuck', () => {
      const { cluster, clock, exists } = family();
      cluster.patch(inShop('ConfigMap', 'grandchild'), draft => {
        draft.metadata.finalizers = ['example.com/hold'];
      });
      cluster.delete(inShop('Deployment', 'web'), {
        propagationPolicy: 'Foreground',
      });
      clock.advance(60_000);
      expect(exists()).toEqual({ owner: true, child: true, grandchild: true });
      cluster.patch(inShop('ConfigMap', 'grandchild'), draft => {
        draft.metadata.finalizers = [];
      });
      clock.advance(1_000);
      expect(exists().owner).toBe(false);
    });

    it('leaves orphans without their owner', () => {
      const { cluster, clock, exists } = family();
      cluster.delete(inShop('Deployment', 'web'), {
        propagationPolicy: 'Orphan',
      });
      clock.advance(1_000);
      expect(exists()).toEqual({ owner: false, child: true, grandchild: true });
      expect(
        cluster.get(inShop('ReplicaSet', 'web-1'))!.metadata.ownerReferences,
      ).toBeUndefined();
    });

    it('keeps a dependent that has another owner', () => {
      const { cluster, clock, owner } = family();
      const other = cluster.create(deployment('other'));
      cluster.create(
        configMap('shared', {
          ownerReferences: [ownerOf(owner), ownerOf(other)],
        }),
      );
      cluster.delete(inShop('Deployment', 'web'));
      clock.advance(1_000);
      expect(
        cluster.get(inShop('ConfigMap', 'shared'))!.metadata.ownerReferences,
      ).toEqual([ownerOf(other)]);
    });

    it('collects what is created for an owner that never was', () => {
      const { cluster, clock, owner } = family();
      cluster.create(
        configMap('late', {
          ownerReferences: [{ ...ownerOf(owner), uid: 'unknown' }],
        }),
      );
      clock.advance(1_000);
      expect(cluster.get(inShop('ConfigMap', 'late'))).toBeUndefined();
    });
  });

  describe('namespace deletion', () => {
    it('deletes the contents, then the namespace', () => {
      const { cluster, clock } = setUp();
      cluster.create(configMap('web'));
      cluster.create(deployment('web'));
      cluster.delete({ kind: 'Namespace', name: 'shop' });
      expect(
        cluster.get({ kind: 'Namespace', name: 'shop' })!.status!.phase,
      ).toBe('Terminating');
      clock.advance(1_000);
      expect(cluster.get({ kind: 'Namespace', name: 'shop' })).toBeUndefined();
      expect(cluster.list({ kind: 'ConfigMap', namespace: 'shop' })).toEqual(
        [],
      );
    });

    it('refuses new contents meanwhile', () => {
      const { cluster } = setUp();
      cluster.create(configMap('web', { finalizers: ['example.com/hold'] }));
      cluster.delete({ kind: 'Namespace', name: 'shop' });
      expect(() => cluster.create(configMap('late'))).toThrow(
        expect.objectContaining({
          code: 403,
          message:
            'configmaps "late" is forbidden: unable to create new content in namespace shop because it is being terminated',
        }),
      );
    });

    it('says what is left and what holds it', () => {
      const { cluster, clock } = setUp();
      cluster.create(application('web', { finalizers: ['example.com/hold'] }));
      cluster.create(configMap('web', { finalizers: ['example.com/hold'] }));
      cluster.delete({ kind: 'Namespace', name: 'shop' });
      clock.advance(60_000);
      const { conditions } = cluster.get({
        kind: 'Namespace',
        name: 'shop',
      })!.status!;
      expect(conditions).toContainEqual({
        type: 'NamespaceContentRemaining',
        status: 'True',
        reason: 'SomeResourcesRemain',
        message:
          'Some resources are remaining: applications.argoproj.io has 1 resource instances, configmaps. has 1 resource instances',
        lastTransitionTime: '2026-11-29T12:00:00Z',
      });
      expect(conditions).toContainEqual({
        type: 'NamespaceFinalizersRemaining',
        status: 'True',
        reason: 'SomeFinalizersRemain',
        message:
          'Some content in the namespace has finalizers remaining: example.com/hold in 2 resource instances',
        lastTransitionTime: '2026-11-29T12:00:00Z',
      });

      for (const kind of ['Application', 'ConfigMap']) {
        cluster.patch(inShop(kind, 'web'), draft => {
          draft.metadata.finalizers = [];
        });
      }
      clock.advance(1_000);
      expect(cluster.get({ kind: 'Namespace', name: 'shop' })).toBeUndefined();
    });
  });

  it('drops the objects of a kind that is uninstalled', () => {
    const { cluster } = setUp();
    cluster.create(application('web', { finalizers: ['example.com/hold'] }));
    cluster.removeResource('Application');
    expect(cluster.list({ kind: 'Application' })).toEqual([]);
    expect(() => cluster.create(application('web'))).toThrow(
      'the server could not find the requested resource',
    );
  });

  it('gives the same identities for the same seed', () => {
    const uids = () =>
      setUp()
        .cluster.list({ kind: 'Namespace' })
        .map(({ metadata }) => metadata.uid);
    expect(uids()).toEqual(uids());
  });
});
