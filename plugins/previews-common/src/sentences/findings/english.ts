import { Catalogue } from '../types';

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
  Unjoined: ({ application, applicationSet }) =>
    `The Application ${application} of the ApplicationSet ${applicationSet} fits no merge request that the portal knows; it is left alone, and the set’s owner can label it with previews/project-id and previews/merge-request.`,
  ProjectClaimedFromElsewhere: ({ entity, project }) =>
    `The entity ${entity} names the project ${project}, which is in another group than the entity’s own file, so its previews are not shown there; whoever runs the portal can allow it under previews.catalog.allow.`,
};
