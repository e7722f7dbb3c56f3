import { Simulator } from 'simulator';
import {
  condition,
  MergeRequestReference,
  StartedPlugin,
  startPlugin,
} from '../support/startPlugin';
import { waitFor } from '../support/waitFor';

jest.setTimeout(120_000);

const PROJECT = 'shop/checkout';

describe('what a closed merge request leaves behind', () => {
  let plugin: StartedPlugin;
  let simulator: Simulator;
  let projectId: number;

  beforeAll(async () => {
    plugin = await startPlugin({
      // The set looks every second, so that an orphan is one after two.
      simulator: { speed: 10 },
      previews: { grace: { minimum: { milliseconds: 500 } } },
      scenario: ({ scenario }) => {
        ({ projectId } = scenario.addService({
          name: 'checkout',
          requeueAfterSeconds: 1,
        }));
        scenario.addService({
          name: 'archive',
          requeueAfterSeconds: 1,
          setSyncPolicy: { applicationsSync: 'create-update' },
        });
      },
    });
    simulator = plugin.simulator;
  });

  afterEach(async () => {
    await simulator.faults.clear();
  });

  afterAll(async () => {
    await plugin?.stop();
  });

  const nameOf = ({ iid }: MergeRequestReference) =>
    `preview-mr-${projectId}-${iid}`;
  const application = (reference: MergeRequestReference) => ({
    kind: 'Application',
    namespace: 'argocd',
    name: nameOf(reference),
  });

  async function live(project = PROJECT): Promise<MergeRequestReference> {
    const { iid } = simulator.control.openMergeRequest({
      project,
      sourceBranch: `feature/${simulator.control.mergeRequests().length}`,
      title: 'A change',
      author: 'dev1',
    });
    const reference = { project, iid };
    await plugin.untilPhase(reference, 'Live');
    return reference;
  }

  it('is a namespace that a finalizer holds, until somebody lets it go', async () => {
    const reference = await live();
    simulator.faults.stickFinalizer({
      kind: 'Namespace',
      name: nameOf(reference),
    });
    simulator.control.close(reference);
    const row = await plugin.until(
      reference,
      preview =>
        preview.phase === 'TearingDown' &&
        preview.namespaces[0]?.terminatingSince !== undefined &&
        condition(preview, 'CleanedUp')?.reason === 'NamespaceTerminating',
    );
    expect(row.namespaces).toMatchObject([{ name: nameOf(reference) }]);
    // Argo CD's deletion waits for the namespace, and so does the row.
    expect(condition(row, 'CleanedUp')?.status).toBe('False');
    simulator.faults.releaseFinalizers();
    await plugin.untilPhase(reference, 'Gone');
  });

  it('is an Application that a finalizer holds, until somebody lets it go', async () => {
    const reference = await live();
    simulator.faults.stickFinalizer(application(reference));
    simulator.control.close(reference);
    const row = await plugin.until(
      reference,
      ({ phase, namespaces, applications }) =>
        phase === 'TearingDown' &&
        namespaces.length === 0 &&
        applications[0]?.deletionRequestedAt !== undefined,
    );
    expect(condition(row, 'CleanedUp')?.status).toBe('False');
    simulator.faults.releaseFinalizers();
    const gone = await plugin.untilPhase(reference, 'Gone');
    expect(gone.applications).toEqual([]);
  });

  it('is nothing where the namespace was deleted by hand before', async () => {
    const reference = await live();
    const { id } = (await plugin.find(reference))!;
    simulator.clusters[0].cluster.delete({
      kind: 'Namespace',
      name: nameOf(reference),
    });
    await plugin.until(reference, ({ phase }) => phase !== 'Live');
    simulator.control.close(reference);
    await plugin.untilPhase(reference, 'Gone');
    expect((await plugin.timeline(id)).map(({ to }) => to)).not.toContain(
      'Orphaned',
    );
  });

  it('is nothing where the Application was deleted during an operation and made again', async () => {
    const reference = await live();
    const { cluster } = simulator.clusters[0];
    const { sha } = simulator.control.push(reference);
    cluster.delete(application(reference));
    // The set makes it again, as it should while the merge request is open.
    await plugin.until(
      reference,
      ({ phase, mergeRequest, commit }) =>
        phase === 'Live' &&
        mergeRequest.headSha === sha &&
        sha!.startsWith(commit.running ?? 'none'),
    );
    simulator.control.close(reference);
    const gone = await plugin.untilPhase(reference, 'Gone');
    expect(gone.namespaces).toEqual([]);
  });

  it('is an orphan after the grace period where nobody deletes it', async () => {
    // Its set creates and updates, and leaves it to people to delete.
    const reference = await live('shop/archive');
    simulator.control.close(reference);
    const orphan = await plugin.untilPhase(reference, 'Orphaned');
    expect(condition(orphan, 'CleanedUp')?.reason).toBe('ApplicationKept');
    expect(orphan.applications).toHaveLength(1);
    const phases = (await plugin.timeline(orphan.id)).map(({ to }) => to);
    expect(phases.indexOf('TearingDown')).toBeLessThan(
      phases.indexOf('Orphaned'),
    );
    expect(phases).toContain('TearingDown');
    const [{ namespace, name }] = orphan.applications;
    simulator.clusters[0].cluster.delete({
      kind: 'Application',
      namespace,
      name,
    });
    await plugin.untilPhase(reference, 'Gone');
  });

  it('has all of its grace where it came back and was left again while the portal was down', async () => {
    const reference = await live('shop/archive');
    const { cluster } = simulator.clusters[0];
    const [left] = (await plugin.find(reference))!.applications;
    const asObject = { ...left, kind: 'Application' };
    simulator.control.close(reference);
    await plugin.untilPhase(reference, 'Orphaned');
    cluster.delete(asObject);
    const { id } = await plugin.untilPhase(reference, 'Gone');
    const before = (await plugin.timeline(id)).length;

    await plugin.stopBackend();
    simulator.control.reopen(reference);
    await waitFor('another Application', () =>
      cluster
        .list({ kind: 'Application' })
        .find(({ metadata }) => metadata.name === left.name),
    );
    simulator.control.close(reference);
    await plugin.startBackend();
    await plugin.untilPhase(reference, 'Orphaned');
    const phases = (await plugin.timeline(id))
      .slice(before)
      .filter(({ kind }) => kind === 'phase')
      .map(({ from, to }) => `${from} ${to}`);
    expect(phases).toEqual(['Gone TearingDown', 'TearingDown Orphaned']);
    cluster.delete(asObject);
    await plugin.untilPhase(reference, 'Gone');
  });

  it('is no orphan while the set that owns it reports an error', async () => {
    const reference = await live();
    simulator.faults.platform.set('generator', 'checkout-previews', 'error');
    await plugin.until(
      reference,
      preview =>
        condition(preview, 'ApplicationGenerated')?.reason ===
        'FrozenByGenerator',
    );
    simulator.control.close(reference);
    const row = await plugin.until(
      reference,
      ({ mergeRequest, phase }) =>
        mergeRequest.state === 'closed' && phase === 'TearingDown',
    );
    // Past the grace period, when another one would be an orphan.
    const { id } = row;
    const closedAt = Date.now();
    await plugin.until(
      reference,
      ({ phase }) => phase === 'TearingDown' && Date.now() - closedAt > 3000,
    );
    expect((await plugin.timeline(id)).map(({ to }) => to)).not.toContain(
      'Orphaned',
    );
    simulator.faults.platform.clear('generator');
    await plugin.untilPhase(reference, 'Gone');
  });

  it('makes no pass of the engine fail', () => {
    expect(plugin.errors).toEqual([]);
  });
});
