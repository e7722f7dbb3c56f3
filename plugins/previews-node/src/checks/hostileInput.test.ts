import { runReadinessChecks } from './runReadinessChecks';
import { Draft } from './testing/breakSetUp';
import { goodSetUp } from './testing/goodSetUp';
import { JsonObject } from './values';

const ODD: unknown[] = [
  null,
  undefined,
  0,
  '',
  'text',
  [],
  {},
  [null],
  [[]],
  { toString: 1 },
  NaN,
];

/** Every place of an object, as a function that puts something else there. */
function* placesOf(value: unknown): Generator<(odd: unknown) => () => void> {
  if (typeof value === 'object' && value !== null) {
    const parent = value as Record<string, unknown>;
    for (const key of Object.keys(parent)) {
      yield odd => {
        const before = parent[key];
        parent[key] = odd;
        return () => {
          parent[key] = before;
        };
      };
      yield* placesOf(parent[key]);
    }
  }
}

it('never throws, whatever stands anywhere', () => {
  const input = goodSetUp();
  let count = 0;
  for (const [index, put] of [...placesOf(input.manifests)].entries()) {
    const restore = put(ODD[index % ODD.length]);
    // Sources are the caller's own, and not what is checked.
    if (input.manifests.every(manifest => manifest?.source?.path)) {
      runReadinessChecks(input);
      count += 1;
    }
    restore();
  }
  expect(count).toBeGreaterThan(300);
});

it('ends with an object that contains itself', () => {
  const draft = new Draft();
  const set = draft.object('ApplicationSet') as JsonObject;
  set.itself = set;
  (set.spec as JsonObject).generators = [set.spec];
  expect(() => runReadinessChecks(draft)).not.toThrow();
});

it('takes a megabyte of braces in no time that grows with its square', () => {
  const draft = new Draft();
  draft.inSet(['spec', 'templatePatch'], '{{ '.repeat(300_000));
  draft.inSet(
    ['spec', 'template', 'spec', 'source', 'path'],
    'a-.'.repeat(300_000),
  );
  draft.files.push({ path: '.gitlab-ci.yml', text: `${' '.repeat(400_000)}x` });
  draft.files.push({ path: 'Dockerfile', text: 'FROM '.repeat(80_000) });
  const start = process.cpuUsage();
  runReadinessChecks(draft);
  const { user } = process.cpuUsage(start);
  expect(user / 1e6).toBeLessThan(5);
});

it('cleans what it shows', () => {
  const draft = new Draft();
  draft.inGenerator(
    ['gitlab', 'project'],
    `group/<img src=x>\u202e\n${'a'.repeat(10_000)}`,
  );
  const [result] = runReadinessChecks(draft).filter(
    ({ id }) => id === 'ProjectByPath',
  );
  const texts = [result.message, result.evidence.value!, result.params.project];
  for (const text of texts) {
    expect(String(text).length).toBeLessThan(1000);
    // eslint-disable-next-line no-control-regex
    expect(text).not.toMatch(/[\u0000-\u001f\u202a-\u202e]/);
  }
});

it('tells at most a hundred of one kind', () => {
  const draft = new Draft();
  for (let index = 0; index < 150; index += 1) {
    draft.add({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: `secret-${index}` },
      stringData: { key: 'value' },
    });
  }
  expect(runReadinessChecks(draft)).toHaveLength(100);
});

it('runs over a thousand workloads in seconds', () => {
  const draft = new Draft();
  const deployment = draft.object('Deployment', 'prod') as {
    metadata: object;
  };
  for (let index = 0; index < 1000; index += 1) {
    draft.add(
      {
        ...deployment,
        metadata: { ...deployment.metadata, name: `shop-${index}` },
      },
      'prod',
    );
  }
  const start = process.cpuUsage();
  expect(runReadinessChecks(draft)).toEqual([]);
  expect(process.cpuUsage(start).user / 1e6).toBeLessThan(10);
});
