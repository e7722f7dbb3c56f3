// The import law of the rooms: see CONTRIBUTING.md. What is written here is held
// by test/contract/importLaw.test.ts.
const { readdirSync } = require('node:fs');
const { join } = require('node:path');

const base = require('@backstage/cli/config/eslint-factory')(__dirname);
const [, { paths: basePaths, patterns: basePatterns }] =
  base.rules['no-restricted-imports'];
const [, ...baseSyntax] = base.rules['no-restricted-syntax'];

const COMMON = '@previews/backstage-plugin-previews-common';
const NODE = '@previews/backstage-plugin-previews-node';

/** One folder each; a new one is a source of its own without a word here. */
const sources = readdirSync(join(__dirname, 'src', 'sources'), {
  withFileTypes: true,
})
  .filter(entry => entry.isDirectory())
  .map(entry => entry.name)
  .filter(name => !['objects', 'testing'].includes(name));

/** Tests may look into any room. */
const tests = ['**/*.test.*', '**/__testUtils__/**', '**/testing/**'];

const simulator = {
  group: ['simulator', '**/simulator/**'],
  message: 'The simulator and the product share no code.',
};
const config = {
  name: '@backstage/config',
  message: 'Only src/config reads the configuration.',
};

/** What gives another answer each time: it comes in as a parameter. */
const impureSyntax = [
  ['NewExpression[callee.name="Date"][arguments.length=0]', 'the clock'],
  ['CallExpression[callee.name="Date"]', 'the clock'],
  [
    'MemberExpression[object.name="Date"]:matches([property.name="now"], [property.value="now"])',
    'the clock',
  ],
  ['MemberExpression[object.name="Math"][property.name="random"]', 'chance'],
].map(([selector, what]) => ({
  selector,
  message: `A pure room does not read ${what}: take it as a parameter.`,
}));
const impureGlobals = [
  'clearInterval',
  'clearTimeout',
  'console',
  'fetch',
  'performance',
  'process',
  'queueMicrotask',
  'setImmediate',
  'setInterval',
  'setTimeout',
].map(name => ({
  name,
  message: 'A pure room neither reads nor touches the world around it.',
}));
const impureCrypto = {
  name: 'node:crypto',
  importNames: ['getRandomValues', 'randomBytes', 'randomInt', 'randomUUID'],
  message: 'A pure room does not read chance: take it as a parameter.',
};

/**
 * The rules of one room.
 *
 * @param files what belongs to it, below src
 * @param except files of it that the rules leave alone
 * @param sees rooms that it may import from, itself included
 * @param hidden parts of those rooms that it may not import from
 * @param packages the only packages it may import, which makes it a pure room
 * @param readsConfig whether it may import the configuration's types
 */
function room({
  files,
  except = [],
  sees,
  hidden = [],
  packages,
  readsConfig = false,
}) {
  const target = join(__dirname, 'src');
  return {
    files: files.map(pattern => `src/${pattern}`),
    excludedFiles: [...tests, ...except.map(file => `src/${file}`)],
    rules: {
      'import/no-restricted-paths': [
        'error',
        {
          basePath: __dirname,
          zones: [
            {
              target,
              from: './src',
              except: sees.map(name => `./${name}`),
              message: `This room sees only ${sees.join(', ')}.`,
            },
            {
              target,
              from: hidden.map(name => `./src/${name}`),
              message: 'This part is not seen from here.',
            },
            {
              target,
              from: ['./src/testing', './src/sources/testing'],
              message: 'The product does not import what its tests need.',
            },
          ].filter(({ from }) => from.length > 0),
        },
      ],
      'no-restricted-imports': [
        'error',
        {
          paths: [
            ...basePaths,
            ...(readsConfig ? [] : [config]),
            ...(packages ? [impureCrypto] : []),
          ],
          patterns: [
            { group: basePatterns },
            simulator,
            ...(packages ? [onlyPackages(packages)] : []),
          ],
        },
      ],
      ...(packages && {
        'no-restricted-globals': ['error', ...impureGlobals],
        'no-restricted-syntax': ['error', ...baseSyntax, ...impureSyntax],
      }),
    },
  };
}

/** Everything that is no relative path is forbidden, except these packages. */
function onlyPackages(packages) {
  const scopes = packages
    .filter(name => name.startsWith('@'))
    .map(name => name.split('/')[0]);
  return {
    group: [
      '*',
      '!.',
      '!..',
      '!./**',
      '!../**',
      ...[...new Set(scopes)].flatMap(scope => [`!${scope}`, `${scope}/*`]),
      ...packages.map(name => `!${name}`),
    ],
    message: `A pure room imports no package but ${packages.join(', ')}.`,
  };
}

module.exports = {
  ...base,
  settings: {
    ...base.settings,
    'import/resolver': { node: { extensions: ['.ts', '.js', '.json'] } },
  },
  overrides: [
    ...base.overrides,
    room({
      files: ['*.ts'],
      sees: ['.'],
    }),
    room({
      files: ['model/**'],
      sees: ['model'],
      packages: ['node:crypto', COMMON],
    }),
    room({
      files: ['reconcile/**'],
      sees: ['reconcile', 'model'],
      packages: ['any-ascii', 'node:crypto', 're2js', 'yaml', COMMON],
    }),
    room({
      files: ['sources/objects/**'],
      sees: ['sources/objects', 'model'],
      packages: ['node:crypto', 'yaml', COMMON],
    }),
    room({
      files: ['sources/*.ts'],
      except: ['sources/index.ts'],
      sees: ['sources', 'model'],
      hidden: sources.map(name => `sources/${name}`),
    }),
    ...sources.map(source =>
      room({
        files: [`sources/${source}/**`],
        sees: ['sources', 'model', 'config'],
        hidden: sources
          .filter(other => other !== source)
          .map(other => `sources/${other}`)
          .concat('sources/index.ts'),
      }),
    ),
    room({
      files: ['audit/**'],
      sees: ['audit', 'model', 'reconcile'],
      packages: [COMMON, NODE],
    }),
    room({
      files: ['stats/**'],
      sees: ['stats', 'model'],
      packages: ['tldts', COMMON],
    }),
    room({
      files: ['store/**'],
      sees: ['store', 'model'],
    }),
    room({
      files: ['engine/**'],
      sees: [
        'engine',
        'audit',
        'model',
        'reconcile',
        'sources',
        'stats',
        'store',
      ],
    }),
    room({
      files: ['api/**'],
      sees: ['api', 'model', 'stats', 'store'],
    }),
    // What speaks HTTP sees the service only; the store is behind it.
    room({
      files: [
        'api/routes/**',
        'api/openapi.ts',
        'api/RequestValidator.ts',
        'api/router.ts',
        'api/schemas.ts',
        'api/sendVersioned.ts',
        'api/version.ts',
      ],
      sees: ['api', 'model'],
      hidden: ['api/StorePreviewsService.ts', 'api/createPreviewsService.ts'],
    }),
    room({
      files: ['events/**'],
      sees: ['events', 'api', 'model'],
    }),
    room({
      files: ['actions/**'],
      sees: ['actions', 'api'],
      hidden: ['api/StorePreviewsService.ts', 'api/createPreviewsService.ts'],
    }),
    room({
      files: ['config/**'],
      sees: ['config'],
      readsConfig: true,
    }),
  ],
};
