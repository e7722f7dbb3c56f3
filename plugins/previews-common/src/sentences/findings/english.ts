import { SentenceFormat, TimeWords } from '../format';
import { Catalogue } from '../types';

const at: TimeWords = { hour: 'at', firstHour: 'at', date: 'on' };

export const findings: Catalogue['findings'] = {
  GeneratedSetShrank: ({ applicationSet, lost, before }, format) =>
    `The ApplicationSet ${applicationSet} lost ${format.number(
      lost,
    )} of ${format.number(
      before,
    )} Applications at once although their merge requests are open; until they are back the portal calls nothing of this set left behind, and whoever owns the set can check its filters and its generator’s token.`,
  NameCollision: ({ application, count }, format) =>
    `The Application name ${application} comes from ${format.number(
      count,
    )} merge requests, so that only one of them can have its preview; the ApplicationSet’s owner can put the project and the merge request’s number into the name.`,
  KeptByGenerator: ({ mergeRequest, state }) =>
    `The preview of ${mergeRequest} is kept by its ApplicationSet although the merge request is ${state}; the set’s owner can set pullRequestState to “opened” to have it removed.`,
  WithoutEnvironment: ({ mergeRequest }) =>
    `The merge request ${mergeRequest} is open and selected but has no Application.`,
  WithoutMergeRequest: ({ mergeRequest, since }, format) =>
    `No ApplicationSet wants the preview of ${mergeRequest} any more${
      since === undefined ? '' : ` (${format.time(since)})`
    }, and what is left of it is not being deleted; whoever owns the service can remove it.`,
  NamespaceLeft: (
    { namespace, cluster, mergeRequest, since, contents },
    format,
  ) =>
    `The namespace ${namespace} of the cluster ${cluster} was made for ${mergeRequest}, which no ApplicationSet wants any more${
      since === undefined ? '' : ` (${format.time(since)})`
    }; no Application deploys to it${contentsOf(
      contents,
      format,
    )}; whoever owns the service can remove it.`,
  CertificateBudgetSpent: ({ domain, limit, refillAt, wildcard }, format) =>
    `No new certificate can be had for ${domain}: its ${format.number(
      limit,
    )} of 7 days are used${
      refillAt === undefined
        ? ''
        : `, and the next one is free ${format.when(refillAt, at)}`
    }; ${
      wildcard === undefined
        ? 'whoever runs the platform can let previews share certificates.'
        : `whoever runs the platform can serve previews with one certificate for ${wildcard}.`
    }`,
  CertificateBudgetLow: (
    { domain, left, limit, runsOutAt, wildcard },
    format,
  ) =>
    `${format.number(left)} of ${format.number(
      limit,
    )} new certificates are left for ${domain}${
      runsOutAt === undefined
        ? ''
        : `, which run out ${format.when(
            runsOutAt,
            at,
          )} at the pace of the week`
    }; ${
      wildcard === undefined
        ? 'whoever runs the platform can let previews share certificates.'
        : `whoever runs the platform can serve previews with one certificate for ${wildcard}.`
    }`,
  NameSetBudgetSpent: ({ names, limit, refillAt }, format) =>
    `The certificate for ${names} was issued ${format.number(
      limit,
    )} times in 7 days and is refused for now${
      refillAt === undefined
        ? ''
        : `; the next one is free ${format.when(refillAt, at)}`
    }. Whoever owns the service can see why its Certificate or Secret is made again and again.`,
  IssuerStaticKey: ({ issuer, cluster }) =>
    `The ${issuer} of the cluster ${cluster} signs in to AWS with a stored key; whoever runs the cluster can give it a role by the service account of cert-manager (auth.kubernetes.serviceAccountRef) and delete the key.`,
  TokenRefused: ({ token, host }) =>
    `${host} does not accept the token ${token}; whoever runs the platform has to make a new one and put it where the old one is used.`,
  TokenScopeTooWide: ({ token, host, scopes }) =>
    `The token ${token} for ${host} may do more than read_api (${scopes}); whoever runs the platform can replace it by one with read_api alone.`,
  TokenExpires: ({ token, host, expiresAt }, format) =>
    expiresAt === undefined
      ? `The token ${token} for ${host} never expires; whoever runs the platform can replace it by one with an expiry date.`
      : `The token ${token} for ${host} expires on ${format.date(
          expiresAt,
        )}; whoever runs the platform has to renew it before.`,
  TokenNotVerifiable: ({ token, host }) =>
    `It cannot be verified what the token ${token} for ${host} may do and when it expires, since it was not handed over or GitLab gives no answer; whoever runs the portal can name it under previews.checks.tokens.`,
  Unjoined: ({ application, applicationSet }) =>
    `The Application ${application} of the ApplicationSet ${applicationSet} fits no merge request that the portal knows; it is left alone, and the set’s owner can label it with previews/project-id and previews/merge-request.`,
  NamespaceMaybeLeft: (
    { namespace, cluster, mergeRequest, since, contents },
    format,
  ) =>
    `The namespace ${namespace} of the cluster ${cluster} may be left of ${mergeRequest}, which no ApplicationSet wants any more${
      since === undefined ? '' : ` (${format.time(since)})`
    }: it has the name and nothing else says whose it is; no Application deploys to it${contentsOf(
      contents,
      format,
    )}; whoever runs the cluster knows whether it can go.`,
  ProjectClaimedFromElsewhere: ({ entity, project }) =>
    `The entity ${entity} names the project ${project}, which is in another group than the entity’s own file, so its previews are not shown there; whoever runs the portal can allow it under previews.catalog.allow.`,
};

/** How much is in a namespace, where that was read. */
function contentsOf(count: number | undefined, format: SentenceFormat): string {
  return count === undefined
    ? ''
    : ` (workloads, Pods, routes and certificates in it: ${format.number(
        count,
      )})`;
}
