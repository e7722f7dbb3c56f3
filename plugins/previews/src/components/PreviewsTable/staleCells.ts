import { Preview } from '@previews/backstage-plugin-previews-common';

/** Which cells of a row show the last known state, and of which source. */
export interface StaleCells {
  /** Id of a GitLab source. */
  gitLab?: string;
  /** Id of a cluster. */
  cluster?: string;
  /** Id of a cluster, or of an Argo CD that is read through its API. */
  argoCd?: string;
}

export function staleCells(preview: Preview): StaleCells {
  const find = (kind: string) =>
    preview.stale.find(id => id.startsWith(`${kind}:`));
  const cluster = find('cluster');
  return {
    gitLab: find('gitlab'),
    cluster,
    argoCd: find('argocd') ?? cluster,
  };
}
