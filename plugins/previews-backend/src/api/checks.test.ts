import { mockCredentials, TestDatabaseId } from '@backstage/backend-test-utils';
import { AuthorizeResult } from '@backstage/plugin-permission-common';
import {
  auditReadPermission,
  CheckResult,
  EntityChecks,
} from '@previews/backstage-plugin-previews-common';
import request from 'supertest';
import { assertDocumented } from '../testing/__testUtils__/answers';
import { createTestDatabases } from '../testing/__testUtils__/databases';
import { entity, Policy, startApi } from '../testing/__testUtils__/startApi';

jest.setTimeout(60_000);

const databases = createTestDatabases();

const WEB = 'component:default/web';
const SECRET = 'component:default/secret';
const dev = mockCredentials.user.header('user:default/dev1');
const noAudit: Policy = {
  [auditReadPermission.name]: { result: AuthorizeResult.DENY },
};

const ARN = 'arn:aws:iam::123456789012:role/cert-manager';
const REGISTRY = '123456789012.dkr.ecr.eu-west-1.amazonaws.com/shop';

const result: CheckResult = {
  id: 'StaticAwsKey',
  severity: 'error',
  subject: {
    kind: 'ClusterIssuer',
    name: 'letsencrypt',
    cluster: 'main',
  },
  evidence: { path: 'spec.acme', value: ARN },
  params: { object: 'ClusterIssuer', names: [ARN, REGISTRY], replicas: 1 },
  message: `ClusterIssuer of ${ARN}, image ${REGISTRY}.`,
  fix: 'Give it a role.',
};
const checks: EntityChecks = {
  results: [result],
  counts: { error: 1 },
  checkedAt: '2026-11-29T12:00:00.000Z',
  incomplete: ['cluster:other'],
};

describe.each(databases.eachSupportedId())('checks of an entity on %s', id => {
  async function summaryOf(
    name: string,
    options: { policy?: Policy; stored?: EntityChecks } = {},
  ) {
    const api = await startApi({
      knex: await databases.init(id as TestDatabaseId),
      entities: [entity('web'), entity('secret'), entity('idle')],
      hidden: { 'user:default/dev1': [SECRET] },
      policy: options.policy,
    });
    try {
      const put = (entityRef: string) => ({
        entityRef,
        checks: options.stored ?? checks,
      });
      await api.store.applyChecks(api.term, {
        put: [put(WEB), put(SECRET)],
        removed: [],
      });
      return await request(api.server)
        .get(`/api/previews/v1/entities/component/default/${name}/summary`)
        .set('authorization', dev);
    } finally {
      await api.stop();
    }
  }

  it('are in its summary as they were found', async () => {
    const answer = await summaryOf('web');
    assertDocumented({
      path: '/v1/entities/{kind}/{namespace}/{name}/summary',
      method: 'get',
      status: answer.status,
      body: answer.body,
    });
    expect(answer.body.checks).toEqual(checks);
  });

  it('are hidden with the entity', async () => {
    const answer = await summaryOf('secret');
    expect(answer.status).toBe(404);
    expect(answer.text).not.toContain('letsencrypt');
  });

  it('name no AWS account to those who may not read audits', async () => {
    const answer = await summaryOf('web', { policy: noAudit });
    expect(answer.text).not.toContain('123456789012');
    expect(answer.text).not.toContain('role/cert-manager');
    expect(answer.body.checks.results[0]).toMatchObject({
      subject: result.subject,
      evidence: { path: 'spec.acme', value: 'arn:aws:…' },
      params: { object: 'ClusterIssuer', replicas: 1 },
    });
  });

  it('change the version of the summary when they change, and not when they run', async () => {
    const tagOf = async (stored: EntityChecks) =>
      (await summaryOf('web', { stored })).headers.etag;
    const first = await tagOf(checks);
    expect(
      await tagOf({ ...checks, checkedAt: '2026-11-29T12:10:00.000Z' }),
    ).toBe(first);
    expect(await tagOf({ ...checks, results: [], counts: {} })).not.toBe(first);
  });

  it('are absent where none ran', async () => {
    const answer = await summaryOf('idle');
    expect(answer.status).toBe(200);
    expect(answer.body.checks).toBeUndefined();
  });
});
