// The tests here cross packages and have no `src` folder, which the shared
// configuration takes as the root of every package; the rest is as it has it for
// packages of Node.js.
const module_ = { ignoreDynamic: true, exportInteropAnnotation: true };
const transform = require.resolve('@backstage/cli/config/jestSwcTransform');

module.exports = {
  rootDir: __dirname,
  testEnvironment: 'node',
  testMatch: ['**/*.test.ts'],
  moduleFileExtensions: [
    'ts',
    'tsx',
    'mts',
    'cts',
    'js',
    'jsx',
    'mjs',
    'cjs',
    'json',
    'node',
  ],
  transform: {
    '\\.(mjs|cjs|js)$': [
      transform,
      { module: module_, jsc: { parser: { syntax: 'ecmascript' } } },
    ],
    '\\.(mts|cts|ts)$': [
      transform,
      { module: module_, jsc: { parser: { syntax: 'typescript' } } },
    ],
  },
  // ES modules among the dependencies are transformed too; these large ones are none.
  transformIgnorePatterns: [
    '/node_modules/(?:@material-ui|ajv|core-js|jest-.*|jsdom|knex|playwright-core|react|react-dom|typescript)/',
  ],
  id: 'previews_test',
};
