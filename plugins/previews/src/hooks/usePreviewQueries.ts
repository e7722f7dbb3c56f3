import { useApi } from '@backstage/core-plugin-api';
import {
  EntitySummaryResponse,
  ListPreviewsRequest,
  ListPreviewsResponse,
  PreviewResponse,
} from '@previews/backstage-plugin-previews-common';
import { loadRows, previewsApiRef } from '../api';
import { isMovingPhase } from './moving';
import { Live, useLive } from './useLive';

/** The rows of an entity's tab, kept current. */
export function useRows(options: {
  entityRef: string;
  request: ListPreviewsRequest;
  rows: number;
}): Live<ListPreviewsResponse> {
  const { entityRef, request, rows } = options;
  const api = useApi(previewsApiRef);
  return useLive({
    subject: entityRef,
    key: JSON.stringify([request, rows]),
    load: signal =>
      loadRows({ api, request: { ...request, entityRef }, rows, signal }),
    channelOf: answer => answer.signal?.channel,
    isMoving: answer => answer.items.some(item => isMovingPhase(item.phase)),
  });
}

/** How many drafts the request leaves out; undefined when it leaves none out. */
export function useHiddenDrafts(options: {
  entityRef: string;
  request: ListPreviewsRequest;
}): number | undefined {
  const { entityRef, request } = options;
  const enabled = request.draft === false;
  const api = useApi(previewsApiRef);
  const { value } = useLive({
    subject: entityRef,
    key: JSON.stringify(request),
    enabled,
    load: signal =>
      api.listPreviews(
        { ...request, entityRef, draft: true, limit: 1 },
        { signal },
      ),
    channelOf: answer => answer.signal?.channel,
    isMoving: () => false,
  });
  return enabled ? value?.totalItems : undefined;
}

/**
 * Whether the entity has previews that are gone, which no other list counts;
 * undefined until that is known.
 */
export function useHasGone(options: {
  entityRef: string;
  enabled: boolean;
}): boolean | undefined {
  const { entityRef, enabled } = options;
  const api = useApi(previewsApiRef);
  const { value } = useLive({
    subject: entityRef,
    key: entityRef,
    enabled,
    load: signal =>
      api.listPreviews({ entityRef, phase: ['Gone'], limit: 1 }, { signal }),
    channelOf: answer => answer.signal?.channel,
    isMoving: () => false,
  });
  return enabled && value ? value.totalItems > 0 : undefined;
}

/** Counts, problems and the latest previews of an entity, kept current. */
export function useSummary(entityRef: string): Live<EntitySummaryResponse> {
  const api = useApi(previewsApiRef);
  return useLive({
    subject: entityRef,
    key: entityRef,
    load: signal => api.getEntitySummary(entityRef, { signal }),
    channelOf: answer => answer.signal?.channel,
    isMoving: answer => answer.latest.some(item => isMovingPhase(item.phase)),
  });
}

/** One preview with all that is known of it, kept current. */
export function usePreview(id: string): Live<PreviewResponse> {
  const api = useApi(previewsApiRef);
  return useLive({
    subject: id,
    key: id,
    load: signal => api.getPreview(id, { signal }),
    channelOf: answer => answer.signal?.channel,
    isMoving: answer => isMovingPhase(answer.preview.phase),
  });
}
