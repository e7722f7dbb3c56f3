import { setTimeout as delay } from 'node:timers/promises';
import { AddServiceOptions, Service } from 'simulator';
import { StartedPlugin, startPlugin } from '../../support/startPlugin';
import { FaultTally } from '../../support/FaultTally';
import { examine, untilTrue } from './checks';
import { heal, platformFaults, sourceFaults } from './injections';
import { Lag } from './judge';
import { Sampler } from './Sampler';
import { ServiceName, serviceNames, Step } from './steps';
import { Subject, Witness } from './Witness';

/** Divides the delays below: they are twenty times what they last. */
const SPEED = 20;

/** Short enough for hundreds of sequences, in milliseconds of wall time. */
const DELAYS = {
  pipelinePending: 20,
  pipelineStart: 20,
  pipelineRun: 80,
  applicationSetWebhook: 10,
  applicationRefresh: 2000,
  applicationSync: 30,
  applicationDelete: 60,
  imagePull: 20,
  containerStart: 50,
  certificateRequest: 20,
  challengePresent: 20,
  challengePropagation: 50,
  certificateIssue: 20,
  routeAccept: 20,
};

const SCHEDULE = {
  gitlabPoll: { milliseconds: 250 },
  // Not to be reached by a machine that is slow: what is stale is told elsewhere.
  gitlabStaleAfter: { seconds: 15 },
  clusterRelistAfter: { seconds: 3 },
  clusterStaleAfter: { seconds: 30 },
  catalogPoll: { seconds: 5 },
};

const LAG: Lag = { undisturbed: 2000, disturbed: 32_000 };
/** Twice the `requeueAfterSeconds` below; the configured minimum is less. */
const GRACE_MILLISECONDS = 2000;

/** Sets of the first two look every second, so that an orphan is one after two. */
const SERVICES: Record<ServiceName, Omit<AddServiceOptions, 'name'>> = {
  plain: { group: 'alone', requeueAfterSeconds: 1 },
  labelled: {
    requireLabel: true,
    route: 'none',
    certificate: false,
    requeueAfterSeconds: 1,
  },
  slugs: { naming: 'branchSlug', route: 'ingress', certificate: false },
  titled: { filters: [{ titleMatch: 'Show' }], template: 'valuesObject' },
  values: {
    template: 'valuesText',
    goTemplate: false,
    previewLabels: true,
    certificate: false,
  },
};

/**
 * Its list is empty as long as no MR of the sequence is open, and is a list of its
 * own, not that of a group. The others have an MR that stays open.
 */
const WITHOUT_ANCHOR: ServiceName = 'plain';

/** Longest that a sequence may take, with all of its waiting. */
const SEQUENCE_MILLISECONDS = 240_000;

/** Sequences after which a lane is made anew, so that what ended does not add up. */
const SEQUENCES_PER_LIFE = 60;

/**
 * A simulator and a portal of their own that sequences run in, one after the
 * other. After a failure both are made anew.
 */
export class Lane {
  readonly #tally = new FaultTally();
  #plugin: StartedPlugin | undefined;
  #services = new Map<ServiceName, Service>();
  #opened = 0;
  #sequences = 0;

