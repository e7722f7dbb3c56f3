import { Story } from '../../testing/Story';
import {
  at,
  controller,
  Json,
  MERGE_REQUEST,
  WorldBuilder,
} from '../../testing/world';

const { live } = WorldBuilder;

const WAITING: Json = {
  notAfter: null,
  revision: null,
  conditions: [
    {
      type: 'Ready',
      status: 'False',
      reason: 'DoesNotExist',
      message: 'Issuing certificate as Secret does not exist',
    },
    { type: 'Issuing', status: 'True', lastTransitionTime: at(-300) },
  ],
};

const issuing = () =>
  live().certificate({ status: WAITING }).certificateRequest().order();

/** What AWS says when the role may not write, with what differs from try to try. */
const denied = (session: number) => ({
  presented: false,
  reason: `failed to change Route 53 record set: AccessDenied: User: arn:aws:sts::111122223333:assumed-role/cert-manager/${session} is not authorized to perform: route53:ChangeResourceRecordSets on resource: arn:aws:route53:::hostedzone/Z0EXAMPLE\n\tstatus code: 403, request id: 8f3f6f0e-1f2b-4c1d-9a52-00000000000${
    session % 10
  }`,
});

describe('a Healthy Application whose certificate failed', () => {
  const failed = () =>
    live().certificate({
      status: {
        ...WAITING,
        lastFailureTime: at(-600),
        failedIssuanceAttempts: 1,
        conditions: [
          { type: 'Ready', status: 'False', reason: 'DoesNotExist' },
          {
            type: 'Issuing',
            status: 'False',
            reason: 'Failed',
            message: 'The certificate request has failed: no good',
          },
        ],
      },
    });

  it('is not plainly green, and tells why', () => {
    const story = new Story().pass(failed());
    expect(story.preview()).toMatchObject({
      phase: 'Failed',
      reason: { type: 'CertificateReady', reason: 'IssuanceFailed' },
      certificates: [
        {
          name: 'shop-tls',
          state: 'failed',
          retryAt: at(3000),
          message: expect.stringContaining('no good'),
        },
      ],
    });
  });

  it('is on its way, not fine, where the certificate has no status yet', () => {
    const story = new Story().pass(live().certificate({ status: null }));
    expect(story.preview()).toMatchObject({
      phase: 'Securing',
      certificates: [{ state: 'waiting' }],
    });
  });
});

describe('an error that is told anew with every try', () => {
  it('makes neither a row nor a timeline flicker', () => {
    const at2 = (session: number) =>
      issuing().challenge({ status: denied(session) });
    const story = new Story().pass(at2(1), at(0));
    const { params, since } = story.condition('CertificateReady')!;
    expect(params).toEqual({
      certificate: 'shop-tls',
      host: 'mr-7.preview.example.com',
      action: 'route53:ChangeResourceRecordSets',
      zone: 'Z0EXAMPLE',
    });
    for (const session of [2, 3, 4, 5]) {
      story.pass(at2(session), at(session));
      expect(story.decision().unchanged).toBe(true);
      expect(story.condition('CertificateReady')).toMatchObject({ since });
    }
  });

  it('names no identity of the account anywhere in what is stored', () => {
    const story = new Story().pass(issuing().challenge({ status: denied(1) }));
    expect(JSON.stringify(story.decision().change)).not.toMatch(
      /arn:aws|111122223333|assumed-role|8f3f6f0e/,
    );
  });
});

