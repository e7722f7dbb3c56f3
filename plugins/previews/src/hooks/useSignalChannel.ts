import { useEffect, useRef } from 'react';
import { useApiHolder } from '@backstage/core-plugin-api';
import { signalApiRef } from '@backstage/plugin-signals-react';

/**
 * Calls back on every signal of a channel. Does nothing in a portal without the
 * signals plugin, or while no channel is known.
 */
export function useSignalChannel(options: {
  channel: string | undefined;
  onSignal(): void;
}) {
  const { channel, onSignal } = options;
  const signals = useApiHolder().get(signalApiRef);
  const latest = useRef(onSignal);
  latest.current = onSignal;
  useEffect(() => {
    if (!signals || !channel) {
      return undefined;
    }
    // Not `useSignal`, which keeps only the last message: two in one render
    // would be one, and it needs a channel before there is an answer.
    const subscriber = signals.subscribe(channel, () => latest.current());
    return () => subscriber.unsubscribe();
  }, [signals, channel]);
}
