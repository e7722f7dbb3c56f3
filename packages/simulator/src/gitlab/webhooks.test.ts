import { Activity } from '../controllers/activity';
import { createRealClock } from '../clock';
import { readBody } from '../http/body';
import { listen, type Listener } from '../http/listen';
import { createRandom } from '../random';
import { GitLabFaults } from './faults';
import { GitLabState } from './state';
import { standardWebhookSignature, WebhookSender } from './webhooks';

interface Received {
  headers: Record<string, string>;
  text: string;
  body: any;
}

describe('webhooks of the simulated GitLab', () => {
  const clock = createRealClock();
  const activity = new Activity();
  let received: Received[];
  let receiver: Listener;
  let state: GitLabState;
  let faults: GitLabFaults;
  let sender: WebhookSender;

  beforeEach(async () => {
    received = [];
    receiver = await listen({
      handle: async (request, response) => {
        const text = (await readBody(request)).toString('utf8');
        received.push({
          headers: request.headers as Record<string, string>,
          text,
          body: JSON.parse(text),
        });
        response.end();
      },
    });
    const random = createRandom(1);
    state = new GitLabState({ clock, random });
    faults = new GitLabFaults();
    sender = new WebhookSender({ state, faults, clock, random, activity });
    state.addProject({ path: 'shop/checkout' });
  });

  afterEach(async () => {
    sender.stop();
    await receiver.close();
  });

  const open = () =>
    state.openMergeRequest({
      project: 'shop/checkout',
      sourceBranch: 'feature/a',
      title: 'A',
      author: 'dev1',
    });

  it('tell of a merge request through its life, in order', async () => {
    state.addHook({ group: 'shop', url: receiver.url, token: 'secret' });
    const { sha } = open();
    const reference = { project: 'shop/checkout', iid: 1 };
    state.push(reference);
    state.setLabels({ ...reference, labels: ['preview'] });
    state.setDraft({ ...reference, draft: true });
    state.approve(reference);
    state.unapprove(reference);
    state.close(reference);
    state.reopen(reference);
    state.merge(reference);
    await activity.quiet();

    expect(received.map(({ body }) => body.object_attributes.action)).toEqual([
      'open',
      'update',
      'update',
      'update',
      'approved',
      'unapproved',
      'close',
      'reopen',
      'merge',
    ]);
    const [opened, pushed, labelled] = received.map(({ body }) => body);
    expect(opened.object_attributes).not.toHaveProperty('oldrev');
    expect(pushed.object_attributes).toMatchObject({
      iid: 1,
      oldrev: sha,
      target_project_id: state.project('shop/checkout').id,
      last_commit: { id: expect.not.stringMatching(sha as string) },
    });
    expect(labelled.changes.labels).toMatchObject({
      previous: [],
      current: [{ title: 'preview' }],
    });
    expect(received.at(-1)?.body.object_attributes).toMatchObject({
      state: 'merged',
      updated_at: expect.stringMatching(/^[\d-]+ [\d:]+ UTC$/),
    });
    const approved = received.find(
      ({ body }) => body.object_attributes.action === 'approved',
    );
    expect(approved?.body).toMatchObject({
      event_type: 'merge_request',
      user: { username: 'reviewer1' },
      object_attributes: { iid: 1, state: 'opened' },
      changes: {},
    });
    expect(received[0].headers).toMatchObject({
      'x-gitlab-event': 'Merge Request Hook',
      'x-gitlab-token': 'secret',
      'x-gitlab-instance': state.externalUrl,
      'x-gitlab-webhook-uuid': expect.any(String),
      'x-gitlab-event-uuid': expect.any(String),
      'idempotency-key': expect.any(String),
    });
  });

  it.each([
    ['merge_request_event', { iid: 1 }],
    ['push', null],
  ] as const)('tell of pipelines by %s', async (source, expected) => {
    state.addHook({ project: 'shop/checkout', url: receiver.url });
    const mergeRequest = open();
    const pipeline = state.addPipeline({
      project: state.project('shop/checkout'),
      sha: mergeRequest.sha as string,
      ref: mergeRequest.sourceBranch,
      user: mergeRequest.author,
      source,
    });
    state.setPipelineStatus(pipeline, 'running');
    await activity.quiet();
    expect(received.at(-1)?.headers['x-gitlab-event']).toBe('Pipeline Hook');
    expect(received.at(-1)?.body).toMatchObject({
      object_kind: 'pipeline',
      object_attributes: { status: 'running', sha: mergeRequest.sha },
      merge_request: expected,
    });
  });

  it('are signed over the raw body where the hook has a signing secret', async () => {
    const secret = `whsec_${Buffer.from('0123456789abcdef').toString(
      'base64',
    )}`;
    state.addHook({
      project: 'shop/checkout',
      url: receiver.url,
      signingSecret: secret,
    });
    open();
    await activity.quiet();
    const [{ headers, text }] = received;
    expect(headers['webhook-signature']).toBe(
      standardWebhookSignature({
        secret,
        id: headers['webhook-id'],
        timestampSeconds: Number(headers['webhook-timestamp']),
        body: text,
      }),
    );
  });

  it('are dropped when told so, and the attempt is on record', async () => {
    state.addHook({ project: 'shop/checkout', url: receiver.url });
    faults.webhooksToDrop = 1;
    open();
    state.push({ project: 'shop/checkout', iid: 1 });
    await activity.quiet();
    expect(received).toHaveLength(1);
    expect(sender.deliveries.map(({ outcome }) => outcome)).toEqual([
      'dropped',
      200,
    ]);
  });

  it('do not stop anything when nobody listens', async () => {
    await receiver.close();
    state.addHook({ project: 'shop/checkout', url: receiver.url });
    open();
    await activity.quiet();
    expect(sender.deliveries).toMatchObject([{ outcome: 'unreachable' }]);
  });
});
