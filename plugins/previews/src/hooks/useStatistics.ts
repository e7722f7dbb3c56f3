import { useEffect, useState } from 'react';
import { useApi } from '@backstage/core-plugin-api';
import { StatsResponse } from '@previews/backstage-plugin-previews-common';
import { previewsApiRef } from '../api';

/** Medians of three months and limits of a week do not change by the minute. */
const RELOAD_MILLISECONDS = 5 * 60_000;

/**
 * Statistics of an entity's previews; undefined until they are there, and for those
 * who may not read them. They are an addition: without them the page is whole.
 *
 * @param options.enabled - nothing is asked for before, so that rows come first.
 */
export function useStatistics(options: {
  entityRef: string;
  enabled: boolean;
}): StatsResponse | undefined {
  const { entityRef, enabled } = options;
  const api = useApi(previewsApiRef);
  const [loaded, setLoaded] = useState<{
    entityRef: string;
    value: StatsResponse;
  }>();

  useEffect(() => {
    if (!enabled) {
      return undefined;
    }
    const abort = new AbortController();
    const load = async () => {
      try {
        const value = await api.getStats(
          { entityRef },
          { signal: abort.signal },
        );
        if (!abort.signal.aborted) {
          setLoaded({ entityRef, value });
        }
      } catch {
        // Refused or not answered: what was shown before is not told any more.
        if (!abort.signal.aborted) {
          setLoaded(undefined);
        }
      }
    };
    void load();
    const timer = setInterval(load, RELOAD_MILLISECONDS);
    return () => {
      abort.abort();
      clearInterval(timer);
    };
  }, [api, entityRef, enabled]);

  return loaded?.entityRef === entityRef ? loaded.value : undefined;
}
