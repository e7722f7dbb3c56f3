import { InputError } from '@backstage/errors';
import type { ArgocdFaults } from '../argocd/faults';
import type { AwsFaults } from '../aws/faults';
import type { Clock } from '../clock';
import {
  platformFaultKinds,
  type PlatformFaultKind,
  type PlatformFaults,
} from '../controllers/faults';
import {
  gitlabAnswers,
  type FaultyAnswer,
  type GitLabFaults,
} from '../gitlab/faults';
import type { Cluster, ClusterFaults } from '../kubernetes';
import type { AccessToken } from '../gitlab/model';

/** A finalizer that nobody removes until faults are cleared. */
export const STUCK_FINALIZER = 'simulator.example.com/stuck';

/** What a simulator can break, and how to heal it. */
export interface SimulatorFaults {
  gitlab: GitLabFaults;
  platform: PlatformFaults;
  /** Of Route 53 and STS. */
  aws: AwsFaults;
  /** Of the API servers, in the order of the clusters. */
  clusters: ClusterFaults[];
  /** Keeps an object from being deleted. */
  stickFinalizer(options: {
    kind: string;
    namespace?: string;
    name: string;
    /** Default 0. */
    cluster?: number;
  }): void;
  /** Lets go of all stuck objects. */
  releaseFinalizers(): void;
  /** A fault by its name, as the CLI and the control API take it; InputError for a wrong one. */
  inject(name: string, options?: Record<string, unknown>): Promise<void>;
  /** Heals everything. */
  clear(): Promise<void>;
}

/** Names that {@link SimulatorFaults.inject} takes, with what they do. */
export const faultNames: Record<string, string> = {
  'gitlab-refuse': 'GitLab closes connections without an answer',
  'gitlab-500': 'GitLab answers 500 to everything',
  'gitlab-502': 'GitLab answers 502 to everything',
  'gitlab-status':
    'status=401|401-revoked|401-expired|403|403-scope|404|404-project|429 [path=] [page=] [times=] [retryAfter=]',
  'gitlab-empty-lists': 'lists answer 200 and nothing, as for a lost token',
  'gitlab-hide-project': 'project= drops out of the group listings',
  'gitlab-old-approvals': 'approvals come without their times',
  'gitlab-slow': 'milliseconds= before each answer',
  'gitlab-revoke-token': 'the portal token is revoked',
  'gitlab-restart': 'GitLab drops all connections once',
  'drop-webhooks': '[count=] webhooks are not sent',
  platform:
    'kind=pipeline|imageTag|workload|certificate|issuer|externalDns|listener|route|sync|generator target= value=',
  'route53-deny': '[operation=] Route 53 answers 403 AccessDenied',
  'route53-throttle': '[times=] Route 53 answers Throttling',
  'route53-hide-zone': 'zone= Route 53 answers NoSuchHostedZone',
  'route53-fail': '[status=] Route 53 and STS answer 503, or this status',
  'route53-slow': 'milliseconds= before each answer of Route 53 and STS',
  'sts-deny': 'STS hands out no credentials',
  'stick-finalizer': 'kind= name= [namespace=] [cluster=] never goes',
  'kubernetes-cut-watches': '[kind=] [cluster=] open watches end',
  'kubernetes-hang-watches': '[kind=] [cluster=] watches say nothing',
  'kubernetes-expire':
    '[cluster=] resource versions and continue tokens expire',
  'kubernetes-refuse': '[cluster=] connections are refused',
  'kubernetes-forbid': 'kind= [verb=] [cluster=] answers 403',
  'kubernetes-fail': 'kind= status= [times=] [cluster=] fails',
  'kubernetes-slow': 'milliseconds= [cluster=] before each answer',
  'kubernetes-restart': '[cluster=] drops all connections and its watch window',
};

