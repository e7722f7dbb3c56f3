import {
  MergeRequestReference,
  StartedPlugin,
  startPlugin,
} from '../support/startPlugin';
import { waitFor } from '../support/waitFor';

jest.setTimeout(120_000);

describe('webhooks', () => {
  let plugin: StartedPlugin;

  afterEach(async () => {
    await plugin?.stop();
  });

  async function start(poll: { seconds: number }) {
    plugin = await startPlugin({
      previews: {
        schedule: { gitlabPoll: poll, gitlabStaleAfter: { minutes: 10 } },
      },
      scenario: ({ scenario }) => {
        scenario.addService({ name: 'checkout' });
      },
    });
    // What comes before GitLab was read for the first time is no news.
    await waitFor(
      'GitLab to be read',
      async () => (await plugin.source(plugin.gitlabSource)).lastCompleteAt,
    );
  }

  function open(): MergeRequestReference {
    const { iid } = plugin.simulator.control.openMergeRequest({
      project: 'shop/checkout',
      sourceBranch: 'feature/a',
      title: 'A',
      author: 'dev1',
    });
    return { project: 'shop/checkout', iid };
  }

  it('bring what no poll has brought yet', async () => {
    await start({ seconds: 600 });
    plugin.sendWebhooks();
    const reference = open();
    await plugin.untilPhase(reference, 'Live');
    plugin.simulator.control.close(reference);
    const gone = await plugin.untilPhase(reference, 'Gone');
    expect(gone.mergeRequest.state).toBe('closed');
  });

  it('bring it at once that an MR is a draft, and that it is none any more', async () => {
    await start({ seconds: 600 });
    plugin.sendWebhooks();
    const reference = open();
    const { id, mergeRequest } = await plugin.untilPhase(reference, 'Live');
    expect(mergeRequest.draft).toBe(false);
    for (const draft of [true, false]) {
      plugin.simulator.control.setDraft({ ...reference, draft });
      const row = await plugin.until(
        reference,
        preview => preview.mergeRequest.draft === draft,
      );
      // No commit came with it: it is the same environment.
      expect(row).toMatchObject({
        id,
        phase: 'Live',
        mergeRequest: { headSha: mergeRequest.headSha },
      });
    }
    // The title is no evidence.
    plugin.simulator.control.edit({ ...reference, title: 'Draft: A' });
    const row = await plugin.until(
      reference,
      preview => preview.mergeRequest.title === 'Draft: A',
    );
    expect(row.mergeRequest.draft).toBe(false);
  });

  it('bring that an MR was closed, reopened, locked and merged, in one row', async () => {
    await start({ seconds: 600 });
    plugin.sendWebhooks();
    const { control } = plugin.simulator;
    const reference = open();
    const { id } = await plugin.untilPhase(reference, 'Live');
    const untilState = (state: string) =>
      plugin.until(reference, preview => preview.mergeRequest.state === state);
    control.close(reference);
    await untilState('closed');
    await plugin.untilPhase(reference, 'Gone');
    control.reopen(reference);
    await untilState('opened');
    expect((await plugin.untilPhase(reference, 'Live')).id).toBe(id);
    control.setLocked({ ...reference, locked: true });
    control.merge(reference);
    await untilState('merged');
    const gone = await plugin.untilPhase(reference, 'Gone');
    expect(gone).toMatchObject({ id, mergeRequest: { state: 'merged' } });
    expect((await plugin.previews()).totalItems).toBe(1);
    const told = (await plugin.timeline(id)).filter(
      // Locked is open for another reason, and may have passed unseen.
      ({ type, from, to }) => type === 'MergeRequestOpen' && from !== to,
    );
    expect(told.map(({ to }) => to)).toEqual([
      'True',
      'False',
      'True',
      'False',
    ]);
    expect(plugin.errors).toEqual([]);
  });

  it('that are lost cost time and nothing else', async () => {
    await start({ seconds: 2 });
    plugin.sendWebhooks();
    plugin.simulator.faults.gitlab.webhooksToDrop = Infinity;
    const reference = open();
    await plugin.untilPhase(reference, 'Live');
    plugin.simulator.control.close(reference);
    await plugin.untilPhase(reference, 'Gone');
    expect(
      plugin.simulator.gitlab.deliveries
        .filter(({ url }) => url.includes('previews-gitlab'))
        .every(({ outcome }) => outcome === 'dropped'),
    ).toBe(true);
  });

  it('that come three times change nothing more than one would', async () => {
    await start({ seconds: 600 });
    plugin.sendWebhooks();
    plugin.sendWebhooks();
    plugin.sendWebhooks();
    const reference = open();
    const row = await plugin.untilPhase(reference, 'Live');
    const { sha } = plugin.simulator.control.push(reference);
    await plugin.until(
      reference,
      preview =>
        preview.phase === 'Live' &&
        preview.commit.running === sha!.slice(0, 8) &&
        preview.conditions.every(({ status }) => status === 'True'),
    );
    await plugin.simulator.quiet();
    const heads = (await plugin.timeline(row.id)).filter(
      ({ kind }) => kind === 'head',
    );
    expect(heads).toHaveLength(1);
    expect((await plugin.previews()).totalItems).toBe(1);
    const timeline = await plugin.timeline(row.id);
    // The same again: nothing has changed in GitLab since.
    plugin.simulator.control.setLabels({ ...reference, labels: [] });
    await plugin.simulator.quiet();
    expect(await plugin.timeline(row.id)).toEqual(timeline);
    expect(plugin.errors).toEqual([]);
  });
});
