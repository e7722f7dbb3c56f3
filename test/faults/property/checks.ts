import { setTimeout as delay } from 'node:timers/promises';
import { StartedPlugin } from '../../support/startPlugin';
import { waitFor } from '../../support/waitFor';
import { faultsOfTimeline, Lag, liesAbout } from './judge';
import { Sampler } from './Sampler';
import { keyOf, Witness } from './Witness';

/** What Backstage logs of a webhook that comes in while it shuts down. */
const SHUTTING_DOWN = /ServiceUnavailableError: Service is shutting down/;

/** Longest to wait for the simulator to come to rest before each look. */
const QUIET_MILLISECONDS = 500;

/** Waits until the portal tells the truth of every MR; fails with what it tells instead. */
export async function untilTrue(options: {
  plugin: StartedPlugin;
  witness: Witness;
  sampler: Sampler;
}): Promise<void> {
  const { plugin, witness, sampler } = options;
  const told = async () => {
    // On a slow machine there is always a set that looks at that moment.
    await Promise.race([plugin.simulator.quiet(), delay(QUIET_MILLISECONDS)]);
    const rows = await sampler.look();
    return witness.subjects.flatMap(subject =>
      liesAbout({
        subject,
        truth: witness.truthOf(subject),
        row: rows.get(keyOf(subject)),
        hadApplication: sampler.hadApplication(subject),
      }),
    );
  };
  let lies: string[] = [];
  try {
    await waitFor(
      'the truth',
      async () => {
        lies = await told();
        return lies.length === 0 ? true : undefined;
      },
      { timeoutMilliseconds: 60_000 },
    );
  } catch (error) {
    const sources = (await plugin.sources()).map(
      ({ id, status, lastCompleteAt, errors }) =>
        `${id} is ${status}, read at ${lastCompleteAt}, ${JSON.stringify(
          errors,
        )}`,
    );
    throw new Error(
      `It does not become true:\n  ${[
        ...lies,
        ...sources,
        ...plugin.errors.splice(0),
      ].join('\n  ')}`,
      { cause: error },
    );
  }
}

/** Fails with everything that was wrong on the way, though the end is right. */
export async function examine(options: {
  lag: Lag;
  /** Least time from unwanted to orphaned, in milliseconds. */
  grace: number;
  plugin: StartedPlugin;
  witness: Witness;
  sampler: Sampler;
}): Promise<void> {
  const { plugin, witness, sampler, lag, grace } = options;
  const rows = await sampler.look();
  const wrong = [...sampler.wrong];
  for (const subject of witness.subjects) {
    const row = rows.get(keyOf(subject));
    if (row) {
      wrong.push(
        ...faultsOfTimeline({
          subject,
          row,
          timeline: await plugin.timeline(row.id),
          witness,
          lag,
          grace,
        }),
      );
    }
  }
  wrong.push(
    ...plugin.errors.splice(0).filter(error => !SHUTTING_DOWN.test(error)),
  );
  if (wrong.length > 0) {
    throw new Error(`What was told on the way:\n  ${wrong.join('\n  ')}`);
  }
}
