import { EntityChecks } from '@previews/backstage-plugin-previews-common';
import { Simulator } from 'simulator';
import { StartedPlugin, startPlugin } from '../support/startPlugin';
import { waitFor } from '../support/waitFor';

jest.setTimeout(180_000);

const CHECKOUT = 'component:default/checkout';
const SET = {
  kind: 'ApplicationSet',
  namespace: 'argocd',
  name: 'checkout-previews',
};
const BROKEN = ['FinalizerMissing', 'ProjectByPath', 'StateUnset'];

interface Template {
  metadata: { finalizers?: string[] };
}
interface Generator {
  pullRequest: { gitlab: { project: string; pullRequestState?: string } };
}

describe('readiness checks of a live set-up', () => {
  let plugin: StartedPlugin;
  let simulator: Simulator;

  beforeAll(async () => {
    plugin = await startPlugin({
      previews: { schedule: { checks: { milliseconds: 500 } } },
      scenario: ({ scenario, control }) => {
        scenario.addService({ name: 'checkout' });
        control.openMergeRequest({
          project: 'shop/checkout',
          sourceBranch: 'feature/1',
          title: 'Change 1',
          author: 'dev1',
        });
      },
    });
    simulator = plugin.simulator;
    await plugin.untilPhase({ project: 'shop/checkout', iid: 1 }, 'Live');
  });

  afterAll(async () => {
    await plugin?.stop();
  });

  afterEach(async () => {
    await simulator.faults.clear();
  });

  function untilChecks(
    what: string,
    predicate: (checks: EntityChecks) => boolean,
  ): Promise<EntityChecks> {
    return waitFor(
      what,
      async () => {
        const { checks } = await plugin.summary(CHECKOUT);
        return checks && predicate(checks) ? checks : undefined;
      },
      { timeoutMilliseconds: 60_000 },
    );
  }

  function brokenIds({ results }: EntityChecks): string[] {
    return results
      .filter(
        ({ id, subject }) =>
          subject.kind === 'ApplicationSet' && BROKEN.includes(id),
      )
      .map(({ id }) => id)
      .sort();
  }

  function changeSet(
    change: (parts: { generator: Generator; template: Template }) => void,
  ): void {
    simulator.clusters[0].cluster.patch(SET, draft => {
      const { generators, template } = draft.spec as {
        generators: Generator[];
        template: Template;
      };
      change({ generator: generators[0], template });
    });
  }

  function breakSet(): void {
    changeSet(({ generator, template }) => {
      const { gitlab } = generator.pullRequest;
      gitlab.project = 'shop/checkout';
      delete gitlab.pullRequestState;
      template.metadata.finalizers = ['example.com/other'];
    });
  }

  function mendSet(): void {
    const { id } = simulator.gitlab.state.findProject('shop/checkout')!;
    changeSet(({ generator, template }) => {
      const { gitlab } = generator.pullRequest;
      gitlab.project = String(id);
      gitlab.pullRequestState = 'opened';
      template.metadata.finalizers = ['resources-finalizer.argocd.argoproj.io'];
    });
  }

  it('find no error where previews work, among set, project and what runs', async () => {
    const checks = await untilChecks('checks of what runs', ({ results }) =>
      results.some(({ subject }) => subject.kind === 'Deployment'),
    );
    expect(checks.counts.error).toBeUndefined();
    expect(checks.incomplete).toEqual([]);
    // Repositories are of no cluster.
    expect(
      new Set(
        checks.results
          .filter(({ subject }) => subject.kind !== 'Repository')
          .map(({ subject }) => subject.cluster),
      ),
    ).toEqual(new Set([simulator.clusters[0].name]));
  });

  it('find what a set is broken by, and nothing any more once it is mended', async () => {
    breakSet();
    const checks = await untilChecks(
      'the broken set',
      found => brokenIds(found).length === BROKEN.length,
    );
    expect(
      checks.results.find(({ id }) => id === 'ProjectByPath'),
    ).toMatchObject({
      severity: 'warning',
      subject: {
        kind: 'ApplicationSet',
        namespace: 'argocd',
        name: SET.name,
        cluster: simulator.clusters[0].name,
      },
      evidence: {
        path: 'spec.generators[0].pullRequest.gitlab.project',
        value: 'shop/checkout',
      },
    });
    mendSet();
    await untilChecks('the mended set', found => brokenIds(found).length === 0);
  });

  it('stand as they were while the cluster is silent, with the time of then', async () => {
    breakSet();
    await untilChecks(
      'the broken set',
      found => brokenIds(found).length === BROKEN.length,
    );
    await simulator.faults.clusters[0].refuseConnections(true);
    await plugin.untilSource(
      `cluster:${simulator.clusters[0].name}`,
      ({ status }) => status !== 'fresh',
    );
    const before = (await plugin.summary(CHECKOUT)).checks!;
    expect(brokenIds(before)).toEqual(BROKEN);
    mendSet();
    await simulator.faults.clusters[0].refuseConnections(false);
    const after = await untilChecks(
      'the mended set',
      found => brokenIds(found).length === 0,
    );
    expect(after.checkedAt > before.checkedAt).toBe(true);
    expect(plugin.errors).toEqual([]);
  });

  it('are gone with the last set, of a service that nobody else reads', async () => {
    simulator.clusters[0].cluster.delete(SET);
    const summary = await waitFor(
      'a summary without checks',
      async () => {
        const found = await plugin.summary(CHECKOUT);
        return found.checks === undefined ? found : undefined;
      },
      { timeoutMilliseconds: 60_000 },
    );
    expect(summary.applicationSets).toEqual([]);
  });
});
