import { englishCertificates } from './certificates/english';
import { findings } from './findings/english';
import { SentenceFormat } from './format';
import { createPhrases, inParentheses } from './phrases';
import { englishReachable } from './reachable/english';
import { Catalogue, UnknownSentences } from './types';

const phrases = createPhrases({
  cluster: 'The cluster',
  dnsZone: 'The DNS zone',
  usually: 'usually',
  separator: '; ',
  since: { hour: 'since', firstHour: 'since', date: 'since' },
});
const { nameOf, nameOfId, sinceTime, since, timing } = phrases;

/** Before the time at which something ends. */
const END = { hour: 'at', firstHour: 'at', date: 'on' };

function replicas(
  format: SentenceFormat,
  counts: { ready: number; desired: number },
): string {
  const ready = format.number(counts.ready);
  const desired = format.number(counts.desired);
  return format.plural(counts.desired, {
    one: `${ready} of ${desired} replica is ready`,
    other: `${ready} of ${desired} replicas are ready`,
  });
}

function restarts(format: SentenceFormat, count: number): string {
  const number = format.number(count);
  return format.plural(count, {
    one: `${number} restart`,
    other: `${number} restarts`,
  });
}

function applications(format: SentenceFormat, names: string[]): string {
  if (names.length === 0) {
    return 'An Application';
  }
  return `The ${
    names.length > 1 ? 'Applications' : 'Application'
  } ${format.list(names)}`;
}

function retry(format: SentenceFormat, time: string | undefined): string {
  return time === undefined
    ? 'the portal tries again by itself'
    : `next try: ${format.time(time)}`;
}

const unknown: UnknownSentences = {
  SourceUnavailable: (params, format) =>
    params.since === undefined
      ? `${nameOfId(
          params.source,
        )} does not answer; what you see is what was last known.`
      : `${nameOfId(params.source)} has not answered${sinceTime(
          format,
          params.since,
        )}; what you see is from then.`,
  NotObserved: ({ what }) =>
    `The portal does not read ${what}, so it cannot tell more; the preview does not wait for this.`,
  NotReadYet: ({ source }) =>
    `${nameOfId(
      source,
    )} is being read for the first time; this is known as soon as that is complete.`,
  KindForbidden: ({ kind, group, cluster }) =>
    `The cluster ${cluster} does not let the portal list ${kind}${inParentheses(
      group,
    )}; whoever runs the cluster can allow it in the portal’s cluster role.`,
  ProjectNotReadable: ({ project, status }) =>
    `GitLab does not let the portal read the project ${project} (it answers ${status}); whoever manages the portal’s token can give it access.`,
  ClusterNotConfigured: ({ destination, application }) =>
    `The Application ${application} deploys to ${destination}, which is none of the portal’s clusters; whoever runs the portal can add it.`,
};

/**
 * The English sentences, which are also stored and sent as `message`.
 *
 * @public
 */
