import { annotationProblem } from '@previews/backstage-plugin-previews-common';
import { EntityFact } from '../model';
import { EntityLink } from '../reconcile';
import { claimOf } from './SourceReporter';

const entity = (patch: Partial<EntityFact> = {}): EntityFact => ({
  entityRef: 'component:default/shop',
  project: { host: 'gitlab.example.com', path: 'group/shop' },
  applicationSets: [],
  explicit: false,
  problems: [],
  ...patch,
});

const project = { host: 'gitlab.example.com', path: 'group/shop', id: 42 };

describe('what is stored of an entity’s annotations', () => {
  it.each<[string, Omit<EntityLink, 'isAnySetUnread'>, boolean]>([
    [
      'a project that was read',
      { entity: entity(), project, applicationSets: [], problems: [] },
      false,
    ],
    [
      'a project that was not read yet',
      { entity: entity(), applicationSets: [], problems: [] },
      true,
    ],
    [
      'a set that was not read yet',
      {
        entity: entity({
          project: undefined,
          applicationSets: [{ namespace: 'argocd', name: 'shop-previews' }],
        }),
        applicationSets: [],
        problems: [],
      },
      true,
    ],
    [
      'a project that is known not to be there',
      {
        entity: entity(),
        applicationSets: [],
        problems: [
          annotationProblem({
            annotation: 'gitlab.com/project-slug',
            reason: 'ProjectNotFound',
            params: { project: 'group/shop', host: 'gitlab.example.com' },
          }),
        ],
      },
      false,
    ],
    [
      'nothing',
      {
        entity: entity({ project: undefined }),
        applicationSets: [],
        problems: [],
      },
      false,
    ],
  ])('says of %s whether it is still unread', (_, link, unread) => {
    const claim = claimOf({ ...link, isAnySetUnread: false }, []);
    expect(claim.unread ?? false).toBe(unread);
  });
});
