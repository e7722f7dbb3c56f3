/** Causes of causes that are looked at. */
const MAXIMUM_DEPTH = 5;

/**
 * The code of whatever lies behind a failed call, such as `ECONNREFUSED`;
 * undefined where there is none. It is all that may be said of a cause: messages
 * of parsers quote what they could not read, and those of clients the headers
 * that they could not send, so that bodies and tokens are in them.
 */
export function codeOf(cause: unknown): string | undefined {
  let current = cause;
  for (let depth = 0; depth < MAXIMUM_DEPTH; depth += 1) {
    if (typeof current !== 'object' || current === null) {
      return undefined;
    }
    const { code, cause: next } = current as {
      code?: unknown;
      cause?: unknown;
    };
    if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,60}$/.test(code)) {
      return code;
    }
    current = next;
  }
  return undefined;
}

/** A message and the code behind it. */
export function withCode(message: string, cause: unknown): string {
  const code = codeOf(cause);
  return code === undefined ? message : `${message} (${code})`;
}
