import { DiffStory } from '../testing/DiffStory';
import { Story } from '../testing/Story';
import {
  at,
  generatedBy,
  HEAD,
  Json,
  NULL,
  ownedBy,
  WorldBuilder,
} from '../testing/world';

const MINUTE = 60;
const REQUEUE_SECONDS = 30 * MINUTE;

describe('a label that is taken away while the MR stays open', () => {
  const world = (labels: string[]) =>
    WorldBuilder.live()
      .applicationSet(
        generatedBy(
          { labels: ['preview'] },
          { requeueAfterSeconds: REQUEUE_SECONDS },
        ),
      )
      .mergeRequest({ labels });
  const lost = (now: string) =>
    new Story()
      .pass(world(['preview']))
      .pass(world([]), at(0))
      .pass(world([]), now);

  it('is told as the cause, and what the set will do about the environment', () => {
    const story = lost(at(20 * MINUTE));
    expect(story.preview().phase).toBe('TearingDown');
    expect(story.verdict('MergeRequestOpen')).toBe('True Opened');
    expect(story.condition('Selected')).toMatchObject({
      status: 'False',
      reason: 'LabelMissing',
      params: { labels: ['preview'], applicationSet: 'argocd/shop-previews' },
    });
    expect(story.condition('CleanedUp')).toMatchObject({
      status: 'False',
      reason: 'ApplicationLeft',
      params: { applications: ['preview-mr-7'], everySeconds: REQUEUE_SECONDS },
    });
  });

  it.each([
    ['within the interval in which the set looks', 20, 'TearingDown'],
    ['after one interval', 31, 'TearingDown'],
    ['just before two of them', 59, 'TearingDown'],
    ['after two of them', 61, 'Orphaned'],
  ])('%s, %d minutes later, it is %s', (_, minutes, phase) => {
    expect(lost(at(minutes * MINUTE)).preview().phase).toBe(phase);
  });

  it('and put back is no matter any more', () => {
    const story = lost(at(20 * MINUTE)).pass(
      world(['preview']),
      at(21 * MINUTE),
    );
    expect(story.preview().phase).toBe('Live');
    expect(story.memory().unwantedSince).toBeUndefined();
  });
});

describe('a branch that makes no valid name', () => {
  const BRANCH = 'release/1.2.x';
  const bySlug: Json = {
    spec: {
      template: {
        metadata: { name: 'shop-{{.branch_slug}}' },
        spec: { destination: { namespace: 'shop-{{.branch_slug}}' } },
      },
    },
  };

  it.each([
    'ApplicationValidationError',
    'UpdateApplicationError',
    'CreateApplicationError',
  ])('is a failure with the words of %s, and no Application', reason => {
    const message =
      'Application.argoproj.io "shop-release-1.2.x" is invalid: metadata.name: Invalid value: "shop-release/1.2.x"';
    const story = new Story().pass(
      WorldBuilder.empty()
        .applicationSet({
          ...bySlug,
          status: {
            conditions: [
              {
                type: 'ErrorOccurred',
                status: 'True',
                reason,
                message,
              },
            ],
          },
        })
        .mergeRequest({ source_branch: BRANCH }),
    );
    expect(story.preview()).toMatchObject({
      phase: 'Failed',
      applications: [],
      reason: { type: 'ApplicationGenerated', reason: 'ValidationError' },
    });
    expect(story.condition('ApplicationGenerated')?.params).toMatchObject({
      applicationSet: 'argocd/shop-previews',
      error: message,
    });
    expect(story.preview().message).toContain(message);
  });

  it.each(['shop-release-1-2-x', 'shop-release-1.2.x'])(
    'is joined to the Application %s, by the rule of an older or a newer Argo CD',
    name => {
      const story = new Story().pass(
        WorldBuilder.empty()
          .applicationSet(bySlug)
          .mergeRequest({ source_branch: BRANCH, sha: HEAD })
          .application({ metadata: { name } }),
      );
      expect(
        story.preview().applications.map(application => application.name),
      ).toEqual([name]);
    },
  );

  it('is a failed sync with what Kubernetes said of the namespace', () => {
    const message = 'Namespace "shop-release-1.2.x" is invalid';
    const story = new Story().pass(
      WorldBuilder.empty()
        .applicationSet(bySlug)
        .mergeRequest({ source_branch: BRANCH, sha: HEAD })
        .application({
          metadata: { name: 'shop-release-1.2.x' },
          spec: { destination: { namespace: 'shop-release-1.2.x' } },
          status: {
            sync: { status: 'OutOfSync' },
            operationState: {
              phase: 'Failed',
              message,
              startedAt: at(-MINUTE),
              finishedAt: at(-MINUTE),
            },
          },
        }),
    );
    expect(story.preview().phase).toBe('Failed');
    expect(story.condition('Synced')).toMatchObject({
      status: 'False',
      reason: 'SyncFailed',
    });
    expect(story.condition('Synced')?.message).toContain(message);
  });
});

describe('a Certificate in the namespace of an Application that is Healthy', () => {
  const MESSAGE = 'The certificate request has failed to complete';
  const certified = (status: Json | typeof NULL) =>
    WorldBuilder.live().certificate({ status });

  it('that failed is told with its message, and the row is not plainly live', () => {
    const story = new Story().pass(
      certified({
        conditions: [
          { type: 'Ready', status: 'False', reason: 'DoesNotExist' },
          {
            type: 'Issuing',
            status: 'False',
            reason: 'Failed',
            message: MESSAGE,
          },
        ],
        lastFailureTime: at(-MINUTE),
        failedIssuanceAttempts: 1,
      }),
    );
    const [application] = story.preview().applications;
    expect(application.health).toBe('Healthy');
    expect(story.condition('CertificateReady')?.status).toBe('False');
    expect(JSON.stringify(story.preview().certificates)).toContain(MESSAGE);
    expect(story.preview().phase).not.toBe('Live');
    expect(story.preview().reason).toMatchObject({ type: 'CertificateReady' });
  });

  it('that has no status yet is waited for', () => {
    const story = new Story().pass(certified(NULL));
    expect(story.condition('CertificateReady')?.status).toBe('False');
    expect(story.preview().phase).toBe('Securing');
  });
});

describe('a set that is deleted and made anew under another name', () => {
  const renamed = () =>
    WorldBuilder.live()
      .without('applicationSets')
      .applicationSet({ metadata: { name: 'shop-renamed' } });
  const going = () =>
    renamed().application({ metadata: { deletionTimestamp: at(10) } });
  const anew = () =>
    renamed()
      .without('applications')
      .application({
        metadata: {
          uid: 'app-anew',
          creationTimestamp: at(300),
          ownerReferences: [ownedBy('shop-renamed')],
        },
      });

  it('has no finding, whatever the order in which its Applications go and come', () => {
    const told = new DiffStory();
    for (const [world, seconds] of [
      [WorldBuilder.live(), 0],
      [renamed(), 5],
      [going(), 20],
      [going(), 290],
      [anew(), 310],
    ] as const) {
      told.pass(world, at(seconds));
      expect(told.types()).toEqual([]);
      expect(told.story.preview().phase).toBe('Live');
    }
    expect(told.story.verdict('ApplicationGenerated')).toBe('True Generated');
  });
});
