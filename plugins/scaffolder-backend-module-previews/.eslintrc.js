module.exports = require('@backstage/cli/config/eslint-factory')(__dirname, {
  // The simulator and the product share no code, so that one can test the other.
  restrictedImports: ['simulator'],
  restrictedImportPatterns: ['simulator/**', '**/simulator/**'],
});
