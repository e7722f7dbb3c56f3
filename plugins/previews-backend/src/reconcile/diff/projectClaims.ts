import { EntityLink } from '../claims';
import { Found, found } from './found';

/** Entities that name a project which they may not. */
export function projectClaims(links: readonly EntityLink[]): Found[] {
  return links.flatMap(({ entity: { entityRef }, problems }) =>
    problems
      .filter(({ reason }) => reason === 'ProjectClaimedFromElsewhere')
      .map(({ params }) =>
        found({
          type: 'ProjectClaimedFromElsewhere',
          subject: { kind: 'Entity', name: entityRef },
          identity: `${entityRef} ${params.project}`,
          params: { entity: entityRef, project: String(params.project) },
          restsOn: [{ kind: 'catalog' }],
        }),
      ),
  );
}
