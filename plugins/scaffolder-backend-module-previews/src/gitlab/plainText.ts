const MAXIMUM_LENGTH = 200;

/**
 * Text of somebody else on one line of a message or a log: no controls, nothing that changes the
 * direction of what stands beside it, and not endless.
 */
export function plainText(value: unknown): string {
  const text = String(value ?? '')
    .slice(0, 8 * MAXIMUM_LENGTH)
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
    .trim();
  return text.length > MAXIMUM_LENGTH
    ? `${text.slice(0, MAXIMUM_LENGTH - 1)}…`
    : text;
}
