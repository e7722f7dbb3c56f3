import {
  MergeRequestReference,
  StartedPlugin,
  startPlugin,
} from '../support/startPlugin';
import { waitFor } from '../support/waitFor';

jest.setTimeout(120_000);

describe('approvals', () => {
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

  const approvalCalls = () =>
    plugin.simulator.gitlab.requests.filter(({ path }) =>
      path.includes('/approvals'),
    ).length;

  const reviews = async (id: string) =>
    (await plugin.timeline(id)).filter(({ kind }) => kind === 'approval');

  it('come with a webhook, though it changes nothing else of the merge request', async () => {
    await start({ seconds: 600 });
    plugin.sendWebhooks();
    const reference = open();
    await plugin.untilPhase(reference, 'Live');
    plugin.simulator.control.approve({ ...reference, by: 'reviewer1' });
    const approved = await plugin.until(
      reference,
      ({ mergeRequest }) => mergeRequest.approvedAt !== undefined,
    );
    const { approvals } = plugin.simulator.gitlab.state.mergeRequest(reference);
    expect(approved.mergeRequest.approvedAt).toBe(approvals[0].createdAt);
    plugin.simulator.control.unapprove({ ...reference, by: 'reviewer1' });
    await plugin.until(
      reference,
      ({ mergeRequest }) => mergeRequest.approvedAt === undefined,
    );
    expect((await reviews(approved.id)).map(({ to }) => to)).toEqual([
      'approved',
      'none',
    ]);
  });

  it('of a GitLab that gives no times have those of its notes', async () => {
    await start({ seconds: 600 });
    await plugin.simulator.faults.inject('gitlab-old-approvals');
    plugin.sendWebhooks();
    const reference = open();
    await plugin.untilPhase(reference, 'Live');
    plugin.simulator.control.approve(reference);
    const { approvals } = plugin.simulator.gitlab.state.mergeRequest(reference);
    const approved = await plugin.until(
      reference,
      ({ mergeRequest }) => mergeRequest.approvedAt !== undefined,
    );
    expect(approved.mergeRequest.approvedAt).toBe(approvals[0].createdAt);
  });

  it('that are refused stay unknown, and the preview is as it would be', async () => {
    await start({ seconds: 1 });
    await plugin.simulator.faults.inject('gitlab-status', {
      status: '403',
      path: '/approvals',
    });
    const reference = open();
    plugin.simulator.control.approve(reference);
    await plugin.untilPhase(reference, 'Live');
    const source = await plugin.untilSource(
      plugin.gitlabSource,
      ({ notes = [] }) =>
        notes.some(({ reason }) => reason === 'ApprovalsRefused'),
    );
    expect(source).toMatchObject({ status: 'fresh', errors: [] });
    const row = await plugin.untilPhase(reference, 'Live');
    expect(row.mergeRequest.approvedAt).toBeUndefined();
    expect(approvalCalls()).toBe(1);
  });
});
