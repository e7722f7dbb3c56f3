import { World } from '../model';
import { EntityLink } from '../reconcile';

/**
 * Which of the entities that were checked have no set-up any more. What is only not
 * read, such as after a start or while a source is down, is not gone.
 */
export function goneEntities(options: {
  checked: Iterable<string>;
  links: readonly EntityLink[];
  world: World;
}): string[] {
  const { links, world } = options;
  if (world.catalog.state !== 'ready') {
    return [];
  }
  const areSetsRead = world.clusters.every(({ kinds }) =>
    ['ready', 'notInstalled'].includes(kinds.applicationSets.state),
  );
  const staying = new Set(
    links
      .filter(link => hasSetUp(link) || !(areSetsRead && isRead(link, world)))
      .map(({ entity }) => entity.entityRef),
  );
  return [...options.checked].filter(ref => !staying.has(ref));
}

function hasSetUp({ project, applicationSets }: EntityLink): boolean {
  return project !== undefined || applicationSets.length > 0;
}

/** Whether the project would be known, were there a reason to read it. */
function isRead({ entity, problems }: EntityLink, world: World): boolean {
  if (problems.length > 0 || !entity.project) {
    return true;
  }
  const { host, path } = entity.project;
  const gitlab = world.gitlab.find(one => one.host === host);
  if (!gitlab) {
    return true;
  }
  return (
    !entity.explicit &&
    [...gitlab.projects.values()].every(({ state }) => state !== 'pending') &&
    // A set may name by its number what the entity names by its path.
    gitlab.unreadable.every(
      ({ reference }) => /\//.test(reference) && reference !== path,
    )
  );
}
