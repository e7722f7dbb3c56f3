import {
  DomainBudget,
  FindingType,
  ListFindingsResponse,
  StatsResponse,
} from '@previews/backstage-plugin-previews-common';
import { Simulator } from 'simulator';
import {
  MergeRequestReference,
  StartedPlugin,
  startPlugin,
} from '../support/startPlugin';
import { freePort } from '../support/freePort';
import { waitFor } from '../support/waitFor';

jest.setTimeout(180_000);

const PROJECT = 'shop/checkout';
const UNKNOWN_TOKEN = 'glpat-that-nobody-knows';

describe('the certificate budget of real issuances', () => {
  let plugin: StartedPlugin;
  let simulator: Simulator;
  let projectId: number;

  beforeAll(async () => {
    const gitlabPort = await freePort();
    const host = `127.0.0.1:${gitlabPort}`;
    plugin = await startPlugin({
      simulator: { gitlabPort },
      previews: {
        checks: {
          tokens: [
            { name: 'generator', host, token: UNKNOWN_TOKEN },
            { name: 'runner', host },
          ],
        },
      },
      scenario: ({ scenario }) => {
        ({ projectId } = scenario.addService({
          name: 'checkout',
          requeueAfterSeconds: 1,
        }));
      },
    });
    simulator = plugin.simulator;
  });

  afterAll(async () => {
    await plugin?.stop();
  });

  function open(): MergeRequestReference {
    const { iid } = simulator.control.openMergeRequest({
      project: PROJECT,
      sourceBranch: `feature/${simulator.control.mergeRequests().length}`,
      title: 'A change',
      author: 'dev1',
    });
    return { project: PROJECT, iid };
  }

  /** The domain that previews are below, once it is as it has to be. */
  const until = (
    description: string,
    predicate: (budget: DomainBudget) => boolean,
  ) =>
    waitFor(
      description,
      async () => {
        const { certificateBudget }: StatsResponse = JSON.parse(
          await plugin.fetchText('/v1/stats'),
        );
        return certificateBudget.domains.find(
          budget => budget.domain === 'example.com' && predicate(budget),
        );
      },
      { timeoutMilliseconds: 60_000 },
    );

  const untilFound = (type: FindingType, count: number) =>
    waitFor(`${count} of ${type}`, async () => {
      const { items }: ListFindingsResponse = JSON.parse(
        await plugin.fetchText(`/v1/findings?type=${type}`),
      );
      return items.length === count ? items : undefined;
    });

  it('counts one for each preview, also when it is gone, and hears the refusal of the authority', async () => {
    const references = [open(), open()];
    await Promise.all(
      references.map(reference => plugin.untilPhase(reference, 'Live')),
    );
    const { used } = await until(
      'both certificates to be counted',
      ({ issuedLastWeek }) => issuedLastWeek >= 2,
    );
    simulator.control.close(references[0]);
    await plugin.untilPhase(references[0], 'Gone');
    const after = await until('the rest', () => true);
    expect(after).toMatchObject({ limit: 50, server: 'acme.example.com' });
    expect(after.used).toBe(used);

    const next = references[1].iid + 1;
    simulator.faults.platform.set(
      'certificate',
      `preview-mr-${projectId}-${next}`,
      'rateLimited',
    );
    open();
    const budget = await until(
      'the refusal',
      ({ refusedUntil }) => refusedUntil !== undefined,
    );
    expect(budget).toMatchObject({ state: 'spent', left: 0, used: 50 });
    expect(await untilFound('CertificateBudgetSpent', 1)).toMatchObject([
      {
        severity: 'warning',
        subject: { kind: 'Domain', name: 'example.com' },
        params: { refillAt: budget.refusedUntil },
      },
    ]);
    await simulator.faults.clear();
  });

  it('comes with findings of issuers with a stored key, which end with the key', async () => {
    const issuer = { kind: 'ClusterIssuer', name: 'letsencrypt' };
    const setKey = (accessKeyID: string | undefined) =>
      simulator.clusters[0].cluster.patch(issuer, draft => {
        const { acme } = draft.spec as {
          acme: {
            solvers: { dns01: { route53: { accessKeyID?: string } } }[];
          };
        };
        acme.solvers[0].dns01.route53.accessKeyID = accessKeyID;
      });
    await untilFound('IssuerStaticKey', 0);
    setKey('AKIAIOSFODNN7EXAMPLE');
    const [finding] = await untilFound('IssuerStaticKey', 1);
    expect(finding.subject).toMatchObject(issuer);
    expect(JSON.stringify(finding)).not.toContain('AKIA');
    setKey(undefined);
    await untilFound('IssuerStaticKey', 0);
  });

  it('comes with findings of named tokens, and never with a token', async () => {
    const [refused] = await untilFound('TokenRefused', 1);
    expect(refused.subject).toMatchObject({ kind: 'Token', name: 'generator' });
    const [unknown] = await untilFound('TokenNotVerifiable', 1);
    expect(unknown.subject).toMatchObject({ kind: 'Token', name: 'runner' });
    const answers = await Promise.all(
      ['/v1/findings', '/v1/sources'].map(path => plugin.fetchText(path)),
    );
    expect(answers.join()).not.toContain(UNKNOWN_TOKEN);
  });
});
