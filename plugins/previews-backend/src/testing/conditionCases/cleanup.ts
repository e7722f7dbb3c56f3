import { at, Json, NULL, ownershipRecord, WorldBuilder } from '../world';
import { ConditionCase } from './types';

const { live } = WorldBuilder;

/** The MR is closed, so that no set wants it any more. */
const closed = () =>
  live().mergeRequest({ state: 'closed', closed_at: at(-3600) });

const deleting =
  (metadata: Json, status: Json = {}) =>
  () =>
    closed().application({
      metadata: { deletionTimestamp: at(-60), ...metadata },
      status,
    });

const noApplication = () =>
  closed().without([
    'applications',
    'deployments',
    'replicaSets',
    'pods',
    'certificates',
    'httpRoutes',
  ]);

const terminating =
  (metadata: Json, conditions: Json[] = []) =>
  () =>
    noApplication().namespace({
      metadata: { deletionTimestamp: at(-60), ...metadata },
      status: { phase: 'Terminating', conditions },
    });

const OLDER = { metadata: { creationTimestamp: at(-9 * 86_400) } };

/** A route that outlives its Application in a namespace that is not the preview's own. */
const trackedRoute = (world: () => WorldBuilder, name = 'shop') =>
  world()
    .namespace(OLDER)
    .httpRoute({
      metadata: {
        annotations: {
          'argocd.argoproj.io/tracking-id': `preview-mr-7:gateway.networking.k8s.io/HTTPRoute:preview-mr-7/${name}`,
        },
      },
    });

/** A Deployment that says what Argo CD tracks it for, in a namespace that is not the preview's own. */
const trackedDeployment = (
  world: () => WorldBuilder,
  tracking = 'preview-mr-7:apps/Deployment:preview-mr-7/shop',
) =>
  world()
    .namespace(OLDER)
    .deployment({
      metadata: {
        name: 'shop',
        annotations: { 'argocd.argoproj.io/tracking-id': tracking },
      },
    });

const MR_HOST = 'mr-7.preview.example.com';
const MR_ADDRESS = `A ${MR_HOST}`;

/** All but what a zone of DNS has, ten minutes after it went. */
const inDns = (
  sets: readonly (string | Json)[],
  options: Parameters<WorldBuilder['dnsZone']>[1] = {},
  others: (world: WorldBuilder) => WorldBuilder = world => world,
): Pick<ConditionCase, 'before' | 'between' | 'world'> => {
  const before = () => live().dnsZone(sets, { domain: options.domain });
  const gone = () => others(noApplication().without('namespaces'));
  return {
    before: () => others(before()),
    between: {
      world: () => gone().dnsZone(sets, { domain: options.domain }),
      secondsBefore: 600,
    },
    world: () => gone().dnsZone(sets, options),
  };
};

/** All else went since the last pass, and the zone was read with nothing, or not. */
const inDnsAtOnce = (options: Parameters<WorldBuilder['dnsZone']>[1]) => ({
  before: () => live().dnsZone(),
  world: () => noApplication().without('namespaces').dnsZone([], options),
});

const erring = (reason: string) => ({
  status: {
    conditions: [
      {
        type: 'ErrorOccurred',
        status: 'True',
        reason,
        message: 'no such project',
      },
    ],
  },
});

