// Lints texts as if they were files: reads [{ path, text }] as JSON from standard
// input and prints, for each, the rules that it breaks and what they say. In a
// process of its own, since Jest would transform the whole of ESLint.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
// The ESLint that `yarn lint` runs is the one of the CLI.
const cli = createRequire(import.meta.url).resolve(
  '@backstage/cli/package.json',
);
const { ESLint } = createRequire(cli)('eslint');

const files = JSON.parse(await text(process.stdin));
const eslint = new ESLint({ cwd: root });
const results = [];
for (const file of files) {
  const [result] = await eslint.lintText(file.text, {
    filePath: join(root, file.path),
  });
  results.push(
    result.messages.map(({ ruleId, message }) => ({ rule: ruleId, message })),
  );
}
process.stdout.write(JSON.stringify(results));
