import { REVIEW_RESOURCES } from './discovery';
import type { RbacAuthorizer, UserInfo } from './rbac';
import type { RequestInfo } from './requestInfo';

/** Whether a request asks one of the reviews, which are never stored. */
export function isReview({ group, version, plural }: RequestInfo): boolean {
  return REVIEW_RESOURCES.some(
    review =>
      review.apiVersion === `${group}/${version}` && review.plural === plural,
  );
}

/** Answers what a user may do, or who they are. */
export function answerReview(options: {
  plural: string;
  body: any;
  user: UserInfo;
  authorizer: RbacAuthorizer;
}): Record<string, unknown> {
  const { plural, body, user, authorizer } = options;
  const spec = body?.spec ?? {};
  const base = { ...body, metadata: { creationTimestamp: null } };
  switch (plural) {
    case 'selfsubjectreviews':
      return {
        ...base,
        status: { userInfo: { username: user.name, groups: user.groups } },
      };
    case 'selfsubjectrulesreviews': {
      const rules = authorizer.rulesFor(user, spec.namespace);
      return {
        ...base,
        status: {
          incomplete: false,
          resourceRules: rules.filter(rule => rule.resources),
          nonResourceRules: rules.filter(rule => rule.nonResourceURLs),
        },
      };
    }
    default: {
      const { resourceAttributes, nonResourceAttributes } = spec;
      const allowed = resourceAttributes
        ? authorizer.allowsResource(user, {
            verb: resourceAttributes.verb ?? '',
            group: resourceAttributes.group ?? '',
            resource: resourceAttributes.resource ?? '',
            subresource: resourceAttributes.subresource || undefined,
            namespace: resourceAttributes.namespace || undefined,
            name: resourceAttributes.name || undefined,
          })
        : authorizer.allowsPath(user, {
            verb: nonResourceAttributes?.verb ?? '',
            path: nonResourceAttributes?.path ?? '',
          });
      return { ...base, status: { allowed } };
    }
  }
}
