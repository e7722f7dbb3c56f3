import {
  Preview,
  Transition,
} from '@previews/backstage-plugin-previews-common';
import { gitlabAnswers, Simulator } from 'simulator';
import {
  condition,
  MergeRequestReference,
  StartedPlugin,
  startPlugin,
} from '../support/startPlugin';
import { waitFor } from '../support/waitFor';

jest.setTimeout(120_000);

const CHECKOUT = 'shop/checkout';
const CATALOGUE = 'shop/catalogue';
/** Its ApplicationSet polls. */
const PAYMENTS = 'shop/payments';

/** The list that the ApplicationSet controller asks for. */
const OF_ARGOCD = /merge_requests\?per_page=100&(labels=preview&)?state=opened/;

function portalToken({ gitlab }: Simulator) {
  return gitlab.state.tokens.find(({ value }) => value === gitlab.token)!;
}

/** What must survive an outage: everything but who said it last, and when. */
function essence({ phase, conditions, applications, commit, urls }: Preview) {
  return {
    phase,
    conditions: conditions.map(({ type, status, reason, params, since }) => ({
      type,
      status,
      reason,
      params,
      since,
    })),
    applications,
    commit,
    urls,
  };
}

describe('GitLab', () => {
  let plugin: StartedPlugin;
  let simulator: Simulator;
  let references: MergeRequestReference[];

  beforeAll(async () => {
    plugin = await startPlugin({
      scenario: ({ scenario, control }) => {
        // Argo CD does not look while the tests run: what it makes of an outage
        // is a fact of its own, with a test of its own.
        const never = { requeueAfterSeconds: 1_000_000 };
        scenario.addService({ name: 'checkout', ...never });
        scenario.addService({
          name: 'catalogue',
          requireLabel: true,
          ...never,
        });
        scenario.addService({ name: 'payments' });
        control.openMergeRequest({
          project: CHECKOUT,
          sourceBranch: 'feature/gift-cards',
          title: 'Accept gift cards',
          author: 'dev1',
        });
        control.openMergeRequest({
          project: CATALOGUE,
          sourceBranch: 'feature/search',
          title: 'Search by colour',
          author: 'dev2',
          labels: ['preview'],
        });
      },
    });
    simulator = plugin.simulator;
    references = [
      { project: CHECKOUT, iid: 1 },
      { project: CATALOGUE, iid: 1 },
    ];
    await allLive();
  });

  afterAll(async () => {
    await plugin?.stop();
  });

  // A test that failed must not fail the next one too.
  afterEach(heal);

  async function allLive(): Promise<Preview[]> {
    const rows: Preview[] = [];
    for (const reference of references) {
      rows.push(
        await plugin.until(
          reference,
          preview =>
            preview.phase === 'Live' &&
            preview.stale.length === 0 &&
            preview.conditions.every(({ status }) => status === 'True'),
        ),
      );
    }
    return rows;
  }

  /** Waits until the portal has asked for all lists so many times more. */
  async function untilReadAgain(times: number): Promise<void> {
    const asked = () =>
      simulator.gitlab.requests.filter(
        ({ path }) =>
          path.startsWith('/projects/') &&
          path.includes('/merge_requests?') &&
          !OF_ARGOCD.test(path),
      ).length;
    const before = asked();
    await waitFor('GitLab to be read again', () =>
      // One list for each of the three projects.
      asked() >= before + times * 3 ? true : undefined,
    );
  }

  async function timelines(rows: Preview[]): Promise<Transition[][]> {
    return Promise.all(rows.map(({ id }) => plugin.timeline(id)));
  }

  async function heal() {
    const token = portalToken(simulator);
    token.expiresAt = undefined;
    token.scopes = ['read_api'];
    token.projectIds = undefined;
    await simulator.faults.clear();
  }

  interface Outage {
    title: string;
    /** Reason that the source shows. */
    reason: string;
    begin(): void;
  }

  const outages: Outage[] = [
    {
      title: 'refuses connections',
      reason: 'Unreachable',
      begin: () => {
        simulator.faults.gitlab.refuse = true;
      },
    },
    {
      title: 'answers 500 to everything',
      reason: 'ServerError',
      begin: () => simulator.faults.gitlab.down(500),
    },
    {
      title: 'has a proxy in front that answers 502 and a page',
      reason: 'ServerError',
      begin: () => simulator.faults.gitlab.down(502),
    },
    {
      title: 'does not know the token',
      reason: 'TokenInvalid',
      begin: () =>
        simulator.faults.gitlab.answer({
          path: '',
          answer: gitlabAnswers.unauthorized,
        }),
    },
    {
      title: 'says that the token was revoked',
      reason: 'TokenRevoked',
      begin: () => {
        portalToken(simulator).revoked = true;
      },
    },
    {
      title: 'says that the token has expired',
      reason: 'TokenExpired',
      begin: () => {
        portalToken(simulator).expiresAt = '2020-01-01';
      },
    },
    {
      title: 'says that the token lacks the scope',
      reason: 'ScopeMissing',
      begin: () => {
        portalToken(simulator).scopes = ['read_user'];
      },
    },
    {
      title: 'forbids everything',
      reason: 'Forbidden',
      begin: () =>
        simulator.faults.gitlab.answer({
          path: '',
          answer: gitlabAnswers.forbidden,
        }),
    },
    {
      title: 'finds nothing any more',
      reason: 'NotFound',
      begin: () =>
        simulator.faults.gitlab.answer({
          path: '',
          answer: gitlabAnswers.notFound,
        }),
    },
    {
      title: 'has taken the token out of all projects',
      reason: 'NotFound',
      begin: () => {
        portalToken(simulator).projectIds = new Set();
      },
    },
    {
      title: 'is limited again and again',
      reason: 'RateLimited',
      begin: () =>
        simulator.faults.gitlab.answer({
          path: '',
          answer: gitlabAnswers.tooManyRequests(1, new Date()),
        }),
    },
  ];

  it.each(outages)(
    'that $title takes no preview away, and leaves no trace in a timeline',
    async ({ reason, begin }) => {
      const before = await allLive();
      const transitions = await timelines(before);
      begin();
      for (const reference of references) {
        const row = await plugin.until(
          reference,
          preview =>
            condition(preview, 'MergeRequestOpen')?.status === 'Unknown' &&
            condition(preview, 'Selected')?.status === 'Unknown',
        );
        expect(row.phase).toBe('Live');
        expect(row.stale).toEqual([plugin.gitlabSource]);
        expect(condition(row, 'MergeRequestOpen')).toMatchObject({
          lastKnown: { status: 'True', reason: 'Opened' },
        });
        expect(condition(row, 'Selected')).toMatchObject({
          lastKnown: { status: 'True', reason: 'Selected' },
        });
        // The clusters go on telling.
        expect(condition(row, 'Available')).toMatchObject({ status: 'True' });
      }
      const source = await plugin.source(plugin.gitlabSource);
      expect(source.status).not.toBe('fresh');
      expect(source.errors.map(error => error.reason)).toContain(reason);
      const { items, sources } = await plugin.previews();
      expect(items.map(({ id }) => id).sort()).toEqual(
        before.map(({ id }) => id).sort(),
      );
      expect(sources.map(({ id }) => id)).toContain(plugin.gitlabSource);

      await heal();
      const after = await allLive();
      expect(after.map(essence)).toEqual(before.map(essence));
      expect(await timelines(after)).toEqual(transitions);
      await plugin.untilSource(
        plugin.gitlabSource,
        ({ status, errors }) => status === 'fresh' && errors.length === 0,
      );
    },
  );

  it('is left alone for as long as its 429 says', async () => {
    const before = await allLive();
    const transitions = await timelines(before);
    const seconds = 3;
    const beganAt = new Date();
    simulator.faults.gitlab.answer({
      path: /order_by=/,
      answer: gitlabAnswers.tooManyRequests(seconds, new Date()),
      times: 1,
    });
    const source = await plugin.untilSource(plugin.gitlabSource, ({ errors }) =>
      errors.some(({ reason }) => reason === 'RateLimited'),
    );
    const { requests } = simulator.gitlab;
    const limited = requests.find(
      ({ status, at }) => status === 429 && at >= beganAt,
    )!;
    const end = limited.at.getTime() + seconds * 1000;
    expect(
      Date.parse(
        source.errors.find(({ reason }) => reason === 'RateLimited')!.retryAt!,
      ),
    ).toBeGreaterThanOrEqual(end - 500);
    await plugin.untilSource(
      plugin.gitlabSource,
      ({ status, errors }) => status === 'fresh' && errors.length === 0,
    );
    const calls = requests.filter(
      ({ at, path, status }) =>
        status !== 429 &&
        // Others that were on their way already.
        at.getTime() > limited.at.getTime() + 1_000 &&
        !OF_ARGOCD.test(path),
    );
    expect(calls[0].at.getTime()).toBeGreaterThanOrEqual(end - 100);
    const after = await allLive();
    expect(await timelines(after)).toEqual(transitions);
  });

  it('that finds one project no more leaves the others fresh', async () => {
    const before = await allLive();
    const transitions = await timelines(before);
    const checkout = simulator.gitlab.state.project(CHECKOUT);
    portalToken(simulator).projectIds = new Set([
      simulator.gitlab.state.project(CATALOGUE).id,
      simulator.gitlab.state.project(PAYMENTS).id,
    ]);
    const row = await plugin.until(
      references[0],
      preview => condition(preview, 'MergeRequestOpen')?.status === 'Unknown',
    );
    expect(row.phase).toBe('Live');
    expect(condition(row, 'MergeRequestOpen')).toMatchObject({
      reason: 'ProjectNotReadable',
      params: { project: CHECKOUT, status: 404 },
      lastKnown: { status: 'True', reason: 'Opened' },
    });
    const { errors, status } = await plugin.source(plugin.gitlabSource);
    expect(status).toBe('fresh');
    expect(errors).toMatchObject([
      { reason: 'NotFound', subject: checkout.pathWithNamespace },
    ]);
    const other = await plugin.find(references[1]);
    expect(other).toMatchObject({ phase: 'Live', stale: [] });
    expect(condition(other!, 'MergeRequestOpen')?.status).toBe('True');

    await heal();
    const after = await allLive();
    expect(after.map(essence)).toEqual(before.map(essence));
    expect(await timelines(after)).toEqual(transitions);
  });

  it('that leaves a project out of the listing of its group changes nothing', async () => {
    const before = await allLive();
    simulator.faults.gitlab.hideFromGroups(
      simulator.gitlab.state.project(CHECKOUT).id,
    );
    await untilReadAgain(3);
    expect((await allLive()).map(essence)).toEqual(before.map(essence));
    await heal();
  });

  it.each([
    ['while each merge request still answers', false],
    ['while each merge request is not found either', true],
  ])(
    'that shows empty lists %s ends no preview',
    async (_, areMergeRequestsHidden) => {
      const before = await allLive();
      const transitions = await timelines(before);
      // Only the portal's token has lost its memberships, not Argo CD's.
      simulator.faults.gitlab.answer({
        path: /merge_requests\?(?!per_page=100&state=opened)/,
        answer: { status: 200, body: [] },
      });
      if (areMergeRequestsHidden) {
        simulator.faults.gitlab.answer({
          path: /merge_requests\/\d+/,
          answer: gitlabAnswers.notFound,
        });
      }
      await untilReadAgain(3);
      if (areMergeRequestsHidden) {
        await plugin.until(
          references[0],
          preview =>
            condition(preview, 'MergeRequestOpen')?.status === 'Unknown',
        );
      }
      for (const reference of references) {
        const row = await plugin.find(reference);
        expect(row?.phase).toBe('Live');
        expect(row?.mergeRequest.state).toBe('opened');
      }
      await heal();
      const after = await allLive();
      expect(after.map(essence)).toEqual(before.map(essence));
      expect(await timelines(after)).toEqual(transitions);
    },
  );

  it('where a merge request was deleted, while its project answers, ends the preview', async () => {
    // Where the only one is not found, it could as well be the token that sees
    // nothing any more.
    simulator.control.openMergeRequest({
      project: PAYMENTS,
      sourceBranch: 'feature/vouchers',
      title: 'Take vouchers',
      author: 'dev1',
    });
    const { iid } = simulator.control.openMergeRequest({
      project: PAYMENTS,
      sourceBranch: 'spike/mistake',
      title: 'Opened by mistake',
      author: 'dev1',
    });
    const reference = { project: PAYMENTS, iid };
    await plugin.untilPhase(reference, 'Live');
    simulator.control.deleteMergeRequest(reference);
    const gone = await plugin.untilPhase(reference, 'Gone');
    expect(gone.mergeRequest.state).toBe('deleted');
    expect(condition(gone, 'MergeRequestOpen')).toMatchObject({
      status: 'False',
      reason: 'Deleted',
    });
    expect((await plugin.find(references[0]))?.phase).toBe('Live');
  });

  it('that Argo CD cannot read either takes no preview away, and the row says so', async () => {
    const { iid } = simulator.control.openMergeRequest({
      project: PAYMENTS,
      sourceBranch: 'feature/refunds',
      title: 'Refund at once',
      author: 'dev1',
    });
    const reference = { project: PAYMENTS, iid };
    const before = await plugin.until(
      reference,
      preview =>
        preview.phase === 'Live' &&
        preview.conditions.every(({ status }) => status === 'True'),
    );
    simulator.faults.gitlab.down(502);
    const row = await plugin.until(
      reference,
      preview =>
        condition(preview, 'ApplicationGenerated')?.reason ===
          'FrozenByGenerator' &&
        condition(preview, 'MergeRequestOpen')?.status === 'Unknown',
    );
    expect(row).toMatchObject({
      phase: 'Live',
      activityAt: before.activityAt,
      stale: [plugin.gitlabSource],
      reason: { type: 'ApplicationGenerated', reason: 'FrozenByGenerator' },
    });
    await heal();
    const after = await plugin.until(
      reference,
      preview =>
        condition(preview, 'ApplicationGenerated')?.reason === 'Generated' &&
        preview.phase === 'Live' &&
        preview.stale.length === 0,
    );
    // Which its place in a list is by.
    expect(after.activityAt).toBe(before.activityAt);
    simulator.control.close(reference);
    await plugin.untilPhase(reference, 'Gone');
  });

  it('that fails in the middle of a list of more than a hundred takes nothing for gone', async () => {
    const count = 130;
    for (let number = 0; number < count; number += 1) {
      simulator.control.openMergeRequest({
        project: CATALOGUE,
        sourceBranch: `chore/${number}`,
        title: `Chore ${number}`,
        author: 'dev3',
      });
    }
    const all = async () =>
      (await plugin.previews({ project: CATALOGUE })).totalItems;
    await waitFor('all merge requests to be read', async () =>
      (await all()) === count + 1 ? true : undefined,
    );
    const last = { project: CATALOGUE, iid: count + 1 };
    await plugin.untilPhase(last, 'NotSelected');
    const timeline = await plugin.timeline((await plugin.find(last))!.id);
    simulator.faults.gitlab.answer({
      path: /order_by=/,
      page: 2,
      answer: gitlabAnswers.internalError,
    });
    const row = await plugin.until(
      last,
      preview => condition(preview, 'MergeRequestOpen')?.status === 'Unknown',
    );
    expect(row).toMatchObject({
      phase: 'NotSelected',
      mergeRequest: { state: 'opened' },
      stale: [plugin.gitlabSource],
    });
    expect(await all()).toBe(count + 1);
    expect(await plugin.find(references[1])).toMatchObject({ phase: 'Live' });

    await heal();
    await plugin.until(
      last,
      preview => condition(preview, 'MergeRequestOpen')?.status === 'True',
    );
    expect(await plugin.timeline(row.id)).toEqual(timeline);
  });

  it('in all of its moods makes no pass of the engine fail', () => {
    expect(plugin.errors).toEqual([]);
  });
});
