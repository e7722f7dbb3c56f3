import { RE2JS } from 're2js';

/** Longest expression that is compiled. */
const MAX_LENGTH = 2000;

/** Largest size by {@link sizeOfExpression} that is compiled. */
const MAX_SIZE = 5000;

const MAX_COMPILED = 1000;

const compiled = new Map<string, RE2JS | Error>();

function repetitionsOf(pattern: string): number {
  let sum = 0;
  for (const [, least, most] of pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)) {
    sum += Math.max(Number(least), Number(most || 0));
  }
  return sum;
}

/** What compiling costs: a repetition is laid out as often as it counts. */
export function sizeOfExpression(pattern: string): number {
  return pattern.length * (1 + repetitionsOf(pattern));
}

function compile(pattern: string): RE2JS {
  if (pattern.length > MAX_LENGTH || sizeOfExpression(pattern) > MAX_SIZE) {
    throw new RangeError('the expression is too large');
  }
  return RE2JS.compile(pattern);
}

/**
 * An expression in RE2's syntax as in Go, compiled once. It matches in linear
 * time; compiling takes time and memory for every repetition, so that those are
 * bounded.
 *
 * @throws Error for an expression that is invalid, or too large.
 */
export function compileExpression(pattern: string): RE2JS {
  let known = compiled.get(pattern);
  if (!known) {
    try {
      known = compile(pattern);
    } catch (error) {
      known = error instanceof Error ? error : new Error(String(error));
    }
    if (compiled.size >= MAX_COMPILED) {
      compiled.clear();
    }
    compiled.set(pattern, known);
  }
  if (known instanceof Error) {
    throw known;
  }
  return known;
}
