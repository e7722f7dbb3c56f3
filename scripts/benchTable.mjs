// Lays out the lines that benchmarks print as a table of Markdown: a row for each
// name, a column for each size. What does not depend on a size stands in the first.

/** @typedef {{ name: string, size: number, figure: number, unit: string, budget?: number, ratio?: number }} Figure */

function wordsOf(value, unit) {
  return `${value.toLocaleString('en-US', {
    maximumSignificantDigits: 3,
  })} ${unit}`;
}

function cellOf({ figure, unit, ratio }) {
  const words = wordsOf(figure, unit);
  return ratio === undefined ? words : `${words} (${ratio.toFixed(1)}×)`;
}

function budgetOf(figures) {
  const one = figures.find(({ budget }) => budget !== undefined);
  if (!one) {
    return '';
  }
  return one.ratio === undefined
    ? wordsOf(one.budget, one.unit)
    : `${one.budget}×`;
}

/** Whether any figure of a name is above its budget. */
function isOver({ figure, ratio, budget }) {
  return budget !== undefined && (ratio ?? figure) > budget;
}

/**
 * @param {string} text lines of JSON; others are left out.
 * @returns {string} the table; the last line of a name and size counts.
 */
export function toTable(text) {
  const lines = text.split('\n').filter(line => line.startsWith('{'));
  /** @type {Map<string, Map<number, Figure>>} */
  const byName = new Map();
  for (const figure of lines.map(line => JSON.parse(line))) {
    const sizes = byName.get(figure.name) ?? new Map();
    byName.set(figure.name, sizes.set(figure.size, figure));
  }
  const sizes = [
    ...new Set([...byName.values()].flatMap(ofName => [...ofName.keys()])),
  ]
    .filter(size => size > 0)
    .sort((left, right) => left - right);
  const columns = sizes.length > 0 ? sizes : [0];
  const rows = [...byName].map(([name, ofName]) => {
    const cells = columns.map((size, index) => {
      const figure = ofName.get(size) ?? (index === 0 && ofName.get(0));
      return figure ? cellOf(figure) : '';
    });
    const over = [...ofName.values()].some(isOver) ? ' **over**' : '';
    return [
      `\`${name}\``,
      ...cells,
      `${budgetOf([...ofName.values()])}${over}`,
    ];
  });
  const head = [
    'figure',
    ...columns.map(size => size.toLocaleString('en-US')),
    'budget',
  ];
  return [head, head.map(() => '---'), ...rows]
    .map(cells => `| ${cells.join(' | ')} |`)
    .join('\n');
}