export const english: Catalogue = {
  language: 'en',
  conditions: {
    MergeRequestOpen: {
      Opened: () => 'The merge request is open.',
      Locked: () =>
        'The merge request is locked while GitLab merges it; it counts as open.',
      SourceBranchDeleted: ({ branch }, format) =>
        `The source branch ${format.quote(
          branch,
        )} is deleted while the merge request is still open; its author can push the branch again or close the merge request.`,
      IdleNearEnd: ({ idleSince, expiresAt }, format) =>
        `Nobody has worked on the merge request${since(
          format,
          idleSince,
        )}; the time to live of its preview ends ${format.when(
          expiresAt,
          END,
        )}. A push or a comment keeps it.`,
      IdlePastEnd: ({ idleSince, expiresAt }, format) =>
        `Nobody has worked on the merge request${since(
          format,
          idleSince,
        )}; the time to live of its preview ended ${format.when(
          expiresAt,
          END,
        )}. A push or a comment keeps it.`,
      Merged: ({ at }, format) =>
        `The merge request was merged${inParentheses(
          at && format.time(at),
        )}; its preview is removed unless an ApplicationSet keeps it.`,
      Closed: ({ at }, format) =>
        `The merge request was closed${inParentheses(
          at && format.time(at),
        )}; its preview is removed unless an ApplicationSet keeps it.`,
      Deleted: () =>
        'The merge request no longer exists in GitLab; its preview is removed.',
      ...unknown,
    },
    Selected: {
      Selected: ({ applicationSets }, format) =>
        applicationSets.length === 0
          ? 'An ApplicationSet generates a preview for the merge request.'
          : `The ${format.plural(applicationSets.length, {
              one: `ApplicationSet ${format.list(applicationSets)} generates`,
              other: `ApplicationSets ${format.list(applicationSets)} generate`,
            })} a preview for the merge request.`,
      KeptByGenerator: ({ applicationSet, state }) =>
        `The ApplicationSet ${applicationSet} keeps the preview although the merge request is ${state}; its owner can set pullRequestState to “opened” to have it removed.`,
      LabelMissing: ({ applicationSet, labels }, format) =>
        labels.length === 0
          ? `The ApplicationSet ${applicationSet} takes only merge requests with a label that this one lacks.`
          : `The ApplicationSet ${applicationSet} takes only merge requests labelled ${format.list(
              labels.map(format.quote),
            )}; add ${format.plural(labels.length, {
              one: 'the label',
              other: 'the labels',
            })} to get a preview.`,
      BranchFiltered: ({ applicationSet, pattern, branch }, format) =>
        `The ApplicationSet ${applicationSet} takes only source branches that match ${format.quote(
          pattern,
        )}, and ${format.quote(
          branch,
        )} does not; a branch with a matching name, or the set’s owner, can change that.`,
      TitleFiltered: ({ applicationSet, pattern }, format) =>
        `The ApplicationSet ${applicationSet} takes only merge requests with a title that matches ${format.quote(
          pattern,
        )}; change the title to get a preview.`,
      TargetFiltered: ({ applicationSet, pattern, branch }, format) =>
        `The ApplicationSet ${applicationSet} takes only target branches that match ${format.quote(
          pattern,
        )}, and ${format.quote(
          branch,
        )} does not; another target branch, or the set’s owner, can change that.`,
      SelectorExcluded: ({ applicationSet, requirement }, format) =>
        `The ApplicationSet ${applicationSet} takes only merge requests that meet ${format.quote(
          requirement,
        )} of its selector, and this one does not; the set’s owner can change that.`,
      StateExcluded: ({ applicationSet, state }) =>
        `The ApplicationSet ${applicationSet} leaves out merge requests that are ${state}, so this one has no preview.`,
      MergeRequestDeleted: () =>
        'The merge request was deleted, so no ApplicationSet takes it.',
      NoApplicationSet: ({ project }) =>
        `No ApplicationSet generates previews for the project ${project}; whoever owns the service can add one.`,
      ...unknown,
    },
    ImageBuilt: {
      ImagePulled: ({ tag }) => `The image ${tag} is built; a pod pulled it.`,
      TagInRegistry: ({ tag }) =>
        `The image ${tag} is built and in the registry.`,
      PipelineRunning: ({ tag, pipeline, startedAt, usualSeconds }, format) =>
        `The image ${tag} is being built by pipeline #${pipeline}${timing(
          format,
          { start: startedAt, usualSeconds },
        )}.`,
      PipelineManual: ({ tag, pipeline }) =>
        `Pipeline #${pipeline} waits for someone to start it by hand; until then there is no image ${tag}.`,
      PipelineFailed: ({ tag, pipeline }) =>
        `Pipeline #${pipeline} failed before the image ${tag} was there; the merge request’s author can read the log, then retry it or push a fix.`,
      PipelineCanceled: ({ tag, pipeline }) =>
        `Pipeline #${pipeline} was cancelled, so there is no image ${tag}; run it again to get a preview of this commit.`,
      PipelineSkipped: ({ tag, pipeline }) =>
        `Pipeline #${pipeline} was skipped, so there is no image ${tag}; run a pipeline for the branch to get a preview of this commit.`,
      NoPipeline: ({ tag, sha }, format) =>
        `No pipeline has run for commit ${format.shortSha(
          sha,
        )} yet, so there is no image ${tag}; if none starts by itself, start one from the merge request.`,
      TagMissing: ({ tag, pipeline }) =>
        pipeline === undefined
          ? `The registry has no image ${tag}; whoever owns the pipeline can check that it pushes this tag.`
          : `Pipeline #${pipeline} succeeded, but the registry has no image ${tag}; whoever owns the pipeline can check that it pushes this tag.`,
      TagLengthDiffers: ({ tag, near }, format) =>
        `The registry has no image ${tag}${
          near.length > 0
            ? `, only ${format.list(near)} of the same commit`
            : ', only one of the same commit with another tag'
        }; the pipeline and the ApplicationSet have to shorten the commit to the same length.`,
      RegistryNotRead: ({ tag, status }) =>
        `The registry could not be read${
          status === undefined ? '' : ` (it answers ${status})`
        }, so it is not known whether the image ${tag} is built.`,
      PipelineNotTold: ({ tag, pipeline }) =>
        `Pipeline #${pipeline} is one of a merged result, and the portal cannot read of which commit, so it is not known whether the image ${tag} is built; the portal’s token needs access to the repository.`,
      HeadUnknown: ({ branch }, format) =>
        `GitLab names no commit at the head of ${format.quote(
          branch,
        )}, so it is not known which image to expect.`,
      ...unknown,
    },
    ApplicationGenerated: {
      Generated: ({ applications: names }, format) =>
        `${applications(format, names)} ${
          names.length > 1 ? 'are' : 'is'
        } generated.`,
      NotPolledYet: ({ applicationSet, requeueAfterSeconds }, format) =>
        `The ApplicationSet ${applicationSet} has not generated the Application yet; it looks at GitLab every ${format.duration(
          requeueAfterSeconds,
        )}.`,
      GeneratorError: ({ applicationSet, error }, format) =>
        `The ApplicationSet ${applicationSet} creates, updates and deletes nothing while it reports an error, which its owner has to correct if it lasts${format.detail(
          error,
        )}.`,
      ValidationError: ({ applicationSet, error }, format) =>
        `Argo CD rejects what the ApplicationSet ${applicationSet} generates for the merge request, and the set’s owner has to correct it${format.detail(
          error,
        )}.`,
      FrozenByGenerator: ({ applicationSet, error }, format) =>
        `The Application is generated, but the ApplicationSet ${applicationSet} updates nothing, so new commits do not arrive while it reports an error, which its owner has to correct if it lasts${format.detail(
          error,
        )}.`,
      NameCollision: ({ name, other }) =>
        `The Application name ${name} is also that of ${other}, so only one of them gets a preview; the owner of the ApplicationSet can put the merge request’s number into the name.`,
      Deleting: ({ application, since: start }, format) =>
        `The Application ${application} has been in deletion${since(
          format,
          start,
        )}; it is generated anew once it is gone.`,
      ...unknown,
    },
    Synced: {
      Synced: ({ revision }, format) =>
        revision === undefined
          ? 'The Application is Synced.'
          : `The Application is Synced to ${format.shortSha(revision)}.`,
      SyncRunning: ({ application, startedAt }, format) =>
        `Argo CD is syncing the Application ${application}${timing(format, {
          start: startedAt,
        })}.`,
      NeverSynced: ({ application }) =>
        `The Application ${application} has never been synced; Argo CD does it by itself where automatic sync is on, else someone has to start it there.`,
      OldCommit: ({ application, wanted, expected, error }, format) =>
        `The Application ${application} still asks for ${format.shortSha(
          wanted,
        )} instead of ${format.shortSha(expected)}; ${
          error === undefined
            ? 'its ApplicationSet updates it when it next looks at GitLab'
            : `its ApplicationSet does not update it while it reports an error, which its owner has to correct if it lasts${format.detail(
                error,
              )}`
        }.`,
      OldCommitKept: (
        { application, applicationSet, wanted, expected },
        format,
      ) =>
        `The Application ${application} asks for ${format.shortSha(
          wanted,
        )} instead of ${format.shortSha(
          expected,
        )}, and its ApplicationSet ${applicationSet} is set to update none; its owner can change applicationsSync.`,
      OutOfSync: ({ application, resources }, format) =>
        `The Application ${application} is OutOfSync${inParentheses(
          format.list(resources),
        )}; Argo CD applies the difference with the next sync.`,
      SyncFailed: ({ application, error, resources }, format) =>
        `The sync of the Application ${application} failed${inParentheses(
          format.list(resources),
        )}; whoever owns its manifests has to correct them${format.detail(
          error,
        )}.`,
      HookFailed: ({ application, hook, error }, format) =>
        `The hook ${hook} failed and stopped the sync of the Application ${application}; whoever owns the hook has to correct it${format.detail(
          error,
        )}.`,
      ComparisonError: ({ application, error, resources }, format) =>
        `Argo CD cannot compare the Application ${application} with its source${inParentheses(
          format.list(resources),
        )}, and syncs nothing until the manifests or the repository are corrected${format.detail(
          error,
        )}.`,
      CommitNotInProject: ({ application, sha, project }, format) =>
        `The commit ${format.shortSha(
          sha,
        )} of the fork is not in ${project}, which the Application ${application} reads; a preview needs a branch in that project itself.`,
      InvalidSpec: ({ application, error }, format) =>
        `Argo CD rejects the spec of the Application ${application}; the owner of its ApplicationSet has to correct it${format.detail(
          error,
        )}.`,
      ...unknown,
    },
    Available: {
      Available: (params, format) => `${replicas(format, params)}.`,
      Healthy: ({ application }) =>
        `Argo CD reports the Application ${application} as Healthy; the portal does not read its workloads.`,
      NoWorkloads: ({ application }) =>
        `The Application ${application} has no workloads to wait for.`,
      WaitingForImage: ({ image, workload, since: start }, format) =>
        `${workload} ${
          start === undefined ? 'waits' : 'has been waiting'
        } for the image ${image}${since(
          format,
          start,
        )}; it starts once the pipeline has pushed it.`,
      PullRetried: ({ image, workload, since: start }, format) =>
        `${workload} ${
          start === undefined ? 'waits' : 'has been waiting'
        } for the image ${image}${since(
          format,
          start,
        )}; the image is built, and the cluster pulls it at its next try.`,
      Progressing: ({ workload, ready, desired }, format) =>
        `${workload} is starting; ${replicas(format, { ready, desired })}.`,
      Missing: ({ application }) =>
        `Resources of the Application ${application} are not in the cluster yet; Argo CD creates them with the next sync.`,
      Asleep: ({ workload }) =>
        `${workload} is scaled to zero; the preview answers again once it is scaled up.`,
      ImageNotFound: ({ image, workload }) =>
        `${workload} cannot start because the registry does not have the image ${image}; whoever owns the pipeline can check that it pushed this tag.`,
      PullDenied: ({ image, workload }) =>
        `${workload} cannot start because the registry denies it the image ${image}; whoever owns the namespace has to give it a pull secret.`,
      InvalidImageName: ({ image, container }, format) =>
        `The container ${container} cannot start because ${format.quote(
          image,
        )} is no valid image name; whoever owns the manifests has to correct it.`,
      CrashLoop: ({ container, workload, restarts: count, exitCode }, format) =>
        `The container ${container} of ${workload} keeps crashing (${
          exitCode === undefined ? '' : `exit code ${exitCode}, `
        }${restarts(format, count)}); its logs tell why.`,
      OutOfMemory: ({ container, workload, restarts: count }, format) =>
        `The container ${container} of ${workload} is killed for using more memory than its limit (${restarts(
          format,
          count,
        )}); raise the limit, or make it use less.`,
      ContainerConfigError: ({ container, workload, error }, format) =>
        `The container ${container} of ${workload} cannot be created from its configuration, often for want of a Secret or ConfigMap; whoever owns the manifests has to correct it${format.detail(
          error,
        )}.`,
      Unschedulable: ({ workload, error }, format) =>
        `No node takes the pods of ${workload}; ask for less, or let whoever runs the cluster make room${format.detail(
          error,
        )}.`,
      ReplicaFailure: ({ workload, error }, format) =>
        `The cluster refuses to create the pods of ${workload}, often because of a quota or a policy; whoever owns the manifests or runs the cluster has to look${format.detail(
          error,
        )}.`,
      ProgressDeadlineExceeded: ({ workload, ready, desired }, format) =>
        `${workload} did not get ready in time; ${replicas(format, {
          ready,
          desired,
        })}, and the logs of its pods tell why.`,
      Degraded: ({ application, error }, format) =>
        `Argo CD reports the Application ${application} as Degraded and shows there which of its resources is to blame${format.detail(
          error,
        )}.`,
      Suspended: ({ application }) =>
        `The Application ${application} is Suspended; it goes on when someone resumes it in Argo CD.`,
      ...unknown,
    },
    CertificateReady: {
      ...englishCertificates(phrases),
      ...unknown,
    },
    RouteAccepted: {
      Accepted: ({ route, parents }, format) =>
        parents.length === 0
          ? `${route} is accepted.`
          : `${route} is accepted by ${format.list(parents)}.`,
      AcceptedByOneParent: ({ route, parent, refusedBy }) =>
        `${route} is accepted by ${parent} but refused by ${refusedBy}; the preview can be reached through ${parent} only.`,
      AcceptedByRetired: ({ route, className }) =>
        `${route} is served by ingress-nginx${
          className === undefined ? '' : ` (class ${className})`
        }, which is maintained no more; whoever runs the platform has to move it to the Gateway API, with an HTTPRoute for each preview.`,
      IngressPending: ({ route, className }) =>
        `${route} waits for the controller of ${
          className === undefined ? 'its class' : `the class ${className}`
        } to give it an address.`,
      ListenerPending: ({ route, parent, listener }) =>
        `${route} waits until the listener ${listener} of ${parent} is programmed.`,
      BackendsUnavailable: ({ route, error }, format) =>
        `${route} is accepted, but no pod behind it is ready, so it answers 503${format.detail(
          error,
        )}.`,
      GatewayMissing: ({ route, parent }) =>
        `${route} asks for ${parent}, which does not exist; whoever owns the manifests has to correct the parentRefs.`,
      GatewayNotProgrammed: ({ route, parent, error }, format) =>
        `${parent} is not programmed, so ${route} serves nothing; whoever owns it has to look${format.detail(
          error,
        )}.`,
      ListenersNotAdmitted: ({ route, parent, gateway }) =>
        `${gateway} does not admit the listeners of ${parent}, so ${route} serves nothing; whoever owns ${gateway} can admit its namespace (allowedListeners).`,
      ListenerConflicted: ({ route, parent, listener }) =>
        `The listener ${listener} of ${parent} is in conflict with another one, so ${route} serves nothing; whoever owns ${parent} has to give it a port or a host of its own.`,
      ListenerCertificateInvalid: (
        { route, parent, listener, error },
        format,
      ) =>
        `The listener ${listener} of ${parent} cannot use its certificate, so ${route} serves nothing; whoever owns ${parent} has to look at its certificateRefs${format.detail(
          error,
        )}.`,
      Pending: ({ route }) =>
        `${route} waits for the controller of its Gateway to accept it.`,
      NotAllowedByListeners: ({ route, parent, allowed }) =>
        `The listeners of ${parent} do not allow ${route}${inParentheses(
          allowed === undefined ? undefined : `allowedRoutes: ${allowed}`,
        )}; whoever owns ${parent} can allow routes from its namespace.`,
      NoMatchingHost: ({ route, parent, hosts }, format) =>
        `No listener of ${parent} serves ${
          hosts.length > 0 ? format.list(hosts) : 'the host'
        } of ${route}; correct the host, or let whoever owns ${parent} add a listener.`,
      NoMatchingParent: ({ route, parent }) =>
        `${route} asks for ${parent}, which has no listener that fits; whoever owns the manifests has to correct the parentRefs.`,
      BackendNotFound: ({ route, error }, format) =>
        `${route} leads to a Service that does not exist; whoever owns the manifests has to correct the backendRefs${format.detail(
          error,
        )}.`,
      ReferenceNotPermitted: ({ route, error }, format) =>
        `${route} refers to an object of another namespace, whose owner has to permit it with a ReferenceGrant${format.detail(
          error,
        )}.`,
      ListenerNotProgrammed: ({ route, parent, listener }) =>
        `The listener ${listener} of ${parent} is not programmed, so ${route} serves nothing; whoever owns ${parent} has to look.`,
      NotAccepted: ({ route, parent, code, error }, format) =>
        `${parent} does not accept ${route} (${code}), and whoever owns the manifests has to correct it${format.detail(
          error,
        )}.`,
      ...unknown,
    },
    Reachable: {
      ...englishReachable,
      ...unknown,
    },
    CleanedUp: {
      NothingLeft: () => 'Nothing of the preview is left.',
      ApplicationLeft: ({ applications: names, everySeconds }, format) =>
        `${applications(format, names)} still ${
          names.length > 1 ? 'exist' : 'exists'
        }; the ApplicationSet removes what it no longer generates when it next looks at GitLab${
          everySeconds === undefined
            ? ''
            : `, which it does every ${format.duration(everySeconds)}`
        }.`,
      ApplicationKept: ({ application, applicationSet }) =>
        `The Application ${application} still exists${
          applicationSet === undefined
            ? ' and belongs to no ApplicationSet any more'
            : `, and its ApplicationSet ${applicationSet} is set to delete none (applicationsSync)`
        }; somebody has to delete it.`,
      FrozenByGenerator: ({ application, applicationSet, error }, format) =>
        `The Application ${application} stays because the ApplicationSet ${applicationSet} deletes nothing while it reports an error, which its owner has to correct if it lasts${format.detail(
          error,
        )}.`,
      ApplicationDeleting: ({ application, since: start }, format) =>
        `The Application ${application} has been in deletion${since(
          format,
          start,
        )}; Argo CD removes its resources first.`,
      OperationBlocksDeletion: ({ application, since: start }, format) =>
        `The Application ${application} has been in deletion${since(
          format,
          start,
        )} and cannot go while a sync runs; someone can terminate the sync in Argo CD.`,
      ApplicationDeletionStuck: (
        { application, since: start, finalizers, error },
        format,
      ) =>
        `The Application ${application} has been stuck in deletion${since(
          format,
          start,
        )}${
          finalizers.length > 0 ? `, held by ${format.list(finalizers)}` : ''
        }; whoever runs Argo CD has to look${format.detail(error)}.`,
      NamespaceTerminating: ({ namespace, since: start }, format) =>
        `The namespace ${namespace} ${
          start === undefined ? 'is' : 'has been'
        } terminating${since(format, start)}; it goes when all in it is gone.`,
      NamespaceStuck: ({ namespace, since: start }, format) =>
        `The namespace ${namespace} has been terminating${since(
          format,
          start,
        )}, and none of its conditions tells what blocks it; whoever runs the cluster can see what is left in it.`,
      FinalizerStuck: (
        { namespace, since: start, error, finalizers = [], resources = [] },
        format,
      ) =>
        `The namespace ${namespace} ${
          start === undefined ? 'is' : 'has been'
        } stuck in termination${since(format, start)}${inParentheses(
          [finalizers, resources]
            .filter(held => held.length > 0)
            .map(held => format.list(held))
            .join('; '),
        )}; whoever runs the cluster has to free what holds it${format.detail(
          error,
        )}.`,
      ChallengeFinalizerStuck: (
        { namespace, since: start, finalizer, count, error },
        format,
      ) =>
        `The namespace ${namespace} ${
          start === undefined ? 'is' : 'has been'
        } stuck in termination${since(format, start)}: ${format.plural(count, {
          one: `${format.number(count)} Challenge keeps`,
          other: `${format.number(count)} Challenges keep`,
        })} the finalizer ${finalizer}, as cert-manager cannot remove the DNS record; whoever runs the platform has to give it access again or take the finalizer away${format.detail(
          error,
        )}.`,
      NamespaceLeft: ({ namespace }) =>
        `The namespace ${namespace} still exists; if it stays, whoever runs the cluster has to delete it.`,
      ResourcesLeft: ({ namespace, resources }, format) =>
        resources.length === 0
          ? `Resources are left in the namespace ${namespace}; if they stay, whoever runs the cluster has to delete them.`
          : `In the namespace ${namespace} are left ${format.list(
              resources,
            )}; what stays, whoever runs the cluster has to delete.`,
      DnsRecordsLeaving: ({ hosts }, format) =>
        `All else is gone; it is being checked that the DNS records${
          hosts.length > 0 ? ` of ${format.list(hosts)}` : ''
        } are gone too, which external-dns sees to within minutes.`,
      DnsRecordLeft: ({ unowned = [], owned = [] }, format) =>
        `Records are left in DNS${[
          ...(unowned.length > 0
            ? [
                `${format.list(
                  unowned,
                )} without a record of ownership, so that no external-dns removes what is there`,
              ]
            : []),
          ...(owned.length > 0
            ? [`${format.list(owned)}, which their owner has not removed`]
            : []),
        ]
          .map((part, index) => `${index === 0 ? ': ' : '; '}${part}`)
          .join('')}; whoever manages the zone has to delete them.`,
      ...unknown,
    },
  },
  problems: {
    Malformed: ({ annotation, value, expected }, format) =>
      `The annotation ${annotation} is ${format.quote(
        value,
      )} but has to look like ${format.quote(
        expected,
      )}; whoever owns the entity can correct it.`,
    UnknownHost: ({ annotation, host }) =>
      `The annotation ${annotation} leads to the GitLab host ${host}, which is not configured; correct the annotation, or let whoever runs the portal add the host.`,
    ProjectNotFound: ({ annotation, project, host }) =>
      `The annotation ${annotation} names the project ${project}, which GitLab ${host} does not have or does not show to the portal; correct the annotation, or let whoever manages the portal’s token give it access.`,
    ProjectClaimedFromElsewhere: ({ annotation, project }) =>
      `The annotation ${annotation} names the project ${project}, which is in another group than the entity’s own file, so its previews are not shown; whoever runs the portal can allow it under previews.catalog.allow.`,
    ApplicationSetNotFound: ({ annotation, applicationSet }) =>
      `The annotation ${annotation} names the ApplicationSet ${applicationSet}, which is in no cluster that the portal reads; whoever owns the entity can correct it.`,
  },
  sourceErrors: {
    Unreachable: (params, format) =>
      `${nameOf(params.source)} cannot be reached${since(
        format,
        params.since,
      )}${inParentheses(params.subject)}; ${retry(format, params.retryAt)}.`,
    TimedOut: (params, format) =>
      `${nameOf(params.source)} does not answer in time${since(
        format,
        params.since,
      )}${inParentheses(params.subject)}; ${retry(format, params.retryAt)}.`,
    RateLimited: (params, format) =>
      `${nameOf(params.source)} has limited the portal’s calls${since(
        format,
        params.since,
      )}${inParentheses(params.subject)}; ${retry(format, params.retryAt)}.`,
    TokenInvalid: ({ source, since: start }, format) =>
      `${nameOf(source)} has not accepted the portal’s token${since(
        format,
        start,
      )}; whoever runs the portal has to set a valid one.`,
    TokenExpired: ({ source, since: start }, format) =>
      `${nameOf(source)} has refused the portal’s token as expired${since(
        format,
        start,
      )}; whoever runs the portal has to renew it.`,
    TokenRevoked: ({ source, since: start }, format) =>
      `${nameOf(source)} has refused the portal’s token as revoked${since(
        format,
        start,
      )}; whoever runs the portal has to set a new one.`,
    ScopeMissing: ({ source, subject }) =>
      `${nameOf(
        source,
      )} asks for a scope that the portal’s token lacks${inParentheses(
        subject,
      )}; whoever runs the portal has to set a token with read_api.`,
    Forbidden: ({ source, subject, since: start }, format) =>
      `${nameOf(source)} has not let the portal read ${
        subject ?? 'what it needs'
      }${since(format, start)}; whoever manages its access can allow it.`,
    NotFound: ({ source, subject, since: start }, format) =>
      `${nameOf(source)} has not shown ${
        subject ?? 'what was asked for'
      } to the portal${since(
        format,
        start,
      )}; it does not exist there, or the portal may not see it.`,
    ServerError: (params, format) =>
      `${nameOf(params.source)} has answered with an error of its own${since(
        format,
        params.since,
      )}${inParentheses(params.subject)}; ${retry(format, params.retryAt)}.`,
    UnexpectedAnswer: ({ source, subject, since: start }, format) =>
      `${nameOf(
        source,
      )} has answered with something that the portal does not understand${since(
        format,
        start,
      )}${inParentheses(
        subject,
      )}; whoever runs the portal can check its address and version.`,
    NotConfigured: ({ source, subject }) =>
      `${nameOf(source)} is not configured completely${inParentheses(
        subject,
      )}; whoever runs the portal has to complete it.`,
  },
  sourceNotes: {
    TokenCanWrite: ({ source }) =>
      `The portal’s token for ${source.name} can do more than read; one with the scope read_api is enough.`,
    TokenExpiresSoon: ({ source, expiresOn }, format) =>
      `The portal’s token for ${source.name} expires on ${format.date(
        expiresOn,
      )}; whoever runs the portal has to renew it before.`,
    TokenOfIntegrations: ({ source }) =>
      `For ${source.name} the token of integrations.gitlab is used, which can usually do more than read; previews.gitlab[].token takes its own.`,
    ApprovalsRefused: ({ source, projects }, format) =>
      `${source.name} does not give the approvals of ${format.plural(projects, {
        one: `${format.number(projects)} project`,
        other: `${format.number(projects)} projects`,
      })}; the review lead time leaves them out.`,
    NoToken: ({ source }) =>
      `There is no token for ${source.name}; only public projects can be read.`,
  },
  events: {
    HeadChanged: ({ commit }, format) =>
      `The head of the merge request is now ${format.shortSha(commit)}.`,
    ApplicationRecreated: ({ application }) =>
      `The Application ${application} was created anew.`,
    Approved: ({ at }, format) =>
      `The merge request was approved for the first time (${format.time(at)}).`,
    ApprovalsGone: () => 'No approval of the merge request stands any more.',
    PhaseReached: ({ phase }) => `The phase of the preview is ${phase}.`,
  },
  findings,
};
