import fc from 'fast-check';
import { Lane } from './property/Lane';
import { describeStep, sequences, Step } from './property/steps';

/** The same sequences in every run, unless another seed is named. */
const SEED = Number(process.env.PREVIEWS_PROPERTY_SEED ?? 20_261_130);
const RUNS = Number(process.env.PREVIEWS_PROPERTY_RUNS ?? 300);
/** Of a failure: only the sequence that it names is run. */
const PATH = process.env.PREVIEWS_PROPERTY_PATH;
/** Most of a sequence is waiting, so some of them wait at a time. */
const LANES = PATH === undefined ? 4 : 1;
/** A failure is worth making shorter, but not for ever. */
const SHRINK_MILLISECONDS = 120_000;

jest.setTimeout(60_000 + RUNS * 3_000);

interface Failure {
  details: fc.RunDetails<[Step[]]>;
  error: unknown;
}

/** Runs a part of the sequences in a lane of its own. */
async function runLane(options: {
  seed: number;
  runs: number;
}): Promise<Failure | undefined> {
  const { seed, runs } = options;
  const lane = new Lane();
  let failedAt: number | undefined;
  try {
    const details = await fc.check(
      fc.asyncProperty(sequences, async steps => {
        if (
          failedAt !== undefined &&
          performance.now() - failedAt > SHRINK_MILLISECONDS
        ) {
          return;
        }
        try {
          await lane.run(steps);
        } catch (error) {
          failedAt ??= performance.now();
          throw error;
        }
      }),
      {
        seed,
        numRuns: PATH === undefined ? runs : 1,
        ...(PATH !== undefined && { path: PATH, endOnFailure: true }),
      },
    );
    return details.failed
      ? { details, error: details.errorInstance }
      : undefined;
  } finally {
    await lane.stop();
  }
}

function describeFailure({ details, error }: Failure): string {
  const { seed, counterexamplePath, counterexample, numShrinks } = details;
  const steps = counterexample?.[0] ?? [];
  return [
    `Seed ${seed}, path ${counterexamplePath}, shortened ${numShrinks} times to`,
    ...steps.map((step, index) => `  ${index + 1}. ${describeStep(step)}`),
    'This repeats it:',
    `  PREVIEWS_PROPERTY_SEED=${seed} PREVIEWS_PROPERTY_PATH=${counterexamplePath} CI=true yarn jest test/faults/property.test.ts`,
    error instanceof Error ? error.message : String(error),
  ].join('\n');
}

describe('any sequence of what people and faults do', () => {
  it(`ends in the truth, and no way there was false (${RUNS} sequences)`, async () => {
    const failures = await Promise.all(
      Array.from({ length: LANES }, (_, lane) =>
        runLane({
          seed: SEED + lane,
          runs: Math.ceil(RUNS / LANES),
        }),
      ),
    );
    const found = failures.filter(failure => failure !== undefined);
    expect(found.map(describeFailure).join('\n\n')).toBe('');
  });
});
