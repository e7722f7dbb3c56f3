import { Story } from '../testing/Story';
import { at, Json, routeParent, WorldBuilder } from '../testing/world';

const { live } = WorldBuilder;

/** What AWS says to whoever may not do something; an image that may not be pulled is told so too. */
const DENIED =
  'AccessDenied: User: arn:aws:sts::111122223333:assumed-role/node/i-0a1b2c3d is not authorized to perform: ecr:BatchGetImage on resource: arn:aws-cn:ecr:eu-central-1:111122223333:repository/shop with AKIAIOSFODNN7EXAMPLE';

const IDENTITY = /arn:aws|111122223333|assumed-role|AKIA/;

const failing: Json = {
  notAfter: null,
  revision: null,
  lastFailureTime: at(-600),
  conditions: [
    { type: 'Ready', status: 'False', reason: 'DoesNotExist' },
    { type: 'Issuing', status: 'False', reason: 'Failed', message: DENIED },
  ],
};

const pending: Json = {
  notAfter: null,
  revision: null,
  conditions: [
    { type: 'Ready', status: 'False', reason: 'DoesNotExist' },
    { type: 'Issuing', status: 'True', lastTransitionTime: at(-300) },
  ],
};

const issuing = () => live().certificate({ status: pending });
const ordered = () => issuing().certificateRequest().order();

const unready = (state: Json) =>
  live()
    .deployment({ status: { readyReplicas: 0, availableReplicas: 0 } })
    .pod({
      status: {
        phase: 'Pending',
        conditions: [{ type: 'Ready', status: 'False' }],
        containerStatuses: [{ name: 'shop', ready: false, state }],
      },
    });

const closed = () =>
  live()
    .mergeRequest({ state: 'closed', closed_at: at(-3600) })
    .without(['deployments', 'replicaSets', 'pods', 'certificates']);

/** Where it is said, and of which condition it is told then. */
const CASES: [string, () => WorldBuilder, string][] = [
  [
    'a Certificate',
    () => live().certificate({ status: failing }),
    'CertificateReady',
  ],
  [
    'a CertificateRequest',
    () =>
      issuing().certificateRequest({
        status: {
          conditions: [
            {
              type: 'Ready',
              status: 'False',
              reason: 'Failed',
              message: DENIED,
            },
          ],
        },
      }),
    'CertificateReady',
  ],
  [
    'an Order',
    () => ordered().order({ status: { state: 'invalid', reason: DENIED } }),
    'CertificateReady',
  ],
  [
    'a Challenge that failed',
    () => ordered().challenge({ status: { state: 'invalid', reason: DENIED } }),
    'CertificateReady',
  ],
  [
    'an Event of a Challenge',
    () =>
      ordered()
        .challenge({ status: { presented: false } })
        .acmeEvent({
          message:
            'Error presenting challenge: no answer of arn:aws:lambda:eu-central-1:111122223333:function:dns',
        }),
    'CertificateReady',
  ],
  [
    'an issuer',
    () =>
      issuing().clusterIssuer({
        status: {
          conditions: [{ type: 'Ready', status: 'False', message: DENIED }],
        },
      }),
    'CertificateReady',
  ],
  [
    'a route',
    () =>
      live().httpRoute({
        status: {
          parents: [
            routeParent({
              accepted: {
                status: 'False',
                reason: 'UnsupportedValue',
                message: DENIED,
              },
            }),
          ],
        },
      }),
    'RouteAccepted',
  ],
  [
    'a listener',
    () =>
      live().gateway({
        status: {
          listeners: [
            {
              name: 'https',
              conditions: [
                { type: 'Programmed', status: 'False' },
                { type: 'ResolvedRefs', status: 'False', message: DENIED },
              ],
            },
          ],
        },
      }),
    'RouteAccepted',
  ],
  [
    'a pod whose image may not be pulled',
    () =>
      unready({
        waiting: { reason: 'CreateContainerError', message: DENIED },
      }),
    'Available',
  ],
  [
    'a sync',
    () =>
      live().application({
        status: {
          sync: { status: 'OutOfSync' },
          operationState: {
            phase: 'Failed',
            message: DENIED,
            syncResult: {
              resources: [
                {
                  kind: 'Role',
                  name: 'shop',
                  status: 'SyncFailed',
                  message: DENIED,
                },
              ],
            },
          },
        },
      }),
    'Synced',
  ],
  [
    'the deletion of an Application',
    () =>
      closed().application({
        metadata: { deletionTimestamp: at(-60) },
        status: { conditions: [{ type: 'DeletionError', message: DENIED }] },
      }),
    'CleanedUp',
  ],
  [
    'a namespace that stays',
    () =>
      closed()
        .without(['applications', 'httpRoutes'])
        .namespace({
          metadata: { deletionTimestamp: at(-3600) },
          status: {
            phase: 'Terminating',
            conditions: [
              {
                type: 'NamespaceDeletionContentFailure',
                status: 'True',
                message: DENIED,
              },
            ],
          },
        }),
    'CleanedUp',
  ],
];

describe('an identity of a cloud’s account', () => {
  it.each(CASES)(
    'that %s tells is kept out of all that is stored',
    (...one) => {
      const [, world, type] = one;
      const story = new Story().pass(live(), at(-60)).pass(world());
      const { stored, transitions } = story.decision().change;
      const told = story
        .preview()
        .conditions.find(condition => condition.type === type)?.message;
      expect(told).toMatch(/redacted/);
      expect(JSON.stringify([stored, transitions])).not.toMatch(IDENTITY);
    },
  );
});