/** Builds the faults of a simulator. */
export function createFaults(options: {
  clock: Clock;
  gitlab: GitLabFaults;
  platform: PlatformFaults;
  clusters: { cluster: Cluster; faults: ClusterFaults }[];
  /** Of the API of Argo CD, where it is served. */
  argocd?: ArgocdFaults;
  aws: AwsFaults;
  portalToken: AccessToken;
  projectId(reference: string): number;
  restartGitlab(): void;
}): SimulatorFaults {
  const { clock, gitlab, platform, aws, clusters, portalToken } = options;
  const stuck: {
    cluster: Cluster;
    reference: { kind: string; namespace?: string; name: string };
  }[] = [];

  const clusterAt = (value: unknown) => {
    const found = clusters[Number(value ?? 0)];
    if (!found) {
      throw new InputError(`There is no cluster ${value}`);
    }
    return found;
  };

  const stickFinalizer: SimulatorFaults['stickFinalizer'] = ({
    cluster: index,
    ...reference
  }) => {
    const { cluster } = clusterAt(index);
    cluster.patch(reference, draft => {
      draft.metadata.finalizers = [
        ...(draft.metadata.finalizers ?? []),
        STUCK_FINALIZER,
      ];
    });
    stuck.push({ cluster, reference });
  };

  const releaseFinalizers = () => {
    for (const { cluster, reference } of stuck.splice(0)) {
      if (cluster.get(reference)) {
        cluster.patch(reference, draft => {
          draft.metadata.finalizers = draft.metadata.finalizers?.filter(
            finalizer => finalizer !== STUCK_FINALIZER,
          );
        });
      }
    }
  };

  const inject: SimulatorFaults['inject'] = async (name, given = {}) => {
    const text = (key: string): string => {
      if (given[key] === undefined) {
        throw new InputError(`The fault ${name} needs ${key}`);
      }
      return String(given[key]);
    };
    const optional = (key: string) =>
      given[key] === undefined ? undefined : String(given[key]);
    const faultsOfCluster = () => clusterAt(given.cluster).faults;
    switch (name) {
      case 'gitlab-refuse':
        gitlab.refuse = true;
        return;
      case 'gitlab-500':
        gitlab.down(500);
        return;
      case 'gitlab-502':
        gitlab.down(502);
        return;
      case 'gitlab-status':
        gitlab.answer({
          path: optional('path') ?? '',
          answer: answerFor(
            text('status'),
            given.retryAfter === undefined
              ? undefined
              : Number(given.retryAfter),
            clock.now(),
          ),
          page: given.page === undefined ? undefined : Number(given.page),
          times: given.times === undefined ? undefined : Number(given.times),
        });
        return;
      case 'gitlab-empty-lists':
        gitlab.emptyLists = true;
        return;
      case 'gitlab-hide-project':
        gitlab.hideFromGroups(options.projectId(text('project')));
        return;
      case 'gitlab-old-approvals':
        gitlab.approvalsWithoutTimes = true;
        return;
      case 'gitlab-slow':
        gitlab.delay = Number(text('milliseconds'));
        return;
      case 'gitlab-revoke-token':
        portalToken.revoked = true;
        return;
      case 'gitlab-restart':
        options.restartGitlab();
        return;
      case 'drop-webhooks':
        gitlab.webhooksToDrop = Number(given.count ?? Infinity);
        return;
      case 'platform': {
        const kind = text('kind');
        if (!platformFaultKinds.includes(kind as PlatformFaultKind)) {
          throw new InputError(`There is no platform fault of kind ${kind}`);
        }
        platform.set(
          kind as PlatformFaultKind,
          text('target'),
          text('value') as never,
        );
        return;
      }
      case 'route53-deny':
        aws.deny(optional('operation'));
        return;
      case 'route53-throttle':
        aws.throttle(Number(given.times ?? Infinity));
        return;
      case 'route53-hide-zone':
        aws.hideZone(text('zone'));
        return;
      case 'route53-fail':
        aws.failing = Number(given.status ?? 503);
        return;
      case 'route53-slow':
        aws.delay = Number(text('milliseconds'));
        return;
      case 'sts-deny':
        aws.denyAssumeRole = true;
        return;
      case 'stick-finalizer':
        stickFinalizer({
          kind: text('kind'),
          name: text('name'),
          namespace: optional('namespace'),
          cluster: Number(given.cluster ?? 0),
        });
        return;
      case 'kubernetes-cut-watches':
        faultsOfCluster().cutWatches(optional('kind'));
        return;
      case 'kubernetes-hang-watches':
        faultsOfCluster().hangWatches(optional('kind'));
        return;
      case 'kubernetes-expire':
        faultsOfCluster().expireResourceVersions();
        faultsOfCluster().expireContinueTokens();
        return;
      case 'kubernetes-refuse':
        await faultsOfCluster().refuseConnections(true);
        return;
      case 'kubernetes-forbid':
        faultsOfCluster().forbid(text('kind'), optional('verb'));
        return;
      case 'kubernetes-fail':
        faultsOfCluster().failNext(
          text('kind'),
          Number(text('status')),
          Number(given.times ?? 1),
        );
        return;
      case 'kubernetes-slow':
        faultsOfCluster().delay(Number(text('milliseconds')));
        return;
      case 'kubernetes-restart':
        await faultsOfCluster().restart();
        return;
      default:
        throw new InputError(
          `There is no fault ${name}; there are ${Object.keys(faultNames).join(
            ', ',
          )}`,
        );
    }
  };

  return {
    gitlab,
    platform,
    aws,
    clusters: clusters.map(({ faults }) => faults),
    stickFinalizer,
    releaseFinalizers,
    inject,
    clear: async () => {
      gitlab.clear();
      platform.clear();
      aws.clear();
      portalToken.revoked = false;
      releaseFinalizers();
      await Promise.all([
        ...clusters.map(({ faults }) => faults.clear()),
        options.argocd?.clear(),
      ]);
    },
  };
}

function answerFor(
  status: string,
  retryAfter: number | undefined,
  now: Date,
): FaultyAnswer {
  switch (status) {
    case '401':
      return gitlabAnswers.unauthorized;
    case '401-revoked':
      return gitlabAnswers.revoked;
    case '401-expired':
      return gitlabAnswers.expired;
    case '403':
      return gitlabAnswers.forbidden;
    case '403-scope':
      return gitlabAnswers.insufficientScope;
    case '404':
      return gitlabAnswers.notFound;
    case '404-project':
      return gitlabAnswers.projectNotFound;
    case '429':
      return gitlabAnswers.tooManyRequests(retryAfter, now);
    case '500':
      return gitlabAnswers.internalError;
    case '502':
      return gitlabAnswers.badGateway;
    default:
      throw new InputError(`There is no answer ${status}`);
  }
}
