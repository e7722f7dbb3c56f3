import { ClusterReading } from '../../model';
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
  const options = { now, settings };
  const unknown = projectUnknown(TYPE, project, { host: key.host, ...options });
  if (unknown || !mergeRequest || !project) {
    return (
      unlisted(observed, options) ??
      unknown ??
      verdict(TYPE, 'Unknown', 'NotReadYet', { source: `gitlab:${key.host}` })
    );
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
  const unread = unreadSets(relevantClusters(observed), options);
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

/**
 * Where no set lists a project, nothing has to be known of it: it may be gone for good
 * together with its set, and GitLab would never tell.
 */
function unlisted(
  observed: PolicyContext['observed'],
  options: Pick<PolicyContext, 'now' | 'settings'>,
): Verdict | undefined {
  const { unlistedPath: path, index } = observed;
  const { clusters } = index.world;
  const areSetsRead =
    clusters.length > 0 &&
    !unreadSets([...relevantClusters(observed), ...clusters], options);
  return path !== undefined && areSetsRead
    ? verdict(TYPE, 'False', 'NoApplicationSet', { project: path })
    : undefined;
}

/** Why it is not known which sets there are in some clusters. */
function unreadSets(
  clusters: readonly ClusterReading[],
  options: Pick<PolicyContext, 'now' | 'settings'>,
): Verdict | undefined {
  return clusters
    .map(cluster => kindUnknown(TYPE, cluster, 'applicationSets', options))
    .find(found => found !== undefined);
}
