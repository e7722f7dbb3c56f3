import { selects, setName } from '../generator';
import { relevantClusters } from '../homes';
import { kindUnknown, projectUnknown } from '../readability';
import { Verdict, verdict } from '../verdict';
import { PolicyContext } from './context';

const TYPE = 'Selected';

/**
 * Whether at least one set would generate an Application for the MR now. A set
 * in one readable cluster is enough for yes; no needs every cluster to be read
 * that the preview could be in.
 */
export function selected({ observed, now, settings }: PolicyContext): Verdict {
  const { project, mergeRequest, deletedAt, uses, key, index } = observed;
  if (deletedAt) {
    return verdict(TYPE, 'False', 'MergeRequestDeleted', {});
  }
  const unknown = projectUnknown(TYPE, project, {
    host: key.host,
    now,
    settings,
  });
  if (unknown) {
    return unknown;
  }
  if (!mergeRequest || !project) {
    return verdict(TYPE, 'Unknown', 'NotReadYet', {
      source: `gitlab:${key.host}`,
    });
  }
  const { fact } = mergeRequest;
  const selections = uses.map(use => ({ use, selection: selects(use, fact) }));
  const selecting = selections.filter(({ selection }) => selection.selected);
  const open = fact.state === 'opened' || fact.state === 'locked';
  if (selecting.length > 0) {
    const names = [...new Set(selecting.map(({ use }) => setName(use.set)))];
    return open
      ? verdict(TYPE, 'True', 'Selected', { applicationSets: names })
      : verdict(TYPE, 'True', 'KeptByGenerator', {
          applicationSet: names[0],
          state: fact.state,
        });
  }
  const unread = relevantClusters(observed)
    .map(cluster =>
      kindUnknown(TYPE, cluster, 'applicationSets', { now, settings }),
    )
    .find(found => found !== undefined);
  if (unread) {
    return unread;
  }
  if (index.world.clusters.length === 0) {
    return verdict(TYPE, 'Unknown', 'NotObserved', { what: 'ApplicationSets' });
  }
  const refusal = selections
    .map(({ selection }) => selection)
    .find(selection => !selection.selected);
  if (!refusal || refusal.selected) {
    return verdict(TYPE, 'False', 'NoApplicationSet', {
      project: project.fact.path,
    });
  }
  return { status: 'False', reason: refusal.reason, params: refusal.params };
}
