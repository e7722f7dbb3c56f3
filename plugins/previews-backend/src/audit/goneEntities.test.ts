import { EntityFact, World } from '../model';
import { Story } from '../testing/Story';
import { HOST, WorldBuilder } from '../testing/world';
import { goneEntities } from './goneEntities';

const { live } = WorldBuilder;

const REF = 'component:default/shop';

function gone(world: WorldBuilder, change: (world: World) => World = same) {
  const { links, basis } = new Story({ isClaimAllowed: () => false }).pass(
    world,
  ).result!;
  return goneEntities({
    checked: [REF],
    links,
    world: change(basis.index.world),
  });
}

function same(world: World): World {
  return world;
}

function unreadable(reference: string) {
  return (world: World): World => ({
    ...world,
    gitlab: world.gitlab.map(reading => ({
      ...reading,
      unreadable: [
        {
          reference,
          error: { reason: 'Forbidden', message: '', since: '' },
        },
      ],
    })),
  });
}

const withEntity = (entity: Partial<EntityFact> = {}) => live().entity(entity);
/** Nothing reads its project. */
const untracked = (entity: Partial<EntityFact> = {}) =>
  withEntity({ project: { host: HOST, path: 'group/idle' }, ...entity });

describe('an entity that was checked', () => {
  it.each<[string, () => string[]]>([
    ['is no more in the catalog', () => gone(live())],
    ['leads to nothing that anybody reads', () => gone(untracked())],
    [
      'names no project any more',
      () => gone(withEntity({ project: undefined })),
    ],
    [
      'may not claim its project any more',
      () => gone(withEntity({ ownGroup: { host: HOST, group: 'other' } })),
    ],
    [
      'names a host that is not read any more',
      () => gone(untracked({ project: { host: 'other', path: 'a/b' } })),
    ],
  ])('is gone when it %s', (_, found) => {
    expect(found()).toEqual([REF]);
  });

  it.each<[string, () => string[]]>([
    ['it has a project', () => gone(withEntity())],
    [
      'it names a set only',
      () =>
        gone(
          withEntity({
            project: undefined,
            applicationSets: [{ namespace: 'argocd', name: 'shop-previews' }],
          }),
        ),
    ],
    ['its project was not read yet', () => gone(untracked({ explicit: true }))],
    ['a project is not readable', () => gone(untracked(), unreadable('43'))],
    ['sets are not read', () => gone(untracked().unreadCluster())],
    [
      'the catalog is not read',
      () =>
        gone(live(), world => ({
          ...world,
          catalog: { ...world.catalog, state: 'failing' },
        })),
    ],
  ])('is not gone while %s', (_, found) => {
    expect(found()).toEqual([]);
  });
});
