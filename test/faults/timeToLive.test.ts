import {
  MergeRequestReference,
  StartedPlugin,
  startPlugin,
} from '../support/startPlugin';
import { waitFor } from '../support/waitFor';

jest.setTimeout(180_000);

const PROJECT = 'shop/checkout';
/** Half of it is the longest that owners are warned before its end. */
const TTL_SECONDS = 16;

describe('the time to live of an idle preview', () => {
  let plugin: StartedPlugin;
  let reference: MergeRequestReference;

  beforeAll(async () => {
    plugin = await startPlugin({
      annotations: { 'previews/ttl': `PT${TTL_SECONDS}S` },
      previews: { notifications: { enabled: true } },
      scenario: ({ scenario, control }) => {
        scenario.addService({ name: 'checkout', requeueAfterSeconds: 1 });
        const { iid } = control.openMergeRequest({
          project: PROJECT,
          sourceBranch: 'feature/gift-cards',
          title: 'Accept gift cards',
          author: 'dev1',
        });
        reference = { project: PROJECT, iid };
      },
    });
  });

  afterAll(async () => {
    await plugin?.stop();
  });

  const near = (isNear: boolean) =>
    plugin.until(
      reference,
      ({ phase, ttl }) => phase === 'Live' && ttl?.near === isNear,
      { timeoutMilliseconds: 60_000 },
    );
  const ends = () => plugin.notified.map(({ payload }) => payload.title);

  it('warns its owners once before the end, over restarts and an outage, and again of the next end', async () => {
    const { ttl, message } = await near(true);
    expect(ttl).toMatchObject({
      duration: `PT${TTL_SECONDS}S`,
      from: 'annotation',
    });
    expect(message).toContain('A push or a comment keeps it.');
    await waitFor('the notification', () =>
      plugin.notified.length > 0 ? true : undefined,
    );
    const [{ recipients, payload }] = plugin.notified;
    expect(recipients).toEqual({
      type: 'entity',
      entityRef: ['component:default/checkout'],
    });
    expect(payload).toMatchObject({
      title: `${PROJECT}!${
        reference.iid
      }: idle, kept until ${ttl!.expiresAt.slice(0, 10)}`,
      severity: 'normal',
    });

    await plugin.stopBackend();
    await plugin.startBackend();
    await plugin.until(reference, ({ conditions }) =>
      conditions.some(({ reason }) => reason === 'IdlePastEnd'),
    );
    expect(ends()).toHaveLength(1);

    const { simulator } = plugin;
    simulator.faults.gitlab.down(500);
    await plugin.until(reference, ({ stale }) =>
      stale.includes(plugin.gitlabSource),
    );
    expect((await plugin.find(reference))?.ttl?.near).toBe(true);
    await simulator.faults.clear();

    simulator.control.push(reference);
    await near(false);
    const next = await near(true);
    expect(next.ttl!.expiresAt).not.toBe(ttl!.expiresAt);
    await waitFor('the second notification', () =>
      plugin.notified.length > 1 ? true : undefined,
    );
    expect(ends()).toHaveLength(2);
    expect(plugin.errors).toEqual([]);
  });
});