describe('the chain of a certificate', () => {
  it('is shown from the Certificate down to its Challenges', () => {
    const story = new Story().pass(
      issuing().challenge({ status: { reason: 'AccessDenied' } }),
    );
    expect(story.preview().certificates[0].chain).toEqual([
      {
        kind: 'Certificate',
        name: 'shop-tls',
        status: 'waiting',
        state: 'DoesNotExist',
        reason: 'Issuing certificate as Secret does not exist',
        since: at(-1200),
      },
      {
        kind: 'CertificateRequest',
        name: 'shop-tls-1',
        status: 'waiting',
        state: 'Pending',
        reason: expect.stringContaining('Waiting on certificate issuance'),
        since: at(-300),
      },
      {
        kind: 'Order',
        name: 'shop-tls-1-100',
        status: 'waiting',
        state: 'pending',
        since: at(-290),
      },
      {
        kind: 'Challenge',
        name: 'shop-tls-1-100-200',
        status: 'waiting',
        state: 'pending',
        reason: 'AccessDenied',
        host: 'mr-7.preview.example.com',
        type: 'DNS-01',
        since: at(-280),
      },
    ]);
  });

  it('tells what failed and what is done', () => {
    const statuses = (world: WorldBuilder) =>
      new Story()
        .pass(world)
        .preview()
        .certificates[0].chain!.map(({ status }) => status);
    expect(
      statuses(
        live()
          .certificateRequest({
            status: {
              conditions: [{ type: 'Ready', status: 'True', reason: 'Issued' }],
            },
          })
          .order({ status: { state: 'valid' } }),
      ),
    ).toEqual(['done', 'done', 'done']);
    expect(
      statuses(
        issuing()
          .certificate({
            status: {
              conditions: [
                { type: 'Ready', status: 'False' },
                { type: 'Issuing', status: 'False' },
              ],
            },
          })
          .certificateRequest({
            status: {
              conditions: [
                { type: 'Ready', status: 'False', reason: 'Failed' },
              ],
            },
          })
          .order({ status: { state: 'invalid' } })
          .challenge({ status: { state: 'invalid' } }),
      ),
    ).toEqual(['failed', 'failed', 'failed', 'failed']);
  });

  it('takes nothing from another namespace, whatever it calls its owner', () => {
    const story = new Story().pass(
      issuing()
        .challenge()
        .order({
          metadata: { namespace: 'somewhere', name: 'forged' },
          status: { state: 'errored', reason: 'forged' },
        })
        .challenge({
          metadata: { namespace: 'somewhere', name: 'forged-too' },
          status: { reason: 'forged' },
        })
        .acmeEvent({
          metadata: { namespace: 'somewhere', name: 'forged' },
          message: 'forged',
        }),
    );
    expect(story.verdict('CertificateReady')).toBe('False ChallengePending');
  });
});

describe('what is of another issue', () => {
  it('is not taken from another cluster, whatever it calls its owner', () => {
    const world = issuing().cluster({ cluster: 'other' });
    const story = new Story().pass(
      world
        .certificateRequest(
          {
            status: {
              conditions: [
                { type: 'Denied', status: 'True', message: 'elsewhere' },
              ],
            },
          },
          'other',
        )
        .order({ status: { state: 'errored', reason: 'elsewhere' } }, 'other')
        .challenge({ status: { reason: 'elsewhere' } }, 'other')
        .acmeEvent({ message: 'elsewhere' }, 'other'),
    );
    expect(story.verdict('CertificateReady')).toBe('False Issuing');
    expect(JSON.stringify(story.preview())).not.toContain('elsewhere');
  });

  it.each([
    [
      'belongs to the Order of a neighbour',
      [controller('Order', 'other', 'order-other')],
    ],
    [
      'names the Order without being controlled by it',
      [
        {
          kind: 'Order',
          name: 'shop-tls-1-100',
          uid: 'order-shop-tls-1-100',
        },
      ],
    ],
    ['belongs to nothing', []],
  ])('is not taken from a Challenge that %s', (_, ownerReferences) => {
    const story = new Story().pass(
      issuing().challenge({
        metadata: { ownerReferences },
        status: { presented: false, reason: 'AccessDenied' },
      }),
    );
    expect(story.verdict('CertificateReady')).toBe('False Issuing');
  });

  it('is not taken from an earlier revision once that was issued again', () => {
    const story = new Story().pass(
      live()
        .certificate({ status: { revision: 2 } })
        .certificateRequest({
          status: {
            conditions: [{ type: 'Ready', status: 'False', reason: 'Failed' }],
          },
        })
        .order({ status: { state: 'errored', reason: 'long ago' } })
        .challenge({ status: { state: 'invalid', reason: 'long ago' } }),
    );
    expect(story.verdict('CertificateReady')).toBe('True Ready');
    expect(JSON.stringify(story.preview())).not.toContain('long ago');
  });
});

