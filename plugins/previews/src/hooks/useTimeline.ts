import { useCallback, useEffect, useState } from 'react';
import { useApi } from '@backstage/core-plugin-api';
import { Transition } from '@previews/backstage-plugin-previews-common';
import { previewsApiRef } from '../api';

const PAGE = 30;

export interface Timeline {
  /** Newest first. */
  items?: Transition[];
  error?: Error;
  /** Undefined when there is nothing older. */
  showMore?: () => void;
}

interface State {
  id: string;
  items: Transition[];
  nextCursor?: string;
}

function merge(newer: Transition[], older: Transition[]): Transition[] {
  const seen = new Set(newer.map(item => item.id));
  return [...newer, ...older.filter(item => !seen.has(item.id))];
}

/**
 * The transitions of a preview, page by page. `version` changes when the preview
 * does: then the newest page is read again and older ones stay.
 */
export function useTimeline(options: {
  id: string;
  version: string;
}): Timeline {
  const { id, version } = options;
  const api = useApi(previewsApiRef);
  const [state, setState] = useState<State>();
  const [error, setError] = useState<Error>();

  useEffect(() => {
    let current = true;
    api.getTimeline(id, { limit: PAGE }).then(
      page => {
        if (current) {
          setError(undefined);
          setState(previous =>
            previous?.id === id && previous.items.length > 0
              ? { ...previous, items: merge(page.items, previous.items) }
              : { id, ...page },
          );
        }
      },
      failure => current && setError(failure),
    );
    return () => {
      current = false;
    };
  }, [api, id, version]);

  const shown = state?.id === id ? state : undefined;
  const cursor = shown?.nextCursor;
  const showMore = useCallback(() => {
    api.getTimeline(id, { cursor, limit: PAGE }).then(page => {
      setError(undefined);
      setState(previous =>
        previous?.id === id
          ? {
              id,
              items: merge(previous.items, page.items),
              nextCursor: page.nextCursor,
            }
          : previous,
      );
    }, setError);
  }, [api, id, cursor]);

  return {
    items: shown?.items,
    error,
    showMore: cursor ? showMore : undefined,
  };
}
