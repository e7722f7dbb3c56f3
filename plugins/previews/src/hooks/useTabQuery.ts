import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import {
  ListPreviewsRequest,
  Phase,
  phases,
  PreviewSort,
} from '@previews/backstage-plugin-previews-common';

/** The orders that the API knows, the default first. */
export const sorts = [
  'attention',
  '-attention',
  '-activity',
  'activity',
  '-created',
  'created',
  '-iid',
  'iid',
] as const satisfies readonly PreviewSort[];

/** What the reader has chosen; all of it is in the address. */
export interface TabQuery {
  search: string;
  phases: Phase[];
  author: string;
  hideDrafts: boolean;
  sort: PreviewSort;
  /** The preview whose drawer is open. */
  preview?: string;
}

/** Reads the query; what an old or edited link says wrongly is left out. */
export function parseTabQuery(params: URLSearchParams): TabQuery {
  const sort = params.get('sort');
  const wanted = new Set(params.getAll('phase'));
  return {
    search: params.get('q') ?? '',
    phases: phases.filter(phase => wanted.has(phase)),
    author: params.get('author') ?? '',
    hideDrafts: params.get('drafts') === 'hide',
    sort: sorts.find(known => known === sort) ?? 'attention',
    preview: params.get('preview') ?? undefined,
  };
}

/** Writes the query into parameters that may hold others; defaults are left out. */
export function writeTabQuery(
  query: TabQuery,
  into: URLSearchParams,
): URLSearchParams {
  const params = new URLSearchParams(into);
  const set = (name: string, values: string[]) => {
    params.delete(name);
    values.filter(Boolean).forEach(value => params.append(name, value));
  };
  set('q', [query.search]);
  set('phase', query.phases);
  set('author', [query.author]);
  set('drafts', query.hideDrafts ? ['hide'] : []);
  set('sort', query.sort === 'attention' ? [] : [query.sort]);
  set('preview', query.preview ? [query.preview] : []);
  return params;
}

/** The API's request for a query, without the entity and the number of rows. */
export function toRequest(query: TabQuery): ListPreviewsRequest {
  return {
    sort: query.sort,
    ...(query.search.trim() && { q: query.search.trim() }),
    ...(query.phases.length > 0 && { phase: query.phases }),
    ...(query.author && { author: query.author }),
    ...(query.hideDrafts && { draft: false }),
  };
}

/** Whether the query leaves rows out. */
export function isFiltered(query: TabQuery): boolean {
  const { q, phase, author, draft } = toRequest(query);
  return Boolean(q || phase || author || draft === false);
}

/** The tab's choices in the address, and how to change them. */
export function useTabQuery() {
  const [params, setParams] = useSearchParams();
  const query = useMemo(() => parseTabQuery(params), [params]);
  const change = useCallback(
    (part: Partial<TabQuery>, options?: { push?: boolean }) =>
      // Filters replace the history entry: "back" leaves the tab, and does not
      // take back one letter. Opening a drawer is a step of its own.
      setParams(
        previous =>
          writeTabQuery({ ...parseTabQuery(previous), ...part }, previous),
        { replace: !options?.push },
      ),
    [setParams],
  );
  return { query, change };
}
