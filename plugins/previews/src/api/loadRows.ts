import {
  ListPreviewsRequest,
  ListPreviewsResponse,
  PreviewsApi,
} from '@previews/backstage-plugin-previews-common';

/** The API gives no more in one answer. */
const LARGEST_PAGE = 200;

/**
 * Reads as many rows as the table shows now, so that one refetch renews all of
 * them and not only the first page. Counts and sources are the newest answer's.
 */
export async function loadRows(options: {
  api: Pick<PreviewsApi, 'listPreviews'>;
  request: ListPreviewsRequest;
  rows: number;
  signal?: AbortSignal;
}): Promise<ListPreviewsResponse> {
  const { api, request, rows, signal } = options;
  // By id, because a row may move between two pages while they are read.
  const items = new Map<string, ListPreviewsResponse['items'][number]>();
  let cursor: string | undefined;
  let answer: ListPreviewsResponse;
  do {
    const limit = Math.min(LARGEST_PAGE, rows - items.size);
    answer = await api.listPreviews(
      { ...request, limit, ...(cursor && { cursor }) },
      { signal },
    );
    const before = items.size;
    answer.items.forEach(item => items.set(item.id, item));
    cursor = items.size > before ? answer.nextCursor : undefined;
  } while (cursor && items.size < rows);
  return { ...answer, items: [...items.values()] };
}
