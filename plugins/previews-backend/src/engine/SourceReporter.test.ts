import { mockServices } from '@backstage/backend-test-utils';
import { annotationProblem } from '@previews/backstage-plugin-previews-common';
import { EntityFact } from '../model';
import { EntityLink } from '../reconcile';
import { PreviewStore } from '../store';
import { at } from '../testing/world';
import { claimOf, SourceReporter } from './SourceReporter';
import { Sources } from './world';

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

describe('how far the writer is', () => {
  it.each([
    ['once in a while', [0, 1, 5, 6], [0, 5]],
    ['at once where the clock was set back', [3600, 0, 1], [3600, 0]],
  ])('is written %s', async (_, seconds, expected) => {
    const written: string[] = [];
    const reporter = new SourceReporter({
      store: {
        applyReconciled: async (_term: unknown, time: string) => {
          written.push(time);
        },
      } as unknown as PreviewStore,
      term: { holder: 'replica-a', epoch: 1 },
      sources: {} as Sources,
      unreadable: [],
      logger: mockServices.logger.mock(),
    });
    for (const second of seconds) {
      await reporter.reconciled(new Date(at(second)));
    }
    expect(written).toEqual(expected.map(second => at(second)));
  });
});
