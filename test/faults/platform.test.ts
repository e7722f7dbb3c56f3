import { JsonObject } from '@backstage/types';
import { Phase } from '@previews/backstage-plugin-previews-common';
import { MetricsCollector } from '../support/MetricsCollector';
import {
  MergeRequestReference,
  StartedPlugin,
  startPlugin,
} from '../support/startPlugin';
import { waitFor } from '../support/waitFor';

jest.setTimeout(180_000);

const PROJECT = 'shop/checkout';
const OWNED_BY = {
  type: 'entity',
  entityRef: ['component:default/checkout'],
};
/** Of which half is the longest that owners are warned before the end. */
const SHORT_TIME_TO_LIVE = { 'previews/ttl': 'PT10S' };

let plugin: StartedPlugin | undefined;

afterEach(async () => {
  await plugin?.stop();
  plugin = undefined;
});

async function start(
  options: Omit<Parameters<typeof startPlugin>[0], 'scenario'> = {},
): Promise<StartedPlugin> {
  plugin = await startPlugin({
    ...options,
    scenario: ({ scenario }) => {
      scenario.addService({ name: 'checkout', requeueAfterSeconds: 1 });
    },
  });
  return plugin;
}

function open(
  { simulator }: StartedPlugin,
  sourceBranch: string,
): MergeRequestReference {
  const { iid } = simulator.control.openMergeRequest({
    project: PROJECT,
    sourceBranch,
    title: `What ${sourceBranch} does`,
    author: 'dev1',
  });
  return { project: PROJECT, iid };
}

/** Nobody is told of what failed before it was first seen: it is seen to wait before. */
async function openFailing(
  started: StartedPlugin,
  sourceBranch: string,
): Promise<MergeRequestReference> {
  const { control, faults } = started.simulator;
  faults.platform.set('pipeline', '*', 'neverEnds');
  const reference = open(started, sourceBranch);
  await started.untilPhase(reference, 'Building');
  faults.platform.set('pipeline', '*', 'fails');
  control.push(reference);
  await started.untilPhase(reference, 'Failed');
  return reference;
}

function titleOf({ project, iid }: MergeRequestReference, end: string) {
  return expect.stringMatching(`^${project}!${iid}: ${end}`);
}

describe('notifications of a preview that fails', () => {
  it('reach its owners once, over everything that is told of it afterwards and a restart', async () => {
    const started = await start({
      previews: { notifications: { enabled: true } },
    });
    const first = await openFailing(started, 'feature/first');
    const { id, message } = (await started.find(first))!;
    await waitFor('the notification', () => started.notified[0]);
    expect(started.notified).toEqual([
      {
        recipients: OWNED_BY,
        payload: {
          title: `${PROJECT}!${first.iid}: Failed`,
          description: message,
          link: `/catalog/default/component/checkout/previews?preview=${id}`,
          severity: 'high',
          topic: 'previews',
          scope: `previews:${id}`,
        },
      },
    ]);

    started.simulator.control.edit({ ...first, title: 'Another title' });
    await started.until(
      first,
      ({ phase, mergeRequest }) =>
        phase === 'Failed' && mergeRequest.title === 'Another title',
    );
    await started.stopBackend();
    await started.startBackend();
    // One after the other: whatever was to be sent of the first came before this.
    const second = await openFailing(started, 'feature/second');
    await waitFor('the notification of the other', () => started.notified[1]);
    expect(started.notified.map(({ payload }) => payload.title)).toEqual([
      titleOf(first, 'Failed'),
      titleOf(second, 'Failed'),
    ]);
    expect(started.errors).toEqual([]);
  });

  it.each<[string, JsonObject | undefined]>([
    ['are not asked for', undefined],
    ['are switched off', { enabled: false, failed: true, reclaim: true }],
  ])('reach nobody where they %s', async (_case, notifications) => {
    const started = await start({
      annotations: SHORT_TIME_TO_LIVE,
      ...(notifications && { previews: { notifications } }),
    });
    const reference = await openFailing(started, 'feature/first');
    await started.until(reference, ({ ttl }) => ttl?.near === true);
    await openFailing(started, 'feature/second');
    expect(started.notified).toEqual([]);
  });

  it('reach nobody where only those are switched off, and those of a near end do', async () => {
    const started = await start({
      annotations: SHORT_TIME_TO_LIVE,
      previews: { notifications: { enabled: true, failed: false } },
    });
    const failing = await openFailing(started, 'feature/failing');
    await waitFor('the notification', () => started.notified[0]);
    expect(started.notified.map(({ payload }) => payload.title)).toEqual([
      titleOf(failing, 'idle, kept until'),
    ]);
  });
});

describe('notifications of a near end', () => {
  it('reach nobody where only those are switched off, and those of a failure do', async () => {
    const started = await start({
      annotations: SHORT_TIME_TO_LIVE,
      previews: { notifications: { enabled: true, reclaim: false } },
    });
    const idle = open(started, 'feature/idle');
    await started.until(idle, ({ ttl }) => ttl?.near === true);
    const failing = await openFailing(started, 'feature/failing');
    await waitFor('the notification', () => started.notified[0]);
    expect(started.notified.map(({ payload }) => payload.title)).toEqual([
      titleOf(failing, 'Failed'),
    ]);
  });
});

