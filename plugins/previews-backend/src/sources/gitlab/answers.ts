import { SourceErrorReason } from '@previews/backstage-plugin-previews-common';
import { asObject } from '../objects/values';

/** Longest pause that an answer can ask for. */
const MAXIMUM_PAUSE = 60 * 60 * 1000;

/** Pause after a 429 that does not say how long. */
const DEFAULT_PAUSE = 60 * 1000;

/** What an answer that is not 2xx means. */
export interface AnswerProblem {
  reason: SourceErrorReason;
  message: string;
}

function unauthorized(body: unknown): AnswerProblem {
  const description = asObject(body)?.error_description;
  const text = typeof description === 'string' ? description : '';
  if (/revoked/i.test(text)) {
    return { reason: 'TokenRevoked', message: 'The token was revoked.' };
  }
  if (/expired/i.test(text)) {
    return { reason: 'TokenExpired', message: 'The token has expired.' };
  }
  return { reason: 'TokenInvalid', message: 'The token is not accepted.' };
}

/**
 * Names the problem of an answer. GitLab answers 404 for what does not exist
 * and for what the token may not see alike.
 */
export function problemOf(answer: {
  status: number;
  body: unknown;
}): AnswerProblem {
  const { status, body } = answer;
  if (status === 401) {
    return unauthorized(body);
  }
  if (status === 403) {
    return asObject(body)?.error === 'insufficient_scope'
      ? {
          reason: 'ScopeMissing',
          message: 'The token lacks a scope, read_api is needed.',
        }
      : { reason: 'Forbidden', message: 'The token may not read this.' };
  }
  if (status === 404) {
    return {
      reason: 'NotFound',
      message: 'Not found, or the token may not see it.',
    };
  }
  if (status === 429) {
    return { reason: 'RateLimited', message: 'GitLab limits the calls.' };
  }
  if (status >= 500) {
    return {
      reason: 'ServerError',
      message: `GitLab answered with status ${status}.`,
    };
  }
  return {
    reason: 'UnexpectedAnswer',
    message: `GitLab answered with status ${status}.`,
  };
}

/**
 * Until when an answer asks to be left alone; undefined when it does not ask.
 * `Retry-After` is seconds or a date, `RateLimit-Reset` a Unix time. An answer
 * that was the last one allowed for now asks too, where GitLab counts.
 */
export function pauseOf(answer: {
  status: number;
  headers: Headers;
  now: Date;
}): Date | undefined {
  const { status, headers, now } = answer;
  const bounded = (time: number) =>
    new Date(
      Math.min(Math.max(time, now.getTime()), now.getTime() + MAXIMUM_PAUSE),
    );
  const reset = Number(headers.get('ratelimit-reset')) * 1000;
  if (status !== 429 && status !== 503) {
    return headers.get('ratelimit-remaining')?.trim() === '0' &&
      reset > now.getTime()
      ? bounded(reset)
      : undefined;
  }
  const retryAfter = headers.get('retry-after')?.trim();
  if (retryAfter && /^\d+$/.test(retryAfter)) {
    return bounded(now.getTime() + Number(retryAfter) * 1000);
  }
  const date = retryAfter ? Date.parse(retryAfter) : Number.NaN;
  if (!Number.isNaN(date)) {
    return bounded(date);
  }
  if (status === 503) {
    return undefined;
  }
  return reset > now.getTime()
    ? bounded(reset)
    : bounded(now.getTime() + DEFAULT_PAUSE);
}
