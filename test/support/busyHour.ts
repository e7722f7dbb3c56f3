import {
  Preview,
  Transition,
} from '@previews/backstage-plugin-previews-common';
import { createRandom, Simulator } from 'simulator';
import { MergeRequestReference, StartedPlugin } from './startPlugin';

/** Five minutes of the simulated hour, of which there are twelve. */
const MINUTES = 5;
const MAXIMUM_OPEN = 4;

/** What an hour left behind, as far as it may not depend on how the portal learned of it. */
export interface HourOutcome {
  rows: unknown[];
  timelines: unknown[];
}

/**
 * Lets people be busy for a simulated hour, the same for the same seed, and waits
 * until the portal shows the state it leads to. At its end everything is closed.
 */
export async function busyHour(options: {
  plugin: StartedPlugin;
  projects: string[];
  seed: string;
}): Promise<HourOutcome> {
  const { plugin, projects, seed } = options;
  const { simulator } = plugin;
  const random = createRandom(seed);
  const all: MergeRequestReference[] = [];
  const isOpen = (reference: MergeRequestReference) =>
    simulator.gitlab.state.mergeRequest(reference).state === 'opened';
  for (let minute = 0; minute < 60; minute += MINUTES) {
    const open = all.filter(isOpen);
    if (open.length < MAXIMUM_OPEN) {
      const project = random.pick(projects);
      const { iid } = simulator.control.openMergeRequest({
        project,
        sourceBranch: `feature/${all.length}`,
        title: `Change ${all.length}`,
        author: 'dev1',
        labels: ['preview'],
      });
      all.push({ project, iid });
    }
    for (const reference of open) {
      happenTo(simulator, reference, random.next());
    }
    await simulatedMinutes(simulator, MINUTES);
    for (const reference of all) {
      await plugin.until(reference, preview =>
        isShown(simulator, reference, preview),
      );
    }
  }
  for (const reference of all.filter(isOpen)) {
    simulator.control.close(reference);
  }
  for (const reference of all) {
    await plugin.untilPhase(reference, 'Gone');
  }
  return outcomeOf(plugin, all);
}

/** The rows as they are and what their timelines tell, whatever the time was. */
export async function outcomeOf(
  plugin: StartedPlugin,
  references: MergeRequestReference[],
): Promise<HourOutcome> {
  const rows: unknown[] = [];
  const timelines: unknown[] = [];
  for (const reference of references) {
    const row = (await plugin.find(reference))!;
    rows.push(essenceOf(row));
    timelines.push(courseOf(await plugin.timeline(row.id)));
  }
  return { rows, timelines };
}

/** What somebody does to an open MR, if anything. */
export function happenTo(
  simulator: Simulator,
  reference: MergeRequestReference,
  chance: number,
): void {
  const { control } = simulator;
  if (chance < 0.45) {
    control.push({ ...reference, force: chance < 0.1 });
  } else if (chance < 0.55) {
    control.edit({ ...reference, title: `Renamed by ${chance.toFixed(4)}` });
  } else if (chance < 0.65) {
    control.setDraft({ ...reference, draft: chance < 0.6 });
  } else if (chance < 0.7) {
    control.approve({ ...reference, by: `reviewer${chance.toFixed(4)}` });
  } else if (chance < 0.8) {
    control.merge(reference);
  } else if (chance < 0.9) {
    control.close(reference);
  }
}

/** Whether a row shows the MR as GitLab has it, and what follows from that. */
function isShown(
  simulator: Simulator,
  reference: MergeRequestReference,
  { phase, mergeRequest, conditions }: Preview,
): boolean {
  const truth = simulator.gitlab.state.mergeRequest(reference);
  const isSame =
    mergeRequest.state === truth.state && mergeRequest.headSha === truth.sha;
  return truth.state === 'opened'
    ? isSame &&
        phase === 'Live' &&
        mergeRequest.title === truth.title &&
        mergeRequest.draft === truth.draft &&
        conditions.every(({ status }) => status === 'True')
    : isSame && phase === 'Gone';
}

async function simulatedMinutes(
  simulator: Simulator,
  minutes: number,
): Promise<void> {
  await new Promise<void>(resolve => {
    simulator.platform.clock.after(minutes * 60_000, resolve);
  });
}

function essenceOf(row: Preview) {
  const { mergeRequest, phase, conditions, commit, stale } = row;
  const { project, iid, state, title, draft, labels, headSha } = mergeRequest;
  return {
    mergeRequest: { project, iid, state, title, draft, labels, headSha },
    phase,
    stale,
    // Whether the registry was asked before a pod pulled the image is a matter of time.
    commit: { head: commit.head, by: commit.by },
    conditions: conditions.map(({ type, status, reason }) => ({
      type,
      status,
      reason,
    })),
  };
}

/** Heads, Applications, and when it was live and gone; what lies between is seen or not. */
function courseOf(timeline: readonly Transition[]) {
  const told = (kind: Transition['kind']) =>
    timeline.filter(transition => transition.kind === kind);
  const phases = told('phase')
    .map(({ to }) => to)
    .filter(to => ['Live', 'Gone', 'Orphaned'].includes(to));
  return {
    heads: told('head').map(({ to }) => to),
    applications: told('application').length,
    phases: phases.filter((to, index) => to !== phases[index - 1]),
  };
}
