import { ApplicationFact } from '../model';

/**
 * The revision that people know an Application by: of several sources that of
 * the first one from a repository, since what a chart resolves to is a version
 * and no commit. A chart alone is known by its version.
 */
export function shownRevision({
  sources,
  sync,
}: ApplicationFact): string | undefined {
  const ofRepository = sync.revisions.find(
    (revision, position) =>
      revision !== '' && sources[position]?.chart === undefined,
  );
  return ofRepository ?? sync.revisions.find(revision => revision !== '');
}