describe('a certificate that serves several previews', () => {
  it('is listed as shared, with what it is for', () => {
    const story = new Story().pass(
      live()
        .without('certificates')
        .certificate({
          metadata: { name: 'previews', namespace: 'gateways' },
          spec: { secretName: 'wildcard', dnsNames: ['*.preview.example.com'] },
        }),
    );
    expect(story.preview().certificates).toMatchObject([
      {
        namespace: 'gateways',
        name: 'previews',
        hosts: ['*.preview.example.com'],
        wildcard: true,
        shared: true,
        state: 'ready',
      },
    ]);
  });

  it('that fails is told in each of them by the same words', () => {
    const story = new Story().pass(
      live()
        .mergeRequest({ iid: 8, source_branch: 'feature/other' })
        .application({ metadata: { name: 'preview-mr-8' } })
        .namespace({ metadata: { name: 'preview-mr-8' } })
        .httpRoute({
          metadata: { name: 'shop', namespace: 'preview-mr-8' },
          spec: { hostnames: ['mr-8.preview.example.com'] },
        })
        .without('certificates')
        .certificate({
          metadata: { name: 'previews', namespace: 'gateways' },
          spec: { secretName: 'wildcard', dnsNames: ['*.preview.example.com'] },
          status: { notAfter: at(-60) },
        }),
    );
    const told = [7, 8].map(iid =>
      story.condition('CertificateReady', { ...MERGE_REQUEST, iid }),
    );
    expect(told[0]).toMatchObject({ reason: 'Expired' });
    expect(told[1]).toMatchObject({
      reason: 'Expired',
      message: told[0]!.message,
    });
  });

  it('is not left behind when the preview goes', () => {
    const story = new Story().pass(
      live()
        .mergeRequest({ state: 'closed', closed_at: at(-60) })
        .without([
          'applications',
          'namespaces',
          'httpRoutes',
          'certificates',
          'deployments',
          'replicaSets',
          'pods',
        ])
        .certificate({
          metadata: { name: 'previews', namespace: 'gateways' },
          spec: { secretName: 'wildcard' },
        }),
    );
    expect(story.verdict('CleanedUp')).not.toBe('False ResourcesLeft');
  });
});

describe('time alone', () => {
  it.each([
    [
      'a Challenge waits too long',
      () => issuing().challenge({ metadata: { creationTimestamp: at(-900) } }),
      at(-900 + 1800),
    ],
    [
      'an issue takes too long',
      () => live().certificate({ status: WAITING }),
      at(-300 + 1800),
    ],
    [
      'a renewal is overdue',
      () => live().certificate({ status: { renewalTime: at(60) } }),
      at(60 + 3600),
    ],
  ])('lets a preview be looked at again when %s', (_, world, expected) => {
    expect(new Story().pass(world()).decision().lookAgainAt).toBe(expected);
  });

  it('turns a wait into a blocked Challenge at the limit that is set', () => {
    const story = new Story({
      settings: { challengeBlockedAfterSeconds: 600 },
    });
    story.pass(issuing().challenge(), at(0));
    expect(story.verdict('CertificateReady')).toBe('False ChallengePending');
    story.pass(issuing().challenge(), at(600));
    expect(story.verdict('CertificateReady')).toBe('False ChallengeStuck');
    expect(story.changes()).toContain('CertificateReady False->False');
  });
});

describe('what a host is called', () => {
  it('is the route’s, in the summary with its sentence', () => {
    const story = new Story().pass(
      live().gateway({
        status: {
          listeners: [
            {
              name: 'https',
              conditions: [{ type: 'Programmed', status: 'Unknown' }],
            },
          ],
        },
      }),
    );
    expect(story.preview().routes).toMatchObject([
      {
        kind: 'HTTPRoute',
        accepted: 'False',
        reason: 'ListenerPending',
        params: { listener: 'https' },
        message:
          'HTTPRoute shop waits until the listener https of Gateway gateways/public is programmed.',
      },
    ]);
  });
});
