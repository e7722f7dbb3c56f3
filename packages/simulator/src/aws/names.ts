/**
 * Names as Route 53 keeps them: lower case, with a dot at the end, and every character but letters,
 * digits, `-` and `_` as a backslash and its octal code, so `*` becomes `\052`.
 */
export function normalizeName(name: string): string {
  const unescaped = name.replace(/\\(\d{3})/g, (_, octal: string) =>
    String.fromCharCode(parseInt(octal, 8)),
  );
  const escaped = unescaped
    .toLowerCase()
    .replace(
      /[^a-z0-9._-]/g,
      character => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`,
    );
  return escaped.endsWith('.') ? escaped : `${escaped}.`;
}

/** The labels from the last to the first: the order of names in a zone. */
function reversedLabels(name: string): string {
  return name.split('.').filter(Boolean).reverse().join('.');
}

/** Orders normalized names by their reversed labels, as Route 53 lists them. */
export function compareNames(one: string, other: string): number {
  const left = reversedLabels(one);
  const right = reversedLabels(other);
  if (left === right) {
    return 0;
  }
  return left < right ? -1 : 1;
}

/** Whether a normalized name is a zone's own or lies below it. */
export function isWithin(name: string, zone: string): boolean {
  return name === zone || name.endsWith(`.${zone}`);
}
