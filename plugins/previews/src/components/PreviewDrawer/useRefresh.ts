import { useCallback, useState } from 'react';
import { useApi } from '@backstage/core-plugin-api';
import { previewsApiRef } from '../../api';
import { statusOf } from '../shared';

/** What came of asking for a new reading. */
export type RefreshOutcome = 'accepted' | 'tooSoon' | 'forbidden' | 'failed';

function outcomeOf(error: Error): RefreshOutcome {
  switch (statusOf(error)) {
    case 429:
      return 'tooSoon';
    case 403:
      return 'forbidden';
    default:
      return 'failed';
  }
}

/** Asks the backend to read a preview's facts again, once at a time. */
export function useRefresh(id: string) {
  const api = useApi(previewsApiRef);
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<RefreshOutcome>();
  const refresh = useCallback(async () => {
    setBusy(true);
    setOutcome(undefined);
    try {
      await api.refresh(id);
      setOutcome('accepted');
    } catch (error) {
      setOutcome(outcomeOf(error as Error));
    } finally {
      setBusy(false);
    }
  }, [api, id]);
  return { busy, outcome, refresh };
}
