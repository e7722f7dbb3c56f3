import { Preview } from '@previews/backstage-plugin-previews-common';

/** Which cells of a row show the last known state, and of which source. */
export interface StaleCells {
  /** Id of a GitLab source. */
  gitLab?: string;
  /** Id of a cluster. */
  cluster?: string;
}

export function staleCells(preview: Preview): StaleCells {
  return {
    gitLab: preview.stale.find(id => id.startsWith('gitlab:')),
    cluster: preview.stale.find(id => id.startsWith('cluster:')),
  };
}
