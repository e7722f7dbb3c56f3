import { busyHour, HourOutcome } from '../support/busyHour';
import { StartedPlugin, startPlugin } from '../support/startPlugin';
import {
  startWebhookShuffler,
  WebhookShuffler,
} from '../support/webhookShuffler';
import { waitFor } from '../support/waitFor';

jest.setTimeout(240_000);

/** A list that only the portal asks for. */
const OF_PORTAL = /^\/projects\/\d+\/merge_requests\?.*order_by=/;

describe('a busy hour', () => {
  const PROJECTS = ['shop/checkout', 'shop/payments'];
  const SEED = 'a busy hour';

  let plugin: StartedPlugin;
  let shuffler: WebhookShuffler | undefined;
  let clean: HourOutcome;
  let cleanDeliveries: number;

  async function start() {
    plugin = await startPlugin({
      simulator: { speed: 300, seed: SEED },
      previews: { schedule: { gitlabStaleAfter: { seconds: 30 } } },
      scenario: ({ scenario }) => {
        scenario.addService({ name: 'checkout' });
        scenario.addService({
          name: 'payments',
          requireLabel: true,
          template: 'valuesObject',
        });
      },
    });
    plugin.sendWebhooks();
  }

  const hour = () => busyHour({ plugin, projects: PROJECTS, seed: SEED });

  /** Webhooks to the portal that came to an end, by their end. */
  function deliveries(outcome: 'dropped' | 'taken'): number {
    return plugin.simulator.gitlab.deliveries.filter(
      delivery =>
        delivery.url.includes('previews-gitlab') &&
        (outcome === 'dropped'
          ? delivery.outcome === 'dropped'
          : typeof delivery.outcome === 'number'),
    ).length;
  }

  beforeAll(async () => {
    await start();
    clean = await hour();
    cleanDeliveries = deliveries('taken');
    await plugin.stop();
  });

  afterEach(async () => {
    await shuffler?.close();
    shuffler = undefined;
    await plugin.stop();
  });

  it('brings enough to compare', () => {
    expect(cleanDeliveries).toBeGreaterThan(20);
    expect(clean.rows.length).toBeGreaterThan(3);
  });

  it('of which every webhook is dropped changes only how soon it is seen', async () => {
    await start();
    plugin.simulator.faults.gitlab.webhooksToDrop = Infinity;
    expect(await hour()).toEqual(clean);
    expect(deliveries('dropped')).toBeGreaterThan(20);
    expect(deliveries('taken')).toBe(0);
    expect(plugin.errors).toEqual([]);
  });

  it('of which every webhook comes three times in random order changes nothing', async () => {
    await start();
    const hook = plugin.simulator.gitlab.state.systemHooks.find(({ url }) =>
      url.includes('previews-gitlab'),
    )!;
    shuffler = await startWebhookShuffler({
      target: hook.url,
      copies: 3,
      seed: SEED,
    });
    hook.url = shuffler.url;
    expect(await hour()).toEqual(clean);
    await shuffler.sendAll();
    expect(shuffler.received).toBeGreaterThan(20);
    expect(shuffler.accepted).toBe(3 * shuffler.received);

    // All of it once more, when nothing happens any more: not a word is added.
    const all = async () => {
      const { items } = await plugin.previews();
      return Promise.all(
        items.map(async ({ id, phase, phaseSince, goneAt }) => ({
          id,
          phase,
          phaseSince,
          goneAt,
          timeline: await plugin.timeline(id),
        })),
      );
    };
    const before = await all();
    await shuffler.sendEverythingAgain();
    // Twice the list of each project: the last one was asked for after all of it.
    const begin = plugin.simulator.gitlab.requests.length;
    await waitFor('GitLab to be read again', () =>
      plugin.simulator.gitlab.requests
        .slice(begin)
        .filter(({ path }) => OF_PORTAL.test(path)).length >= 4
        ? true
        : undefined,
    );
    expect(shuffler.accepted).toBe(6 * shuffler.received);
    expect(await all()).toEqual(before);
    expect(plugin.errors).toEqual([]);
  });
});