export const cleanedUp: ConditionCase[] = [
  {
    title: 'it does not apply while the MR is wanted',
    world: live,
    expected: undefined,
  },
  {
    title: 'it does not apply to an MR that never had anything',
    world: () => WorldBuilder.open().mergeRequest({ labels: [] }),
    expected: undefined,
  },
  {
    title: 'an Application that nobody deletes yet is left',
    world: closed,
    expected: 'False ApplicationLeft',
    params: { applications: ['preview-mr-7'], everySeconds: 60 },
  },
  ...[
    'ApplicationGenerationFromParamsError',
    'CreateApplicationError',
    'UpdateApplicationError',
    'DeleteApplicationError',
  ].map(
    (reason): ConditionCase => ({
      title: `an Application that its erring set does not delete names the error (${reason})`,
      world: () => closed().applicationSet(erring(reason)),
      expected: 'False FrozenByGenerator',
      params: {
        application: 'preview-mr-7',
        applicationSet: 'argocd/shop-previews',
        error: 'no such project',
      },
    }),
  ),
  {
    title:
      'an Application is left where the set rejects another and deletes on',
    world: () => closed().applicationSet(erring('ApplicationValidationError')),
    expected: 'False ApplicationLeft',
  },
  ...['create-only', 'create-update'].map(
    (applicationsSync): ConditionCase => ({
      title: `an Application that its set never deletes is kept (${applicationsSync})`,
      world: () =>
        closed().applicationSet({ spec: { syncPolicy: { applicationsSync } } }),
      expected: 'False ApplicationKept',
      params: {
        application: 'preview-mr-7',
        applicationSet: 'argocd/shop-previews',
      },
    }),
  ),
  ...['create-delete', 'sync'].map(
    (applicationsSync): ConditionCase => ({
      title: `an Application that its set deletes in time is left (${applicationsSync})`,
      world: () =>
        closed().applicationSet({ spec: { syncPolicy: { applicationsSync } } }),
      expected: 'False ApplicationLeft',
    }),
  ),
  {
    title: 'an Application that its set left when it went is kept',
    before: live,
    world: () =>
      closed()
        .without('applicationSets')
        .application({ metadata: { ownerReferences: NULL } }),
    expected: 'False ApplicationKept',
    params: { application: 'preview-mr-7' },
  },
  {
    title: 'an Application that is being deleted is waited for',
    world: deleting({}),
    expected: 'False ApplicationDeleting',
    params: { application: 'preview-mr-7', since: at(-60) },
  },
  {
    title: 'a deletion that takes too long is stuck, with its finalizers',
    world: deleting({ deletionTimestamp: at(-3600) }),
    expected: 'False ApplicationDeletionStuck',
    params: { finalizers: ['resources-finalizer.argocd.argoproj.io'] },
  },
  {
    title: 'a deletion that reports an error is stuck at once, with the error',
    world: deleting(
      {},
      { conditions: [{ type: 'DeletionError', message: 'no such cluster' }] },
    ),
    expected: 'False ApplicationDeletionStuck',
    params: { error: 'no such cluster' },
  },
  {
    title: 'a sync that still runs is told as what blocks the deletion',
    world: deleting(
      { deletionTimestamp: at(-14 * 86_400) },
      { operationState: { phase: 'Running' } },
    ),
    expected: 'False OperationBlocksDeletion',
    params: { since: at(-14 * 86_400) },
  },
  {
    title: 'its own namespace that is active is left',
    before: live,
    world: noApplication,
    expected: 'False NamespaceLeft',
    params: { namespace: 'preview-mr-7' },
  },
  {
    title: 'its own namespace that is terminating is waited for',
    before: live,
    world: terminating({}),
    expected: 'False NamespaceTerminating',
    params: { namespace: 'preview-mr-7', since: at(-60) },
  },
  {
    title: 'a namespace whose finalizers remain too long is stuck, naming them',
    before: live,
    world: terminating({ deletionTimestamp: at(-3600) }, [
      {
        type: 'NamespaceFinalizersRemaining',
        status: 'True',
        message:
          'Some content in the namespace has finalizers remaining: example.com/one in 2 resource instances, example.com/two in 1 resource instances',
      },
      {
        type: 'NamespaceContentRemaining',
        status: 'True',
        message:
          'Some resources are remaining: pods. has 2 resource instances, widgets.example.com has 1 resource instances',
      },
    ]),
    expected: 'False FinalizerStuck',
    params: {
      finalizers: ['example.com/one (2)', 'example.com/two (1)'],
      resources: ['pods (2)', 'widgets.example.com (1)'],
    },
    message:
      'The namespace preview-mr-7 has been stuck in termination since 2026-11-29 11:00 UTC (example.com/one (2) and example.com/two (1); pods (2) and widgets.example.com (1)); whoever runs the cluster has to free what holds it: Some content in the namespace has finalizers remaining: example.com/one in 2 resource instances, example.com/two in 1 resource instances.',
  },
  {
    title:
      'a namespace that Challenges hold names their finalizer, count and cause',
    before: live,
    world: () =>
      terminating({ deletionTimestamp: at(-3600) }, [
        {
          type: 'NamespaceContentRemaining',
          status: 'True',
          message:
            'Some resources are remaining: challenges.acme.cert-manager.io has 2 resource instances',
        },
        {
          type: 'NamespaceFinalizersRemaining',
          status: 'True',
          message:
            'Some content in the namespace has finalizers remaining: finalizer.acme.cert-manager.io in 2 resource instances',
        },
      ])().challenge({
        metadata: { deletionTimestamp: at(-3600) },
        status: {
          reason:
            'error cleaning up challenge: unable to assume role: AccessDenied: User: arn:aws:iam::111122223333:user/ci is not authorized to perform: sts:AssumeRole',
        },
      }),
    expected: 'False ChallengeFinalizerStuck',
    params: {
      namespace: 'preview-mr-7',
      finalizer: 'finalizer.acme.cert-manager.io',
      count: 2,
    },
    message:
      'The namespace preview-mr-7 has been stuck in termination since 2026-11-29 11:00 UTC: 2 Challenges keep the finalizer finalizer.acme.cert-manager.io, as cert-manager cannot remove the DNS record; whoever runs the platform has to give it access again or take the finalizer away: error cleaning up challenge: unable to assume role: AccessDenied: User: [redacted] is not authorized to perform: sts:AssumeRole.',
  },
  {
    title:
      'a namespace whose content cannot be deleted is stuck without finalizers',
    before: live,
    world: terminating({ deletionTimestamp: at(-3600) }, [
      {
        type: 'NamespaceDeletionContentFailure',
        status: 'True',
        message: 'conversion webhook failed',
      },
    ]),
    expected: 'False FinalizerStuck',
    params: { error: 'conversion webhook failed' },
  },
  {
    title:
      'a namespace that stays without a condition that is true is stuck, and says so',
    before: live,
    world: terminating({ deletionTimestamp: at(-3600) }, [
      {
        type: 'NamespaceFinalizersRemaining',
        status: 'False',
        message: 'All content-preserving finalizers finished',
      },
    ]),
    expected: 'False NamespaceStuck',
    message:
      'The namespace preview-mr-7 has been terminating since 2026-11-29 11:00 UTC, and none of its conditions tells what blocks it; whoever runs the cluster can see what is left in it.',
  },
  {
    title: 'conditions with status False do not make it stuck before its time',
    before: live,
    world: terminating({}, [
      {
        type: 'NamespaceDeletionDiscoveryFailure',
        status: 'False',
        message: 'All resources successfully discovered',
      },
    ]),
    expected: 'False NamespaceTerminating',
    message:
      'The namespace preview-mr-7 has been terminating since 2026-11-29 11:59 UTC; it goes when all in it is gone.',
  },
  {
    title: 'a namespace that Challenges hold by the finalizer of today is told',
    before: live,
    world: () =>
      terminating({ deletionTimestamp: at(-3600) }, [
        {
          type: 'NamespaceFinalizersRemaining',
          status: 'True',
          message:
            'Some content in the namespace has finalizers remaining: acme.cert-manager.io/finalizer in 2 resource instances, finalizer.acme.cert-manager.io in 1 resource instances',
        },
      ])().challenge({
        metadata: {
          deletionTimestamp: at(-3600),
          finalizers: ['acme.cert-manager.io/finalizer'],
        },
        status: { reason: 'Error cleaning up challenge: found no zones' },
      }),
    expected: 'False ChallengeFinalizerStuck',
    params: {
      finalizer: 'acme.cert-manager.io/finalizer',
      count: 3,
      error: 'Error cleaning up challenge: found no zones',
    },
  },
  {
    title:
      'what the status of a Challenge in the way hides is read from its Event',
    before: live,
    world: () =>
      terminating({ deletionTimestamp: at(-3600) }, [
        {
          type: 'NamespaceFinalizersRemaining',
          status: 'True',
          message:
            'Some content in the namespace has finalizers remaining: finalizer.acme.cert-manager.io in 1 resource instances',
        },
      ])()
        .challenge({
          metadata: { deletionTimestamp: at(-3600) },
          status: {
            reason:
              'error cleaning up challenge: failed to change Route 53 record set: <redacted AWS SDK error: http.ResponseError: see events and logs for details>',
          },
        })
        .acmeEvent({
          reason: 'CleanUpError',
          message:
            'Error cleaning up challenge: failed to change Route 53 record set: api error AccessDenied: User: arn:aws:sts::111122223333:assumed-role/cert-manager/1700000000000000001 is not authorized to perform: route53:ChangeResourceRecordSets',
        })
        .acmeEvent({
          metadata: { name: 'presented-before' },
          message: 'Error presenting challenge: found no zones',
          lastTimestamp: at(-30),
        }),
    expected: 'False ChallengeFinalizerStuck',
    params: {
      count: 1,
      error:
        'Error cleaning up challenge: failed to change Route 53 record set: api error AccessDenied: User: [redacted] is not authorized to perform: route53:ChangeResourceRecordSets',
    },
  },
  {
    title:
      'a namespace that is older than the MR is not the preview’s to clean',
    before: () =>
      live().namespace({ metadata: { creationTimestamp: at(-9 * 86_400) } }),
    world: () =>
      noApplication().namespace({
        metadata: { creationTimestamp: at(-9 * 86_400) },
      }),
    expected: 'True NothingLeft',
  },
  {
    title: 'what Argo CD tracked for it in a shared namespace is left',
    before: () => trackedRoute(live),
    world: () => trackedRoute(noApplication),
    expected: 'False ResourcesLeft',
    params: { namespace: 'preview-mr-7', resources: ['HTTPRoute shop'] },
  },
  {
    title: 'what still runs of it in a shared namespace is left',
    before: () => trackedDeployment(live),
    world: () => trackedDeployment(noApplication),
    expected: 'False ResourcesLeft',
    params: { namespace: 'preview-mr-7', resources: ['Deployment shop'] },
  },
  ...[
    'preview-mr-8:apps/Deployment:preview-mr-7/shop',
    'preview-mr-7:apps/Deployment:preview-mr-7/another',
  ].map(
    (tracking): ConditionCase => ({
      title: `what runs there for others is not (${tracking})`,
      before: () => trackedDeployment(live, tracking),
      world: () => trackedDeployment(noApplication, tracking),
      expected: 'True NothingLeft',
    }),
  ),
  {
    title: 'nothing left is not said while what may run there is unread',
    before: () => trackedDeployment(live),
    world: () =>
      trackedDeployment(noApplication)
        .without('deployments')
        .kindReading('deployments', {
          state: 'failing',
          completeAt: at(-3600),
        }),
    expected: 'Unknown SourceUnavailable',
  },
  {
    title: 'a copied tracking id in a shared namespace is none of its own',
    before: () => trackedRoute(live, 'another'),
    world: () => trackedRoute(noApplication, 'another'),
    expected: 'True NothingLeft',
  },
  {
    title: 'nothing is left once Application and namespace are gone',
    before: live,
    world: () => noApplication().without('namespaces'),
    expected: 'True NothingLeft',
  },
  {
    title: 'nothing left is not said while Applications are unread',
    before: live,
    world: () =>
      noApplication()
        .without('namespaces')
        .kindReading('applications', {
          state: 'failing',
          completeAt: at(-3600),
        }),
    expected: 'Unknown SourceUnavailable',
  },
  {
    title: 'nothing left is not said while namespaces are unread',
    before: live,
    world: () =>
      noApplication()
        .without('namespaces')
        .kindReading('namespaces', { state: 'forbidden' }),
    expected: 'Unknown KindForbidden',
  },
  {
    title: 'namespaces that nothing reads do not hold the end up',
    before: () => live().argocdOnly(),
    world: () => noApplication().argocdOnly(),
    expected: 'True NothingLeft',
  },
  {
    title: 'a cluster that it was never in does not hold the end up',
    before: live,
    world: () =>
      noApplication()
        .without('namespaces')
        .cluster({ cluster: 'other' })
        .unreadCluster('other'),
    expected: 'True NothingLeft',
  },
  {
    title:
      'an Application in a reading that is too old is not known to be left',
    before: closed,
    world: () =>
      closed()
        .without('namespaces')
        .kindReading('applications', {
          state: 'failing',
          completeAt: at(-3600),
        }),
    expected: 'Unknown SourceUnavailable',
  },
  {
    title: 'a record that no external-dns says it made is left, and says so',
    ...inDns([MR_ADDRESS]),
    expected: 'False DnsRecordLeft',
    params: { unowned: [MR_ADDRESS] },
    message:
      'Records are left in DNS: A mr-7.preview.example.com without a record of ownership, so that no external-dns removes what is there; whoever manages the zone has to delete them.',
  },
  {
    title: 'records that some external-dns owns are left with its name',
    ...inDns([MR_ADDRESS, ownershipRecord(`a-${MR_HOST}`, { owner: 'old' })]),
    expected: 'False DnsRecordLeft',
    params: {
      owned: [
        `${MR_ADDRESS} (external-dns/owner=old)`,
        `TXT a-${MR_HOST} (external-dns/owner=old)`,
      ],
    },
    message:
      'Records are left in DNS: A mr-7.preview.example.com (external-dns/owner=old) and TXT a-mr-7.preview.example.com (external-dns/owner=old), which their owner has not removed; whoever manages the zone has to delete them.',
  },
  {
    title: 'a record of ownership that outlives its record is left',
    ...inDns([ownershipRecord(`cname-${MR_HOST}`)]),
    expected: 'False DnsRecordLeft',
    params: { owned: [`TXT cname-${MR_HOST} (external-dns/owner=edge)`] },
  },
  {
    title: 'the answer to a challenge is left',
    ...inDns([`TXT _acme-challenge.${MR_HOST}`]),
    expected: 'False DnsRecordLeft',
    params: { unowned: [`TXT _acme-challenge.${MR_HOST}`] },
    message:
      'Records are left in DNS: TXT _acme-challenge.mr-7.preview.example.com without a record of ownership, so that no external-dns removes what is there; whoever manages the zone has to delete them.',
  },
  {
    title: 'wildcards, the zone itself and other hosts are never listed',
    ...inDns([
      'A \\052.preview.example.com',
      'A preview.example.com',
      'TXT _acme-challenge.preview.example.com',
      'A mr-70.preview.example.com',
      'A x.mr-7.preview.example.com',
    ]),
    expected: 'True NothingLeft',
  },
  {
    title: 'the records of a host that another route names are not its own',
    ...inDns([MR_ADDRESS], {}, world =>
      world.httpRoute({
        metadata: { name: 'other', namespace: 'other' },
      }),
    ),
    expected: 'True NothingLeft',
  },
  {
    title: 'a host outside every zone that is read holds nothing up',
    ...inDns([], { domain: 'another.example.com' }),
    expected: 'True NothingLeft',
  },
  {
    title:
      'records that external-dns has had too little time for are waited for',
    before: () => live().dnsZone([MR_ADDRESS]),
    between: {
      world: () => noApplication().without('namespaces').dnsZone([MR_ADDRESS]),
      secondsBefore: 120,
    },
    world: () => noApplication().without('namespaces').dnsZone([MR_ADDRESS]),
    expected: 'False DnsRecordsLeaving',
    params: { hosts: [MR_HOST] },
    message:
      'All else is gone; it is being checked that the DNS records of mr-7.preview.example.com are gone too, which external-dns sees to within minutes.',
  },
  {
    title: 'records that were read too early to tell are not called left',
    ...inDns([MR_ADDRESS], { reading: { completeAt: at(-400) } }),
    expected: 'False DnsRecordsLeaving',
  },
  {
    title: 'a reading from before the rest was gone tells of no absence',
    ...inDnsAtOnce({ reading: { completeAt: at(-30) } }),
    expected: 'False DnsRecordsLeaving',
  },
  {
    title: 'nothing left is said once the zone was read without its records',
    ...inDns([]),
    expected: 'True NothingLeft',
  },
  {
    title: 'nothing left is not said while the zone was never read',
    ...inDnsAtOnce({
      reading: { state: 'pending', completeAt: undefined, domain: undefined },
    }),
    expected: 'Unknown NotReadYet',
    params: { source: 'dns:preview.example.com' },
  },
  {
    title: 'nothing left is not said while the zone cannot be read',
    ...inDnsAtOnce({
      reading: {
        state: 'pending',
        completeAt: undefined,
        domain: undefined,
        error: {
          reason: 'Forbidden',
          message: 'AWS does not allow it.',
          since: at(-900),
        },
      },
    }),
    expected: 'Unknown SourceUnavailable',
    params: { source: 'dns:preview.example.com', since: at(-900) },
  },
  {
    title: 'a zone that was read too long ago tells of nothing left',
    ...inDns([MR_ADDRESS], {
      reading: { state: 'failing', completeAt: at(-900) },
    }),
    expected: 'Unknown SourceUnavailable',
  },
  {
    title: 'records are not looked for while a namespace is left',
    before: () => live().dnsZone([MR_ADDRESS]),
    world: () => noApplication().dnsZone([MR_ADDRESS]),
    expected: 'False NamespaceLeft',
  },
];
