import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/**
 * The import law of the rooms, as the linter enforces it: small texts, linted as
 * if they were files of a room.
 */
const BACKEND = 'plugins/previews-backend/src';

const LAW = [
  'import/no-restricted-paths',
  'no-restricted-globals',
  'no-restricted-imports',
  'no-restricted-syntax',
];

interface Case {
  promise: string;
  path: string;
  text: string;
  /** The rule that speaks; absent where the law allows it. */
  rule?: string;
}

function importing(module: string): string {
  return `import * as something from '${module}';\n\nexport const it = something;\n`;
}

function forbidden(
  promise: string,
  options: { path: string; text: string; rule: string },
): Case {
  return { promise, ...options };
}

function allowed(
  promise: string,
  options: { path: string; text: string },
): Case {
  return { promise, ...options };
}

const pure: [room: string, path: string][] = [
  ['model', `${BACKEND}/model/example.ts`],
  ['reconcile', `${BACKEND}/reconcile/example.ts`],
  ['a condition', `${BACKEND}/reconcile/conditions/example.ts`],
  ['sources/objects', `${BACKEND}/sources/objects/example.ts`],
  ['stats', `${BACKEND}/stats/example.ts`],
  ['audit', `${BACKEND}/audit/example.ts`],
];

const pureCases = pure.flatMap(([room, path]) => [
  ...[
    ['a Backstage backend package', '@backstage/backend-plugin-api'],
    ['a plugin of the backend', '@backstage/plugin-catalog-node'],
    ['a GitLab client', '@gitbeaker/rest'],
    ['a Kubernetes client', '@kubernetes/client-node'],
    ['an HTTP client', 'undici'],
    ['a logger', 'winston'],
    ['Knex', 'knex'],
    ['the configuration', '@backstage/config'],
    ['files', 'node:fs'],
    ['the network', 'node:http'],
    ['timers', 'node:timers/promises'],
    ['a clock of another package', 'luxon'],
  ].map(([what, module]) =>
    forbidden(`${room} imports ${what}`, {
      path,
      text: importing(module),
      rule: 'no-restricted-imports',
    }),
  ),
  ...[
    ['Date.now', 'export const at = Date.now();\n'],
    ["Date['now']", "export const at = Date['now']();\n"],
    ['Date.now as a value', 'export const clock = Date.now;\n'],
    ['new Date()', 'export const at = new Date();\n'],
    ['Date()', 'export const at = Date();\n'],
    ['chance', 'export const chance = Math.random();\n'],
  ].map(([what, text]) =>
    forbidden(`${room} reads ${what}`, {
      path,
      text,
      rule: 'no-restricted-syntax',
    }),
  ),
  ...[
    ['performance.now', 'export const at = performance.now();\n'],
    ['the environment', 'export const home = process.env.HOME;\n'],
    ['a timer', 'export const timer = setTimeout(() => {}, 1);\n'],
    ['the network', "export const answer = fetch('https://example.com');\n"],
  ].map(([what, text]) =>
    forbidden(`${room} uses ${what}`, {
      path,
      text,
      rule: 'no-restricted-globals',
    }),
  ),
  forbidden(`${room} takes a random id`, {
    path,
    text: "import { randomUUID } from 'node:crypto';\n\nexport const id = randomUUID();\n",
    rule: 'no-restricted-imports',
  }),
  allowed(`${room} may turn a text into a time`, {
    path,
    text: 'export const at = (text: string) => new Date(text);\n',
  }),
  allowed(`${room} may import what every package shares`, {
    path,
    text: importing('@previews/backstage-plugin-previews-common'),
  }),
]);

/** Which room may import which, from a file one folder below it. */
const sight: [from: string, to: string, allowed: boolean][] = [
  ['model', '../reconcile', false],
  ['model', '../sources', false],
  ['model', '../store', false],
  ['reconcile', '../model', true],
  ['reconcile', './verdict', true],
  ['reconcile', '../sources', false],
  ['reconcile', '../sources/objects', false],
  ['reconcile', '../store', false],
  ['reconcile', '../engine', false],
  ['reconcile', '../api', false],
  ['reconcile', '../testing/Story', false],
  ['sources/objects', '../../model', true],
  ['sources/objects', '../../reconcile', false],
  ['sources/objects', '../gitlab', false],
  ['sources/objects', '../types', false],
  ['sources/gitlab', '../../model', true],
  ['sources/gitlab', '../objects', true],
  ['sources/gitlab', '../types', true],
  ['sources/gitlab', '../../config', true],
  ['sources/gitlab', '../kubernetes', false],
  ['sources/gitlab', '..', false],
  ['sources/gitlab', '../../reconcile', false],
  ['sources/gitlab', '../../store', false],
  ['sources/gitlab', '../testing/ScriptedServer', false],
  ['sources/kubernetes', '../gitlab', false],
  ['sources/kubernetes', '../catalog', false],
  ['sources/catalog', '../kubernetes', false],
  ['sources', './gitlab', false],
  ['sources', './types', true],
  ['store', '../model', true],
  ['store', '../sources', false],
  ['store', '../reconcile', false],
  ['store', '../engine', false],
  ['engine', '../reconcile', true],
  ['engine', '../sources/types', true],
  ['engine', '../stats', true],
  ['stats', '../store', false],
  ['reconcile', '../stats', false],
  ['engine', '../store', true],
  ['engine', '../model', true],
  ['engine', '../api', false],
  ['engine', '../events', false],
  ['engine', '../config', false],
  ['api', '../store', true],
  ['api', '../model', true],
  ['api', '../stats', true],
  ['api', '../sources', false],
  ['api', '../reconcile', false],
  ['api', '../engine', false],
  ['api', '../events', false],
  ['api/routes', '../PreviewsService', true],
  ['api/routes', '../StorePreviewsService', false],
  ['api/routes', '../createPreviewsService', false],
  ['api/routes', '../../store', false],
  ['api/routes', '../../stats', false],
  ['actions', '../api', true],
  ['actions', '../store', false],
  ['actions', '../model', false],
  ['events', '../api', true],
  ['events', '../store', false],
  ['events', '../engine', false],
  ['config', '../sources', false],
  ['config', '../model', false],
];

