import { readFile } from 'node:fs/promises';
import { Locator } from 'playwright-core';

interface Violation {
  id: string;
  help: string;
  nodes: { html: string }[];
}

/** What axe finds wrong below an element of a page, one line per rule and place. */
export async function findViolations(region: Locator): Promise<string[]> {
  const source = await readFile(require.resolve('axe-core/axe.min.js'), 'utf8');
  await region.page().evaluate(source);
  const violations = await region.evaluate(
    async (element): Promise<Violation[]> => {
      const { axe } = globalThis as unknown as {
        axe: {
          run(
            context: unknown,
            options: object,
          ): Promise<{ violations: Violation[] }>;
        };
      };
      const options = { resultTypes: ['violations'] };
      return (await axe.run(element, options)).violations;
    },
  );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html }) => `${id}: ${help}: ${html}`),
  );
}