describe('metrics', () => {
  it('tell of a preview that goes live and is torn down, and of the sources and passes that saw it', async () => {
    const metrics = new MetricsCollector();
    const started = await start({
      features: [metrics.feature],
      // What is first seen later than this has no duration.
      previews: { schedule: { gitlabStaleAfter: { seconds: 10 } } },
    });
    const { simulator, gitlabSource } = started;
    const previewsBy = async (phase: Phase) =>
      (await metrics.collect('previews.count')).find(
        ({ attributes }) => attributes.phase === phase,
      )?.value;
    const bySource = async (name: string) =>
      Object.fromEntries(
        (await metrics.collect(name)).map(({ value, attributes }) => [
          attributes.source,
          value,
        ]),
      );
    /** A row is stored before it is measured. */
    const measured = (name: string) =>
      waitFor(name, () => {
        const values = metrics.recorded(name);
        return values.length > 0 ? values : undefined;
      });
    const outcomes = (source: string) =>
      new Set(
        metrics
          .recorded('previews.upstream.calls')
          .filter(({ attributes }) => attributes.source === source)
          .map(({ attributes }) => attributes.outcome),
      );

    await started.untilSource(gitlabSource, ({ status }) => status === 'fresh');
    expect(metrics.recorded('previews.spin_up.duration')).toEqual([]);
    const openedAt = Date.now();
    const reference = open(started, 'feature/first');
    await started.untilPhase(reference, 'Live');
    expect(await previewsBy('Live')).toBe(1);
    const [spinUp, ...more] = await measured('previews.spin_up.duration');
    expect(more).toEqual([]);
    expect(spinUp.value).toBeGreaterThan(0);
    // Times of GitLab and of clusters are whole seconds.
    expect(spinUp.value).toBeLessThan((Date.now() - openedAt) / 1000 + 1);
    expect(metrics.recorded('previews.teardown.duration')).toEqual([]);

    const closedAt = Date.now();
    simulator.control.close(reference);
    await started.untilPhase(reference, 'Gone');
    expect(await previewsBy('Live')).toBeUndefined();
    expect(await previewsBy('Gone')).toBe(1);
    const [teardown, ...others] = await measured('previews.teardown.duration');
    expect(others).toEqual([]);
    expect(teardown.value).toBeGreaterThan(0);
    expect(teardown.value).toBeLessThan((Date.now() - closedAt) / 1000 + 1);
    expect(
      metrics
        .recorded('previews.spans')
        .map(({ value, attributes }) => ({ value, ...attributes })),
    ).toEqual(
      expect.arrayContaining([
        { value: 1, kind: 'created', precise: true },
        { value: 1, kind: 'spinUp', precise: true },
        { value: 1, kind: 'teardown', precise: true },
      ]),
    );

    // Whether some were over changes alone is a matter of when they came.
    const passes = metrics.recorded('previews.reconcile.duration');
    expect(passes.map(({ attributes }) => attributes)).toContainEqual({
      outcome: 'done',
      over: 'everything',
    });
    expect(new Set(passes.map(({ attributes }) => attributes.outcome))).toEqual(
      new Set(['done']),
    );
    expect(passes.every(({ value }) => value > 0)).toBe(true);
    const [{ value: age }] = await metrics.collect('previews.reconcile.age');
    expect(age).toBeGreaterThanOrEqual(0);
    expect(age).toBeLessThan(30);

    const cluster = `cluster:${simulator.clusters[0].name}`;
    expect(await bySource('previews.source.fresh')).toMatchObject({
      [gitlabSource]: 1,
      [cluster]: 1,
    });
    const ages = await bySource('previews.source.age');
    expect(ages[gitlabSource]).toBeLessThan(30);
    expect(ages[cluster]).toBeLessThan(30);
    // What is not there yet is an answer too, such as the tag of an image.
    expect(outcomes(gitlabSource)).toContain('ok');
    expect(outcomes(gitlabSource)).not.toContain('ServerError');
    expect(outcomes(cluster)).toEqual(new Set(['ok']));

    simulator.faults.gitlab.down(500);
    await started.untilSource(gitlabSource, ({ status }) => status !== 'fresh');
    expect(await bySource('previews.source.fresh')).toMatchObject({
      [gitlabSource]: 0,
      [cluster]: 1,
    });
    await waitFor('the age of what was read to grow', async () => {
      const { [gitlabSource]: sinceRead } = await bySource(
        'previews.source.age',
      );
      return sinceRead > ages[gitlabSource] + 1 ? true : undefined;
    });
    expect(outcomes(gitlabSource)).toContain('ServerError');
    expect(outcomes(cluster)).toEqual(new Set(['ok']));
    expect(started.errors).toEqual([]);
  });
});
