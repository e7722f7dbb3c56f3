import { PreviewSort } from '@previews/backstage-plugin-previews-common';

/** A column of the table, and the two orders its head switches between. */
export interface Column {
  id:
    | 'phase'
    | 'mergeRequest'
    | 'open'
    | 'commit'
    | 'certificate'
    | 'argoCd'
    | 'age';
  /** CSS width; the merge request takes what is left. */
  width?: number;
  /** The orders in which the column's values ascend and descend. */
  sort?: { ascending: PreviewSort; descending: PreviewSort };
}

export const columns: readonly Column[] = [
  {
    id: 'phase',
    width: 148,
    sort: { ascending: 'attention', descending: '-attention' },
  },
  { id: 'mergeRequest', sort: { ascending: 'iid', descending: '-iid' } },
  { id: 'open', width: 112 },
  { id: 'commit', width: 108 },
  { id: 'certificate', width: 124 },
  { id: 'argoCd', width: 108 },
  // An age grows as the time of creation gets earlier.
  {
    id: 'age',
    width: 76,
    sort: { ascending: '-created', descending: 'created' },
  },
];
