import axe from 'axe-core';

/**
 * What axe finds. Colours are left out: jsdom computes no layout, and
 * the tones have a test of their own.
 */
export async function findViolations(element: Element): Promise<string[]> {
  const { violations } = await axe.run(element, {
    rules: {
      'color-contrast': { enabled: false },
      // Parts of a page have no landmarks of their own.
      region: { enabled: false },
    },
  });
  return violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}: ${nodes.map(node => node.html).join('\n')}`,
  );
}
