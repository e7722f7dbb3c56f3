module.exports = require('@backstage/cli/config/eslint-factory')(__dirname, {
  overrides: [
    {
      // Benchmarks measure rooms of the plugin that its package does not export.
      files: ['bench/**'],
      rules: { '@backstage/no-relative-monorepo-imports': 'off' },
    },
  ],
});
