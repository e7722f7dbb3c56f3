import { createRandom } from '../random';
import { createApiClient, type ApiWatch } from '../testing/apiClient';
import { eventually } from '../testing/eventually';
import { createManualClock, type ManualClock } from '../testing/manualClock';
import { Cluster } from './cluster';
import { startKubernetesServer, type KubernetesServer } from './server';

const RBAC = 'rbac.authorization.k8s.io';

describe('The API server', () => {
  let clock: ManualClock;
  let cluster: Cluster;
  let server: KubernetesServer;
  let api: ReturnType<typeof createApiClient>;
  let reader: ReturnType<typeof createApiClient>;
  let watches: ApiWatch[];

  beforeEach(async () => {
    watches = [];
    clock = createManualClock();
    cluster = new Cluster({
      name: 'test',
      clock,
      random: createRandom('server'),
    });
    for (const name of ['shop', 'other']) {
      cluster.create({
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name },
      });
    }
    server = await startKubernetesServer({
      cluster,
      tokens: [
        { token: 'admin', user: 'admin', groups: ['system:masters'] },
        { token: 'reader', user: 'system:serviceaccount:shop:reader' },
      ],
      rbac: [
        {
          apiVersion: `${RBAC}/v1`,
          kind: 'ClusterRole',
          metadata: { name: 'reader' },
          rules: [
            {
              apiGroups: ['argoproj.io'],
              resources: ['applications'],
              verbs: ['get', 'list', 'watch'],
            },
          ],
        },
        {
          apiVersion: `${RBAC}/v1`,
          kind: 'ClusterRoleBinding',
          metadata: { name: 'reader' },
          roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: 'reader' },
          subjects: [
            { kind: 'ServiceAccount', name: 'reader', namespace: 'shop' },
          ],
        },
        {
          apiVersion: `${RBAC}/v1`,
          kind: 'Role',
          metadata: { name: 'settings', namespace: 'shop' },
          rules: [
            {
              apiGroups: [''],
              resources: ['configmaps'],
              resourceNames: ['settings'],
              verbs: ['*'],
            },
          ],
        },
        {
          apiVersion: `${RBAC}/v1`,
          kind: 'RoleBinding',
          metadata: { name: 'settings', namespace: 'shop' },
          roleRef: { apiGroup: RBAC, kind: 'Role', name: 'settings' },
          subjects: [{ kind: 'ServiceAccount', name: 'reader' }],
        },
      ],
    });
    api = createApiClient({ url: server.url, token: 'admin' });
    reader = createApiClient({ url: server.url, token: 'reader' });
  });

  afterEach(async () => {
    watches.forEach(opened => opened.stop());
    await server.close();
  });

  const APPLICATIONS =
    '/apis/argoproj.io/v1alpha1/namespaces/shop/applications';
  const ALL_APPLICATIONS = '/apis/argoproj.io/v1alpha1/applications';
  const CONFIG_MAPS = '/api/v1/namespaces/shop/configmaps';
  const DEPLOYMENTS = '/apis/apps/v1/namespaces/shop/deployments';

  function application(name: string, labels: Record<string, string> = {}) {
    return {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name, namespace: 'shop', labels },
      spec: { project: 'default' },
    };
  }

  function configMap(name: string, namespace = 'shop') {
    return {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace },
      data: { color: 'blue' },
    };
  }

  const reference = (kind: string, name: string) => ({
    kind,
    namespace: 'shop',
    name,
  });

  async function watch(path: string) {
    const opened = await api.watch(path);
    watches.push(opened);
    return opened;
  }

  const seen = ({ events }: ApiWatch) =>
    events.map(({ type, object }) => `${type} ${object.metadata.name}`);
  const names = (body: any) =>
    body.items.map((item: any) => item.metadata.name);

  describe('objects', () => {
    it('creates, reads, replaces and deletes', async () => {
      const created = await api.request('POST', APPLICATIONS, {
        body: application('web'),
      });
      expect(created).toMatchObject({
        code: 201,
        body: { kind: 'Application', metadata: { generation: 1 } },
      });
      const replaced = await api.request('PUT', `${APPLICATIONS}/web`, {
        body: { ...created.body, spec: { project: 'shop' } },
      });
      expect(replaced).toMatchObject({
        code: 200,
        body: { spec: { project: 'shop' }, metadata: { generation: 2 } },
      });
      expect((await api.request('GET', `${APPLICATIONS}/web`)).body).toEqual(
        replaced.body,
      );
      expect(await api.request('DELETE', `${APPLICATIONS}/web`)).toMatchObject({
        code: 200,
        body: {
          kind: 'Status',
          status: 'Success',
          details: {
            name: 'web',
            group: 'argoproj.io',
            kind: 'applications',
            uid: created.body.metadata.uid,
          },
        },
      });
      expect(await api.request('GET', `${APPLICATIONS}/web`)).toMatchObject({
        code: 404,
        body: {
          kind: 'Status',
          status: 'Failure',
          reason: 'NotFound',
          message: 'applications.argoproj.io "web" not found',
          details: { name: 'web', group: 'argoproj.io', kind: 'applications' },
          code: 404,
        },
      });
    });

    it('refuses a replacement of an outdated version', async () => {
      const { body } = await api.request('POST', CONFIG_MAPS, {
        body: configMap('web'),
      });
      const path = `${CONFIG_MAPS}/web`;
      await api.request('PUT', path, { body: { ...body, data: { a: '1' } } });
      expect(
        await api.request('PUT', path, { body: { ...body, data: { a: '2' } } }),
      ).toMatchObject({ code: 409, body: { reason: 'Conflict' } });
    });

    it('keeps spec and status apart where the kind has a status subresource', async () => {
      cluster.create({
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'web', namespace: 'shop' },
        spec: { replicas: 1 },
        status: { replicas: 1 },
      });
      const merge = 'application/merge-patch+json';
      const body = { spec: { replicas: 5 }, status: { replicas: 5 } };
      const main = await api.request('PATCH', `${DEPLOYMENTS}/web`, {
        contentType: merge,
        body,
      });
      expect(main.body).toMatchObject({
        spec: { replicas: 5 },
        status: { replicas: 1 },
      });
      const status = await api.request('PATCH', `${DEPLOYMENTS}/web/status`, {
        contentType: merge,
        body: { spec: { replicas: 9 }, status: { replicas: 5 } },
      });
      expect(status.body).toMatchObject({
        spec: { replicas: 5 },
        status: { replicas: 5 },
        metadata: { generation: 2 },
      });
    });

    it('has no status subresource for Applications', async () => {
      cluster.create(application('web'));
      const body = { status: { health: { status: 'Healthy' } } };
      const contentType = 'application/merge-patch+json';
      expect(
        await api.request('PATCH', `${APPLICATIONS}/web/status`, {
          contentType,
          body,
        }),
      ).toMatchObject({ code: 404, body: '404 page not found\n' });
      const main = await api.request('PATCH', `${APPLICATIONS}/web`, {
        contentType,
        body,
      });
      expect(main.body).toMatchObject({
        ...body,
        metadata: { generation: 2 },
      });
    });

    it('takes no strategic merge patch for custom resources', async () => {
      cluster.create(application('web'));
      expect(
        await api.request('PATCH', `${APPLICATIONS}/web`, {
          contentType: 'application/strategic-merge-patch+json',
          body: {},
        }),
      ).toMatchObject({
        code: 415,
        body: {
          message:
            'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
        },
      });
    });

    it('stores nothing in a dry run', async () => {
      const created = await api.request('POST', `${CONFIG_MAPS}?dryRun=All`, {
        body: configMap('web'),
      });
      expect(created.code).toBe(201);
      expect(cluster.get(reference('ConfigMap', 'web'))).toBeUndefined();
      cluster.create(configMap('web'));
      await api.request('DELETE', `${CONFIG_MAPS}/web?dryRun=All`);
      expect(cluster.get(reference('ConfigMap', 'web'))).toBeDefined();
    });

    it('deletes a selected collection', async () => {
      cluster.create(application('a', { team: 'x' }));
      cluster.create(application('b', { team: 'x' }));
      cluster.create(application('c'));
      await api.request('DELETE', `${APPLICATIONS}?labelSelector=team%3Dx`);
      expect(
        cluster.list({ kind: 'Application' }).map(item => item.metadata.name),
      ).toEqual(['c']);
    });

    it('deletes only what the preconditions mean', async () => {
      cluster.create(configMap('web'));
      expect(
        await api.request('DELETE', `${CONFIG_MAPS}/web`, {
          body: { preconditions: { uid: 'another' } },
        }),
      ).toMatchObject({ code: 409 });
    });

    it('answers an object that finalizers hold', async () => {
      cluster.create({
        ...application('web'),
        metadata: {
          name: 'web',
          namespace: 'shop',
          finalizers: ['example.com/hold'],
        },
      });
      expect(await api.request('DELETE', `${APPLICATIONS}/web`)).toMatchObject({
        code: 200,
        body: {
          kind: 'Application',
          metadata: { deletionTimestamp: '2026-11-29T12:00:00Z' },
        },
      });
    });

    it.each([
      ['a body that is no JSON', 'POST', CONFIG_MAPS, 'text', 400],
      [
        'a name that differs from the path',
        'PUT',
        `${CONFIG_MAPS}/web`,
        configMap('other'),
        400,
      ],
      [
        'another namespace than that of the path',
        'POST',
        CONFIG_MAPS,
        configMap('web', 'other'),
        400,
      ],
      [
        'another kind than that of the path',
        'POST',
        CONFIG_MAPS,
        application('web'),
        400,
      ],
      [
        'creating without a namespace',
        'POST',
        '/api/v1/configmaps',
        configMap('web'),
        405,
      ],
      ['a method it does not have', 'PUT', CONFIG_MAPS, configMap('web'), 405],
      ['an invalid name', 'POST', CONFIG_MAPS, configMap('No_Name'), 422],
      [
        'an unknown namespace',
        'POST',
        '/api/v1/namespaces/nowhere/configmaps',
        configMap('web', 'nowhere'),
        404,
      ],
    ])('refuses %s', async (_, method, path, body, code) => {
      cluster.create(configMap('web'));
      const answer = await api.request(method, path, { body });
      expect(answer).toMatchObject({
        code,
        body: { kind: 'Status', status: 'Failure', code },
      });
    });

    it('says in a terminating namespace why nothing may be created', async () => {
      cluster.create({
        ...configMap('web'),
        metadata: {
          name: 'web',
          namespace: 'shop',
          finalizers: ['example.com/hold'],
        },
      });
      await api.request('DELETE', '/api/v1/namespaces/shop');
      expect(
        await api.request('POST', CONFIG_MAPS, { body: configMap('late') }),
      ).toMatchObject({
        code: 403,
        body: {
          reason: 'Forbidden',
          details: { causes: [{ reason: 'NamespaceTerminating' }] },
        },
      });
    });

    it('serves other versions of a kind under their own name', async () => {
      cluster.create({
        apiVersion: 'gateway.networking.k8s.io/v1',
        kind: 'HTTPRoute',
        metadata: { name: 'web', namespace: 'shop' },
        spec: { hostnames: ['web.example.com'] },
      });
      const { body } = await api.request(
        'GET',
        '/apis/gateway.networking.k8s.io/v1beta1/httproutes',
      );
      expect(body.apiVersion).toBe('gateway.networking.k8s.io/v1beta1');
      expect(body.items[0].apiVersion).toBe(
        'gateway.networking.k8s.io/v1beta1',
      );
    });
  });

  describe('managed fields', () => {
    const managers = (body: any) =>
      body.metadata.managedFields.map((entry: any) => entry.manager);

    it('names who wrote which fields, and drops who lost them all', async () => {
      const created = await api.request(
        'POST',
        `${CONFIG_MAPS}?fieldManager=first`,
        { body: configMap('web') },
      );
      expect(created.body.metadata.managedFields).toEqual([
        {
          manager: 'first',
          operation: 'Update',
          apiVersion: 'v1',
          time: '2026-11-29T12:00:00Z',
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:data': { 'f:color': {} } },
        },
      ]);
      const patched = await api.request(
        'PATCH',
        `${CONFIG_MAPS}/web?fieldManager=second`,
        {
          contentType: 'application/merge-patch+json',
          body: { data: { color: 'red' } },
        },
      );
      expect(managers(patched.body)).toEqual(['second']);
    });

    it('applies as a manager, and takes away what is applied no longer', async () => {
      const apply = (data: object) =>
        api.request('PATCH', `${CONFIG_MAPS}/web?fieldManager=tool`, {
          contentType: 'application/apply-patch+yaml',
          body: {
            apiVersion: 'v1',
            kind: 'ConfigMap',
            metadata: { name: 'web', namespace: 'shop' },
            data,
          },
        });
      expect(await apply({ a: '1', b: '2' })).toMatchObject({ code: 201 });
      const second = await apply({ b: '2' });
      expect(second).toMatchObject({
        code: 200,
        body: { data: { b: '2' } },
      });
      expect(second.body.data).not.toHaveProperty('a');
      expect(second.body.metadata.managedFields).toMatchObject([
        { manager: 'tool', operation: 'Apply' },
      ]);
      const third = await apply({ b: '2' });
      expect(third.body.metadata.resourceVersion).toBe(
        second.body.metadata.resourceVersion,
      );
    });
  });

  describe('lists', () => {
    it('lists a namespace, all namespaces and selections', async () => {
      cluster.create(application('a', { team: 'x' }));
      cluster.create(application('b'));
      cluster.create({
        ...application('c'),
        metadata: { name: 'c', namespace: 'other' },
      });
      const list = async (path: string) =>
        names((await api.request('GET', path)).body);
      expect(await list(APPLICATIONS)).toEqual(['a', 'b']);
      expect(await list(ALL_APPLICATIONS)).toEqual(['c', 'a', 'b']);
      expect(
        await list(`${ALL_APPLICATIONS}?labelSelector=team+in+(x,y)`),
      ).toEqual(['a']);
      expect(
        await list(
          `${ALL_APPLICATIONS}?fieldSelector=metadata.namespace=other`,
        ),
      ).toEqual(['c']);
    });

    it('gives a list in chunks of one snapshot', async () => {
      ['a', 'b', 'c', 'd', 'e'].forEach(name =>
        cluster.create(application(name)),
      );
      const first = await api.request('GET', `${ALL_APPLICATIONS}?limit=2`);
      expect(names(first.body)).toEqual(['a', 'b']);
      expect(first.body.metadata.remainingItemCount).toBe(3);

      cluster.create(application('bb'));
      cluster.delete(reference('Application', 'd'));
      const second = await api.request(
        'GET',
        `${ALL_APPLICATIONS}?limit=2&continue=${first.body.metadata.continue}`,
      );
      expect(names(second.body)).toEqual(['c', 'd']);
      expect(second.body.metadata.resourceVersion).toBe(
        first.body.metadata.resourceVersion,
      );
      const third = await api.request(
        'GET',
        `${ALL_APPLICATIONS}?limit=2&continue=${second.body.metadata.continue}`,
      );
      expect(names(third.body)).toEqual(['e']);
      expect(third.body.metadata.continue).toBeUndefined();
    });

    it('answers an expired token with one for an inconsistent rest', async () => {
      ['a', 'b', 'c'].forEach(name => cluster.create(application(name)));
      const first = await api.request('GET', `${ALL_APPLICATIONS}?limit=1`);
      server.faults.expireContinueTokens();
      const gone = await api.request(
        'GET',
        `${ALL_APPLICATIONS}?limit=1&continue=${first.body.metadata.continue}`,
      );
      expect(gone).toMatchObject({
        code: 410,
        body: {
          reason: 'Expired',
          message: expect.stringContaining(
            'The provided continue parameter is too old to display a consistent list result.',
          ),
          metadata: { continue: expect.any(String) },
        },
      });
      cluster.create(application('bb'));
      const rest = await api.request(
        'GET',
        `${ALL_APPLICATIONS}?continue=${gone.body.metadata.continue}`,
      );
      expect(names(rest.body)).toEqual(['b', 'bb', 'c']);
    });

    it('refuses a token that is none', async () => {
      expect(
        await api.request('GET', `${ALL_APPLICATIONS}?continue=rubbish`),
      ).toMatchObject({ code: 400 });
    });

    it('is asked for a version that is still to come', async () => {
      expect(
        await api.request(
          'GET',
          `${ALL_APPLICATIONS}?resourceVersion=999999&resourceVersionMatch=NotOlderThan`,
        ),
      ).toMatchObject({
        code: 504,
        body: {
          details: { causes: [{ reason: 'ResourceVersionTooLarge' }] },
        },
      });
    });

    it('answers as a table and as metadata only', async () => {
      cluster.create({
        ...application('web'),
        status: { sync: { status: 'Synced' } },
      });
      const table = await api.request('GET', ALL_APPLICATIONS, {
        accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
      });
      expect(table.body).toMatchObject({
        kind: 'Table',
        rows: [
          {
            cells: ['web', 'Synced', '', '', 'default'],
            object: { kind: 'PartialObjectMetadata' },
          },
        ],
      });
      const metadata = await api.request('GET', ALL_APPLICATIONS, {
        accept:
          'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
      });
      expect(metadata.body.items[0]).not.toHaveProperty('spec');
    });

    it('does not speak what is not JSON', async () => {
      expect(
        await api.request('GET', ALL_APPLICATIONS, {
          accept: 'application/cbor',
        }),
      ).toMatchObject({ code: 406 });
    });
  });

  describe('watches', () => {
    const version = async () =>
      (await api.request('GET', ALL_APPLICATIONS)).body.metadata
        .resourceVersion;

    it('tells what comes after a list', async () => {
      cluster.create(application('before'));
      const from = await version();
      cluster.create(application('between'));
      const opened = await watch(
        `${ALL_APPLICATIONS}?watch=true&resourceVersion=${from}`,
      );
      cluster.create(application('after'));
      cluster.patch(reference('Application', 'before'), draft => {
        draft.spec!.project = 'shop';
      });
      cluster.delete(reference('Application', 'between'));
      await eventually(() =>
        expect(seen(opened)).toEqual([
          'ADDED between',
          'ADDED after',
          'MODIFIED before',
          'DELETED between',
        ]),
      );
    });

    it('begins with what is there when no version is given', async () => {
      cluster.create(application('a'));
      const opened = await watch(`${ALL_APPLICATIONS}?watch=true`);
      await eventually(() => expect(seen(opened)).toEqual(['ADDED a']));
    });

    it('streams a list and marks its end', async () => {
      cluster.create(application('a'));
      const opened = await watch(
        `${ALL_APPLICATIONS}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
      );
      cluster.create(application('b'));
      await eventually(() => expect(opened.events).toHaveLength(3));
      expect(opened.events[1]).toEqual({
        type: 'BOOKMARK',
        object: {
          kind: 'Application',
          apiVersion: 'argoproj.io/v1alpha1',
          metadata: {
            resourceVersion: expect.stringMatching(/^\d+$/),
            creationTimestamp: null,
            annotations: { 'k8s.io/initial-events-end': 'true' },
          },
        },
      });
      expect(seen(opened)[2]).toBe('ADDED b');
    });

    it('wants NotOlderThan with initial events', async () => {
      expect(
        await api.request(
          'GET',
          `${ALL_APPLICATIONS}?watch=true&sendInitialEvents=true`,
        ),
      ).toMatchObject({ code: 422 });
    });

    it('shows a changing selection as additions and deletions', async () => {
      cluster.create(application('a'));
      const opened = await watch(
        `${ALL_APPLICATIONS}?watch=true&labelSelector=team`,
      );
      const label = (labels: Record<string, string> | undefined) =>
        cluster.patch(reference('Application', 'a'), draft => {
          draft.metadata.labels = labels;
        });
      label({ team: 'x' });
      label({ team: 'y' });
      label(undefined);
      cluster.delete(reference('Application', 'a'));
      cluster.create(application('b', { team: 'z' }));
      await eventually(() =>
        expect(seen(opened)).toEqual([
          'ADDED a',
          'MODIFIED a',
          'DELETED a',
          'ADDED b',
        ]),
      );
    });

    it('sends bookmarks to those who allow them', async () => {
      const opened = await watch(
        `${ALL_APPLICATIONS}?watch=true&allowWatchBookmarks=true&resourceVersion=${await version()}`,
      );
      const silent = await watch(
        `${ALL_APPLICATIONS}?watch=true&resourceVersion=${await version()}`,
      );
      cluster.create(configMap('elsewhere'));
      clock.advance(60_000);
      const now = await version();
      await eventually(() =>
        expect(opened.events).toMatchObject([
          { type: 'BOOKMARK', object: { metadata: { resourceVersion: now } } },
        ]),
      );
      expect(silent.events).toEqual([]);
    });

    it('ends after the time asked for', async () => {
      const opened = await watch(
        `${ALL_APPLICATIONS}?watch=true&timeoutSeconds=1`,
      );
      expect(opened.isEnded()).toBe(false);
      await eventually(() => expect(opened.isEnded()).toBe(true));
    });

    it('ends when the kind is uninstalled', async () => {
      cluster.create(application('a'));
      const opened = await watch(`${ALL_APPLICATIONS}?watch=true`);
      cluster.removeResource('Application');
      await eventually(() => expect(opened.isEnded()).toBe(true));
      expect(seen(opened)).toEqual(['ADDED a', 'DELETED a']);
      expect(await api.request('GET', ALL_APPLICATIONS)).toMatchObject({
        code: 404,
        body: '404 page not found\n',
      });
    });

    it('answers 410 when it cannot resume', async () => {
      const from = await version();
      server.faults.expireResourceVersions();
      expect(
        await api.request(
          'GET',
          `${ALL_APPLICATIONS}?watch=true&resourceVersion=${from}`,
        ),
      ).toMatchObject({
        code: 410,
        body: {
          reason: 'Expired',
          message: expect.stringMatching(
            /^too old resource version: \d+ \(\d+\)$/,
          ),
        },
      });
      const fresh = await watch(
        `${ALL_APPLICATIONS}?watch=true&resourceVersion=${await version()}`,
      );
      expect(fresh.isEnded()).toBe(false);
    });

    it('answers 410 within the stream where that is asked for', async () => {
      const from = await version();
      server.faults.inStreamGone(true);
      server.faults.expireResourceVersions();
      const opened = await watch(
        `${ALL_APPLICATIONS}?watch=true&resourceVersion=${from}`,
      );
      await eventually(() => expect(opened.isEnded()).toBe(true));
      expect(opened.events).toMatchObject([
        { type: 'ERROR', object: { kind: 'Status', code: 410 } },
      ]);
    });
  });

  describe('access', () => {
    it('refuses an unknown token', async () => {
      const stranger = createApiClient({ url: server.url, token: 'unknown' });
      expect(await stranger.request('GET', ALL_APPLICATIONS)).toMatchObject({
        code: 401,
        body: {
          kind: 'Status',
          message: 'Unauthorized',
          reason: 'Unauthorized',
          code: 401,
        },
      });
    });

    it('knows who comes without a token as anonymous', async () => {
      const anonymous = createApiClient({ url: server.url });
      expect(await anonymous.request('GET', '/version')).toMatchObject({
        code: 200,
      });
      expect(await anonymous.request('GET', '/api')).toMatchObject({
        code: 403,
        body: {
          message: 'forbidden: User "system:anonymous" cannot get path "/api"',
        },
      });
    });

    it('lets a role read what it says and no more', async () => {
      expect(await reader.request('GET', ALL_APPLICATIONS)).toMatchObject({
        code: 200,
      });
      expect(
        await reader.request('POST', APPLICATIONS, {
          body: application('web'),
        }),
      ).toMatchObject({
        code: 403,
        body: {
          reason: 'Forbidden',
          message:
            'applications.argoproj.io is forbidden: User "system:serviceaccount:shop:reader" cannot create resource "applications" in API group "argoproj.io" in the namespace "shop"',
          details: { group: 'argoproj.io', kind: 'applications' },
        },
      });
      expect(await reader.request('GET', '/api/v1/secrets')).toMatchObject({
        code: 403,
        body: {
          message:
            'secrets is forbidden: User "system:serviceaccount:shop:reader" cannot list resource "secrets" in API group "" at the cluster scope',
        },
      });
    });

    it('lets a role name the objects it is about', async () => {
      cluster.create(configMap('settings'));
      cluster.create(configMap('private'));
      const code = async (path: string) =>
        (await reader.request('GET', path)).code;
      expect(await code(`${CONFIG_MAPS}/settings`)).toBe(200);
      expect(await code(`${CONFIG_MAPS}/private`)).toBe(403);
      expect(await code(CONFIG_MAPS)).toBe(403);
      expect(
        await code(`${CONFIG_MAPS}?fieldSelector=metadata.name=settings`),
      ).toBe(200);
    });

    it('honours a role as soon as it is bound', async () => {
      expect(await reader.request('GET', '/api/v1/pods')).toMatchObject({
        code: 403,
      });
      cluster.patch({ kind: 'ClusterRole', name: 'reader' }, draft => {
        draft.rules.push({
          apiGroups: [''],
          resources: ['pods'],
          verbs: ['list'],
        });
      });
      expect(await reader.request('GET', '/api/v1/pods')).toMatchObject({
        code: 200,
      });
    });

    it('answers what a user may do', async () => {
      const ask = async (verb: string, resource: string) =>
        (
          await reader.request(
            'POST',
            '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
            {
              body: {
                apiVersion: 'authorization.k8s.io/v1',
                kind: 'SelfSubjectAccessReview',
                spec: {
                  resourceAttributes: { verb, group: 'argoproj.io', resource },
                },
              },
            },
          )
        ).body.status.allowed;
      expect(await ask('watch', 'applications')).toBe(true);
      expect(await ask('delete', 'applications')).toBe(false);
    });

    it('counts requests by verb and resource', async () => {
      server.requests.reset();
      await api.request('GET', ALL_APPLICATIONS);
      await api.request('GET', ALL_APPLICATIONS);
      await api.request('GET', '/apis');
      expect(server.requests.all()).toEqual({ 'list applications': 2 });
    });
  });

  describe('discovery', () => {
    it('lists groups and resources in the plain form', async () => {
      const groups = await api.request('GET', '/apis');
      expect(groups.body.groups).toContainEqual({
        name: 'gateway.networking.k8s.io',
        versions: [
          { groupVersion: 'gateway.networking.k8s.io/v1', version: 'v1' },
          {
            groupVersion: 'gateway.networking.k8s.io/v1beta1',
            version: 'v1beta1',
          },
        ],
        preferredVersion: {
          groupVersion: 'gateway.networking.k8s.io/v1',
          version: 'v1',
        },
      });
      const resources = await api.request('GET', '/apis/argoproj.io/v1alpha1');
      expect(
        resources.body.resources.map((resource: any) => resource.name),
      ).toEqual([
        'applications',
        'applicationsets',
        'applicationsets/status',
        'appprojects',
      ]);
    });

    it('no longer lists a group without kinds', async () => {
      [
        'Gateway',
        'GatewayClass',
        'HTTPRoute',
        'ListenerSet',
        'ReferenceGrant',
      ].forEach(kind => cluster.removeResource(kind));
      expect(
        await api.request('GET', '/apis/gateway.networking.k8s.io/v1'),
      ).toMatchObject({ code: 404, body: '404 page not found\n' });
    });
  });

  describe('faults', () => {
    it('cuts the watches of one kind', async () => {
      const applications = await watch(`${ALL_APPLICATIONS}?watch=true`);
      const settings = await watch('/api/v1/configmaps?watch=true');
      server.faults.cutWatches('Application');
      await eventually(() => expect(applications.isEnded()).toBe(true));
      expect(settings.isEnded()).toBe(false);
    });

    it('lets watches hang and cuts them when that ends', async () => {
      server.faults.hangWatches('Application');
      const opened = await watch(`${ALL_APPLICATIONS}?watch=true`);
      const other = await watch('/api/v1/configmaps?watch=true');
      cluster.create(application('a'));
      cluster.create(configMap('b'));
      await eventually(() => expect(seen(other)).toEqual(['ADDED b']));
      expect(opened.events).toEqual([]);
      server.faults.resumeWatches('Application');
      await eventually(() => expect(opened.isEnded()).toBe(true));
      expect(opened.events).toEqual([]);
    });

    it('forbids and allows a verb on a kind', async () => {
      server.faults.forbid('Application', 'list');
      expect(await api.request('GET', ALL_APPLICATIONS)).toMatchObject({
        code: 403,
        body: {
          message:
            'applications.argoproj.io is forbidden: User "admin" cannot list resource "applications" in API group "argoproj.io" at the cluster scope',
        },
      });
      server.faults.allow('Application', 'list');
      expect(await api.request('GET', ALL_APPLICATIONS)).toMatchObject({
        code: 200,
      });
    });

    it('fails so many times', async () => {
      server.faults.failNext('Application', 503, 2);
      const codes = [];
      for (let index = 0; index < 3; index += 1) {
        codes.push((await api.request('GET', ALL_APPLICATIONS)).code);
      }
      expect(codes).toEqual([503, 503, 200]);
    });

    it('says when to try again on 429', async () => {
      server.faults.failNext('Application', 429);
      const { headers, body } = await api.request('GET', ALL_APPLICATIONS);
      expect(headers.get('retry-after')).toBe('1');
      expect(body.reason).toBe('TooManyRequests');
    });

    it('rejects a token and accepts it again', async () => {
      server.faults.rejectToken('admin');
      expect(await api.request('GET', ALL_APPLICATIONS)).toMatchObject({
        code: 401,
      });
      server.faults.acceptToken('admin');
      expect(await api.request('GET', ALL_APPLICATIONS)).toMatchObject({
        code: 200,
      });
    });

    it('refuses connections until it listens again on the same port', async () => {
      const opened = await watch(`${ALL_APPLICATIONS}?watch=true`);
      await server.faults.refuseConnections(true);
      await eventually(() => expect(opened.isEnded()).toBe(true));
      await expect(api.request('GET', ALL_APPLICATIONS)).rejects.toThrow(
        expect.objectContaining({
          cause: expect.objectContaining({ code: 'ECONNREFUSED' }),
        }),
      );
      await server.faults.refuseConnections(false);
      expect(await api.request('GET', ALL_APPLICATIONS)).toMatchObject({
        code: 200,
      });
    });

    it('restarts with its data, without its past', async () => {
      cluster.create(application('a'));
      const before = await api.request('GET', ALL_APPLICATIONS);
      const opened = await watch(`${ALL_APPLICATIONS}?watch=true`);
      await server.faults.restart();
      await eventually(() => expect(opened.isEnded()).toBe(true));
      const after = await api.request('GET', ALL_APPLICATIONS);
      expect(names(after.body)).toEqual(['a']);
      expect(
        await api.request(
          'GET',
          `${ALL_APPLICATIONS}?watch=true&resourceVersion=${before.body.metadata.resourceVersion}`,
        ),
      ).toMatchObject({ code: 410 });
    });

    it('clears them all', async () => {
      server.faults.forbid('Application');
      server.faults.failNext('ConfigMap', 500, 10);
      server.faults.rejectToken('admin');
      await server.faults.refuseConnections(true);
      await server.faults.clear();
      expect(await api.request('GET', ALL_APPLICATIONS)).toMatchObject({
        code: 200,
      });
      expect(await api.request('GET', CONFIG_MAPS)).toMatchObject({
        code: 200,
      });
    });
  });
});
