import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { startSimulator, type Simulator } from '../simulator';

const SPEED = 200;
/** Each command is a process of its own. */
const CLI_TIMEOUT_MILLISECONDS = 60_000;

describe('the control API', () => {
  let simulator: Simulator;

  beforeEach(async () => {
    simulator = await startSimulator({ speed: SPEED, controlPort: 0 });
    simulator.scenario.addService({ name: 'checkout' });
  });

  afterEach(async () => {
    await simulator.stop();
  });

  const call = async (
    method: string,
    path: string,
    body?: Record<string, unknown>,
    headers: Record<string, string> = {},
  ) => {
    const response = await fetch(`${simulator.controlUrl}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      body: body && JSON.stringify(body),
    });
    return {
      status: response.status,
      body: (await response.json()) as Record<string, any>,
    };
  };
  const act = (action: string, more: Record<string, unknown> = {}) =>
    call('POST', `/merge-requests/${action}`, {
      project: 'shop/checkout',
      iid: 1,
      ...more,
    });

  it('does to a merge request what people do', async () => {
    const opened = await act('open', {
      sourceBranch: 'feature/a',
      labels: 'preview,bug',
    });
    expect(opened.body).toMatchObject({
      iid: 1,
      state: 'opened',
      labels: ['bug', 'preview'],
    });
    const pushed = await act('push', { force: true });
    expect(pushed.body.sha).not.toBe(opened.body.sha);
    expect((await act('draft')).body).toMatchObject({ draft: true });
    expect((await act('draft', { draft: false })).body).toMatchObject({
      draft: false,
      title: 'feature/a',
    });
    expect((await act('lock')).body.state).toBe('locked');
    expect((await act('lock', { locked: false })).body.state).toBe('opened');
    expect((await act('label', { labels: 'x' })).body.labels).toEqual(['x']);
    expect((await act('approve', { by: 'dev2' })).body.approvedBy).toEqual([
      'dev2',
    ]);
    expect((await act('approve', { by: 'dev2' })).status).toBe(409);
    expect((await act('unapprove', { by: 'dev2' })).body.approvedBy).toEqual(
      [],
    );
    expect((await act('unapprove', { by: 'dev2' })).status).toBe(409);
    expect((await act('close')).body.state).toBe('closed');
    expect((await act('reopen')).body.state).toBe('opened');
    await call('POST', '/quiet');
    expect((await act('merge')).body.state).toBe('merged');
    const { body } = await call('GET', '/state');
    expect(body.mergeRequests).toHaveLength(1);
    expect(body.applications).toHaveLength(1);
  });

  it('tags a commit of a repository, once', async () => {
    const { state } = simulator.gitlab;
    const project = state.project('shop/checkout');
    const main = project.branches.get('main');
    const tag = (name: string, more: object = {}) =>
      call('POST', '/tags', { project: 'shop/checkout', name, ...more });
    expect(await tag('v1')).toEqual({
      status: 200,
      body: { tag: 'v1', sha: main },
    });
    const { sha } = state.commit({
      project: 'shop/checkout',
      branch: 'other',
      message: 'Change',
      actions: [{ action: 'create', path: 'a', content: 'a' }],
    });
    expect((await tag('v2', { revision: 'other' })).body.sha).toBe(sha);
    expect([...project.tags]).toEqual([
      ['v1', main],
      ['v2', sha],
    ]);
    expect((await tag('v1')).status).toBe(409);
    expect((await tag('v3', { revision: 'none' })).status).toBe(400);
    expect((await tag('no name')).status).toBe(400);
    expect((await tag('v1', { project: 'shop/none' })).status).toBe(404);
    expect(project.tags.size).toBe(2);
  });

  it.each([
    ['POST', '/tags', {}, 400],
    ['POST', '/tags', { project: 'shop/checkout' }, 400],
    ['POST', '/merge-requests/open', {}, 400],
    ['POST', '/merge-requests/push', { project: 'shop/checkout' }, 400],
    ['POST', '/merge-requests/push', { project: 'shop/checkout', iid: 9 }, 404],
    ['POST', '/merge-requests/dance', { project: 'x', iid: 1 }, 404],
    ['POST', '/faults', { fault: 'nonsense' }, 400],
    ['POST', '/faults', { fault: 'kubernetes-fail' }, 400],
    ['POST', '/faults', { fault: 'gitlab-500', cluster: 7 }, 200],
    ['POST', '/faults', { fault: 'kubernetes-restart', cluster: 7 }, 400],
    ['POST', '/certificates/renew', {}, 400],
    ['POST', '/certificates/renew', { namespace: 'x', name: 'y' }, 404],
    ['POST', '/certificates/age', { namespace: 'gateways', name: 'y' }, 400],
    ['POST', '/acme', { enforce: 'nonsense' }, 400],
    ['POST', '/acme', { drain: 'domain' }, 400],
    ['GET', '/nothing', undefined, 404],
  ])('answers %s %s with %j as %i', async (method, path, body, status) => {
    expect((await call(method, path, body)).status).toBe(status);
  });

  it('cannot be used by a web page', async () => {
    const refused = await call('DELETE', '/faults', undefined, {
      origin: 'https://example.com',
    });
    expect(refused.status).toBe(403);
  });

  it('injects faults by name and heals them all', async () => {
    const gitlab = () =>
      fetch(`${simulator.gitlab.url}/api/v4/user`, {
        headers: { 'private-token': simulator.gitlab.token },
      });
    const faults = [
      [{ fault: 'gitlab-status', status: '429', retryAfter: 5 }, 429],
      [{ fault: 'gitlab-status', status: '403-scope' }, 403],
      [{ fault: 'gitlab-revoke-token' }, 401],
      [{ fault: 'gitlab-502' }, 502],
    ] as const;
    for (const [fault, status] of faults) {
      await call('POST', '/faults', fault);
      expect((await gitlab()).status).toBe(status);
      await call('DELETE', '/faults');
      expect((await gitlab()).status).toBe(200);
    }
    const [{ url, token }] = simulator.clusters;
    const pods = () =>
      fetch(`${url}/api/v1/pods`, {
        headers: { authorization: `Bearer ${token}` },
      });
    await call('POST', '/faults', { fault: 'kubernetes-forbid', kind: 'Pod' });
    expect((await pods()).status).toBe(403);
    await call('POST', '/faults', { fault: 'kubernetes-refuse' });
    await expect(pods()).rejects.toThrow();
    await call('DELETE', '/faults');
    expect((await pods()).status).toBe(200);
  });

  it('renews and ages certificates, and tells of records and limits', async () => {
    const { cluster } = simulator.clusters[0];
    const reference = { namespace: 'gateways', name: 'preview-wildcard' };
    const status = () =>
      cluster.get({ kind: 'Certificate', ...reference })?.status;
    await call('POST', '/quiet');
    const { notAfter } = status() ?? {};
    await call('POST', '/certificates/age', { ...reference, days: 20 });
    expect(Date.parse(notAfter) - Date.parse(status()?.notAfter)).toBe(
      20 * 24 * 3600 * 1000,
    );
    await call('POST', '/certificates/renew', reference);
    await call('POST', '/quiet');
    expect(status()).toMatchObject({ revision: 2 });
    expect((await call('GET', '/acme')).body).toEqual({
      enforced: [],
      budgets: expect.arrayContaining([
        expect.objectContaining({
          limit: 'domain',
          subject: 'example.com',
          burst: 50,
          left: 49,
        }),
      ]),
    });
    expect(
      (
        await call('POST', '/acme', {
          enforce: 'domain,set',
          drain: 'domain',
          subject: 'example.com',
        })
      ).body,
    ).toMatchObject({
      enforced: ['domain', 'set'],
      budgets: expect.arrayContaining([
        expect.objectContaining({ subject: 'example.com', left: 0 }),
      ]),
    });
    expect((await call('GET', '/dns')).body).toMatchObject([
      { id: 'Z0SIMULATED1', name: 'example.com.', records: expect.any(Array) },
      { name: 'example.net.' },
      { name: 'example.org.' },
    ]);
  });

  it('injects faults of Route 53 and STS', async () => {
    const { url } = simulator.aws;
    const faults = [
      [{ fault: 'route53-fail' }, 503],
      [{ fault: 'route53-fail', status: 500 }, 500],
    ] as const;
    for (const [fault, status] of faults) {
      await call('POST', '/faults', fault);
      expect((await fetch(`${url}/2013-04-01/hostedzone`)).status).toBe(status);
      await call('DELETE', '/faults');
      expect((await fetch(`${url}/2013-04-01/hostedzone`)).status).toBe(403);
    }
    await call('POST', '/faults', { fault: 'sts-deny' });
    const assume = () =>
      fetch(simulator.aws.stsUrl, {
        method: 'POST',
        body: new URLSearchParams({
          Action: 'AssumeRoleWithWebIdentity',
          RoleArn: 'arn:aws:iam::123456789012:role/portal',
          RoleSessionName: 'portal',
          WebIdentityToken: 'a.web.token',
        }),
      });
    expect((await assume()).status).toBe(403);
    await call('DELETE', '/faults');
    expect((await assume()).status).toBe(200);
    for (const fault of [
      { fault: 'route53-deny', operation: 'ListHostedZones' },
      { fault: 'route53-throttle', times: 1 },
      { fault: 'route53-hide-zone', zone: 'Z0SIMULATED1' },
      { fault: 'route53-slow', milliseconds: 1 },
    ]) {
      expect((await call('POST', '/faults', fault)).status).toBe(200);
    }
    expect(simulator.faults.aws.isDenied('ListHostedZones')).toBe(true);
    expect(simulator.faults.aws.isHidden('Z0SIMULATED1')).toBe(true);
  });

  describe('on the command line', () => {
    const cli = (...words: string[]) =>
      promisify(execFile)(
        process.execPath,
        [
          '--require',
          require.resolve('@backstage/cli/config/nodeTransform.cjs'),
          join(dirname(__dirname), 'cli.ts'),
          ...words,
          '--control-port',
          new URL(simulator.controlUrl as string).port,
        ],
        { env: { ...process.env, NODE_OPTIONS: '' } },
      );

    it(
      'does what people do, and injects faults',
      async () => {
        const { stdout } = await cli(
          'open',
          'shop/checkout',
          'feature/a',
          '--title',
          'From the shell',
        );
        expect(JSON.parse(stdout)).toMatchObject({ iid: 1, state: 'opened' });
        await cli('fault', 'drop-webhooks', 'count=3');
        await cli('close', 'shop/checkout', '1');
        expect(simulator.control.mergeRequests()).toMatchObject([
          { iid: 1, state: 'closed', title: 'From the shell' },
        ]);
        await cli('tag', 'shop/checkout', 'v1.0.0', '--ref', 'main');
        expect([
          ...simulator.gitlab.state.project('shop/checkout').tags.keys(),
        ]).toEqual(['v1.0.0']);
        await expect(cli('fault', 'nonsense')).rejects.toMatchObject({
          code: 1,
        });
      },
      CLI_TIMEOUT_MILLISECONDS,
    );

    it(
      'ages certificates and sets limits',
      async () => {
        await cli('age', 'gateways', 'preview-wildcard', '--days', '75');
        await simulator.quiet();
        expect(
          simulator.clusters[0].cluster.get({
            kind: 'Certificate',
            namespace: 'gateways',
            name: 'preview-wildcard',
          })?.status,
        ).toMatchObject({ revision: 2 });
        await cli('acme', 'enforce=domain');
        expect(JSON.parse((await cli('acme')).stdout)).toMatchObject({
          enforced: ['domain'],
        });
        expect((await cli('dns')).stdout).toContain('example.com.');
      },
      CLI_TIMEOUT_MILLISECONDS,
    );
  });
});