  /** Runs a sequence; throws what was found wrong, all of it. */
  async run(steps: readonly Step[]): Promise<void> {
    if (this.#sequences >= SEQUENCES_PER_LIFE) {
      await this.stop();
    }
    this.#plugin ??= await this.#start();
    this.#sequences += 1;
    try {
      await withinTime(this.#runOn(this.#plugin, steps));
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    const plugin = this.#plugin;
    this.#plugin = undefined;
    await plugin?.stop();
  }

  async #start(): Promise<StartedPlugin> {
    this.#services = new Map();
    this.#sequences = 0;
    const plugin = await startPlugin({
      tally: this.#tally,
      simulator: {
        speed: SPEED,
        delays: Object.fromEntries(
          Object.entries(DELAYS).map(([name, wall]) => [name, wall * SPEED]),
        ),
      },
      previews: {
        schedule: SCHEDULE,
        grace: { minimum: { milliseconds: 500 } },
      },
      scenario: ({ scenario, control }) => {
        for (const name of serviceNames) {
          const service = scenario.addService({ name, ...SERVICES[name] });
          this.#services.set(name, service);
          if (name !== WITHOUT_ANCHOR) {
            control.openMergeRequest({
              project: service.project,
              sourceBranch: 'feature/anchor',
              title: 'Hidden and never touched',
              author: 'dev1',
            });
          }
        }
      },
    });
    plugin.sendWebhooks();
    return plugin;
  }

  async #runOn(plugin: StartedPlugin, steps: readonly Step[]): Promise<void> {
    const { simulator } = plugin;
    const witness = new Witness({ simulator, services: this.#services });
    const sampler = new Sampler(plugin, witness);
    try {
      const subjects: Subject[] = [];
      for (const step of steps) {
        await this.#perform({ step, plugin, witness, sampler, subjects });
      }
      await this.#heal(plugin, witness);
      await untilTrue({ plugin, witness, sampler });

      // The same once more for the end of everything.
      for (const subject of subjects) {
        if (witness.truthOf(subject).mergeRequest?.state === 'opened') {
          simulator.control.close(subject);
          witness.note(subject);
        }
      }
      await untilTrue({ plugin, witness, sampler });
      await sampler.stop();
      await examine({
        plugin,
        witness,
        sampler,
        lag: LAG,
        grace: GRACE_MILLISECONDS,
      });
    } finally {
      await sampler.stop();
      witness.stop();
    }
  }

  async #perform(options: {
    step: Step;
    plugin: StartedPlugin;
    witness: Witness;
    sampler: Sampler;
    subjects: Subject[];
  }): Promise<void> {
    const { step, plugin, witness, sampler, subjects } = options;
    const { simulator } = plugin;
    switch (step.do) {
      case 'open':
        subjects.push(this.#open(plugin, step));
        witness.note(subjects[subjects.length - 1]);
        return;
      case 'openAgain': {
        const former = subjects[step.mr % subjects.length];
        if (!witness.isBranchTaken(former)) {
          const { service, sourceBranch } = former;
          subjects.push(
            this.#open(
              plugin,
              {
                service,
                labelled: true,
                shown: true,
                draft: false,
                fork: false,
              },
              sourceBranch,
            ),
          );
          witness.note(subjects[subjects.length - 1]);
        }
        return;
      }
      case 'breakSource':
        witness.noteDisturbance({ isHealed: false });
        this.#tally.count(step.fault);
        await sourceFaults[step.fault](simulator);
        return;
      case 'breakPlatform':
        this.#tally.count(step.fault);
        await platformFaults[step.fault](simulator);
        return;
      case 'heal':
        await this.#heal(plugin, witness);
        return;
      case 'restartPortal':
        witness.noteDisturbance({ isHealed: false });
        this.#tally.count(
          step.how === 'killed'
            ? 'The portal is killed'
            : 'The portal restarts',
        );
        await sampler.stop();
        await (step.how === 'killed'
          ? plugin.killBackend()
          : plugin.stopBackend());
        await plugin.startBackend();
        sampler.start();
        simulator.gitlab.state.systemHooks.splice(1);
        plugin.sendWebhooks();
        return;
      case 'pause':
        await delay(step.milliseconds);
        return;
      default: {
        const subject = subjects[step.mr % subjects.length];
        this.#performOn({ step, subject, plugin, witness });
        witness.note(subject);
      }
    }
  }

  #open(
    { simulator }: StartedPlugin,
    step: Omit<Step & { do: 'open' }, 'do'>,
    branch?: string,
  ): Subject {
    const { project } = this.#services.get(step.service)!;
    this.#opened += 1;
    const sourceBranch = branch ?? `feature/s${this.#opened}`;
    const { iid } = simulator.control.openMergeRequest({
      project,
      sourceBranch,
      title: `${step.shown ? 'Show' : 'Hide'} ${this.#opened}`,
      author: 'dev1',
      draft: step.draft,
      fork: step.fork,
      labels: step.labelled ? ['preview'] : [],
    });
    return { service: step.service, project, iid, sourceBranch };
  }

  #performOn(options: {
    step: Exclude<
      Step,
      {
        do:
          | 'open'
          | 'openAgain'
          | 'breakSource'
          | 'breakPlatform'
          | 'heal'
          | 'restartPortal'
          | 'pause';
      }
    >;
    subject: Subject;
    plugin: StartedPlugin;
    witness: Witness;
  }): void {
    const { step, subject, plugin, witness } = options;
    const { control, faults, clusters } = plugin.simulator;
    const { mergeRequest, things } = witness.truthOf(subject);
    if (!mergeRequest) {
      return;
    }
    const name = witness.nameOf(subject);
    const object = (kind: 'Application' | 'Namespace') => ({
      kind,
      name,
      ...(kind === 'Application' && { namespace: 'argocd' }),
    });
    try {
      switch (step.do) {
        case 'push':
          if (mergeRequest.state === 'opened') {
            control.push({ ...subject, force: step.force });
          }
          return;
        case 'label':
          control.setLabels({ ...subject, labels: step.on ? ['preview'] : [] });
          return;
        case 'draft':
          control.setDraft({ ...subject, draft: step.on });
          return;
        case 'retitle':
          control.edit({
            ...subject,
            title: `${step.shown ? 'Show' : 'Hide'} anew`,
          });
          return;
        case 'lock':
          control.setLocked({ ...subject, locked: step.on });
          return;
        case 'close':
          control.close(subject);
          return;
        case 'reopen':
          // GitLab has no two that are open on one branch.
          if (!witness.isBranchTaken(subject)) {
            control.reopen(subject);
          }
          return;
        case 'merge':
          control.merge(subject);
          return;
        case 'delete':
          // GitLab answers for the only one as it does for lost access, so that
          // it is believed only after longer than a sequence lasts.
          if (
            control
              .mergeRequests()
              .some(
                ({ project, iid }) =>
                  project === subject.project && iid !== subject.iid,
              )
          ) {
            control.deleteMergeRequest(subject);
          }
          return;
        case 'approve':
          control.approve(subject);
          return;
        case 'stick':
          // Nothing can be added to what is being deleted.
          if (
            things.some(thing => thing.startsWith(step.kind)) &&
            clusters[0].cluster.get(object(step.kind))?.metadata
              .deletionTimestamp === undefined
          ) {
            this.#tally.count(`A finalizer holds its ${step.kind}`);
            faults.stickFinalizer(object(step.kind));
          }
          return;
        case 'deleteByHand':
          if (things.some(thing => thing.startsWith(step.kind))) {
            this.#tally.count(`Somebody deletes its ${step.kind}`);
            clusters[0].cluster.delete(object(step.kind));
          }
          return;
        default:
          throw new Error(`There is no step ${JSON.stringify(step)}`);
      }
    } catch (error) {
      // It cannot be closed twice, or merged when it is closed.
      if (!(error instanceof Error && error.name === 'ConflictError')) {
        throw error;
      }
    }
  }

  async #heal(plugin: StartedPlugin, witness: Witness): Promise<void> {
    const { control } = plugin.simulator;
    for (const subject of witness.subjects) {
      if (witness.truthOf(subject).mergeRequest?.state === 'locked') {
        control.setLocked({ ...subject, locked: false });
        witness.note(subject);
      }
    }
    await heal(plugin.simulator);
    witness.noteDisturbance({ isHealed: true });
  }
}

/** Rejects where a sequence does not come to an end. */
async function withinTime(running: Promise<void>): Promise<void> {
  const ended = new AbortController();
  const { signal } = ended;
  try {
    await Promise.race([
      running,
      delay(SEQUENCE_MILLISECONDS, undefined, { signal }).then(() => {
        throw new Error('It does not come to an end');
      }),
    ]);
  } finally {
    ended.abort();
  }
}