const sightCases = sight.map(([from, to, isAllowed]): Case => {
  const options = {
    path: `${BACKEND}/${from}/example.ts`,
    text: importing(to),
  };
  return isAllowed
    ? allowed(`${from} may see ${to}`, options)
    : forbidden(`${from} sees ${to}`, {
        ...options,
        rule: 'import/no-restricted-paths',
      });
});

const configCases = [
  allowed('reconcile may hash', {
    path: `${BACKEND}/reconcile/example.ts`,
    text: "import { createHash } from 'node:crypto';\n\nexport const hash = createHash('sha256');\n",
  }),
  ...['sources/gitlab', 'store', 'engine', 'api', 'events'].map(room =>
    forbidden(`${room} reads the configuration`, {
      path: `${BACKEND}/${room}/example.ts`,
      text: importing('@backstage/config'),
      rule: 'no-restricted-imports',
    }),
  ),
  forbidden('the wiring reads the configuration', {
    path: `${BACKEND}/plugin.ts`,
    text: importing('@backstage/config'),
    rule: 'no-restricted-imports',
  }),
  allowed('config may read the configuration', {
    path: `${BACKEND}/config/example.ts`,
    text: importing('@backstage/config'),
  }),
  allowed('the wiring may see every room', {
    path: `${BACKEND}/plugin.ts`,
    text: `${[
      './api',
      './config',
      './engine',
      './reconcile',
      './sources',
      './store',
    ]
      .map((room, index) => `import * as room${index} from '${room}';`)
      .join(
        '\n',
      )}\n\nexport const rooms = [room0, room1, room2, room3, room4, room5];\n`,
  }),
  allowed('a test may look into every room', {
    path: `${BACKEND}/reconcile/example.test.ts`,
    text: importing('../sources/objects'),
  }),
  forbidden('a type alone is an import as well', {
    path: `${BACKEND}/reconcile/example.ts`,
    text: "import type { PreviewStore } from '../store';\n\nexport type It = PreviewStore;\n",
    rule: 'import/no-restricted-paths',
  }),
  forbidden('a re-export is an import as well', {
    path: `${BACKEND}/model/example.ts`,
    text: "export * from '../store';\n",
    rule: 'import/no-restricted-paths',
  }),
];

const simulatorCases = [
  ...[
    `${BACKEND}/plugin.ts`,
    `${BACKEND}/sources/gitlab/example.ts`,
    `${BACKEND}/model/example.ts`,
    'plugins/previews/src/example.ts',
    'plugins/previews-common/src/example.ts',
    'plugins/previews-node/src/example.ts',
    'plugins/events-backend-module-previews/src/example.ts',
    'packages/app/src/example.ts',
    'packages/backend/src/example.ts',
  ].flatMap(path => [
    forbidden(`${path} imports the simulator`, {
      path,
      text: importing('simulator'),
      rule: 'no-restricted-imports',
    }),
    forbidden(`${path} imports a file of the simulator`, {
      path,
      text: importing('../../../../packages/simulator/src/clock'),
      rule: 'no-restricted-imports',
    }),
  ]),
  ...[
    '@previews/backstage-plugin-previews-common',
    '@previews/backstage-plugin-previews-backend/src/model',
    '../../../plugins/previews-common/src',
  ].map(module =>
    forbidden(`the simulator imports ${module}`, {
      path: 'packages/simulator/src/example.ts',
      text: importing(module),
      rule: 'no-restricted-imports',
    }),
  ),
  allowed('the simulator may import its own parts', {
    path: 'packages/simulator/src/example.ts',
    text: importing('./clock'),
  }),
];

const cases = [...pureCases, ...sightCases, ...configCases, ...simulatorCases];

describe('the import law', () => {
  let broken: { rule: string; message: string }[][];

  beforeAll(() => {
    broken = JSON.parse(
      execFileSync(
        process.execPath,
        [join(__dirname, '../support/lintTexts.mjs')],
        {
          input: JSON.stringify(
            cases.map(({ path, text }) => ({ path, text })),
          ),
          encoding: 'utf8',
        },
      ),
    );
  }, 120_000);

  it.each(
    cases.map(({ promise, rule }, index) => [
      `${rule ? 'refuses that ' : ''}${promise}`,
      index,
    ]),
  )('%s', (_, index) => {
    const { rule } = cases[index as number];
    const spoken = broken[index as number]
      .map(message => message.rule)
      .filter(name => LAW.includes(name));
    expect([...new Set(spoken)]).toEqual(rule ? [rule] : []);
  });
});
