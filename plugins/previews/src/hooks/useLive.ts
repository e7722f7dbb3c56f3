import { useCallback, useEffect, useRef, useState } from 'react';
import { LiveLoop } from './LiveLoop';
import { useSignalChannel } from './useSignalChannel';

/** What a live query has now. */
export interface Live<T> {
  /** The last good answer; kept while a newer one is asked for, or fails. */
  value?: T;
  /** Why the newest attempt failed; absent after a good one. */
  error?: Error;
  /** When the value was received, in milliseconds. */
  receivedAt?: number;
  /** The request has changed and its answer is not there yet. */
  changing: boolean;
  refetch(): void;
}

interface Answer<T> {
  subject: string;
  key: string;
  value?: T;
  error?: Error;
  receivedAt?: number;
}

/**
 * Keeps an answer of the API current: refetches on signals, and by polling as
 * the fallback.
 *
 * `subject` says what is looked at: another one starts empty. `key` says how:
 * another one (a filter, say) keeps the rows until the new ones are there.
 */
export function useLive<T>(options: {
  subject: string;
  key: string;
  load(signal: AbortSignal): Promise<T>;
  /** The signal channel that the answer hands out. */
  channelOf(value: T): string | undefined;
  /** Whether something is under way, so that polling is quicker. */
  isMoving(value: T): boolean;
  /** Default true; nothing is asked for while false. */
  enabled?: boolean;
}): Live<T> {
  const { subject, key, enabled = true } = options;
  const [answer, setAnswer] = useState<Answer<T>>();
  const [loop, setLoop] = useState<LiveLoop<T>>();
  const latest = useRef(options);
  latest.current = options;

  useEffect(() => {
    if (!enabled) {
      return undefined;
    }
    const started = new LiveLoop<T>({
      load: signal => latest.current.load(signal),
      isMoving: value => latest.current.isMoving(value),
      onValue: value =>
        setAnswer({ subject, key, value, receivedAt: Date.now() }),
      onError: error =>
        setAnswer(previous => ({
          ...(previous?.subject === subject && {
            value: previous.value,
            receivedAt: previous.receivedAt,
          }),
          subject,
          key,
          error,
        })),
    });
    setLoop(started);
    started.start();
    return () => started.stop();
  }, [subject, key, enabled]);

  const current = answer?.subject === subject ? answer : undefined;
  const channel = current?.value && options.channelOf(current.value);
  useSignalChannel({ channel, onSignal: () => loop?.hint() });
  const refetch = useCallback(() => loop?.refetch(), [loop]);

  return {
    value: current?.value,
    error: current?.error,
    receivedAt: current?.receivedAt,
    changing: current?.key !== key,
    refetch,
  };
}
