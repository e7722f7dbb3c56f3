import { LEADING_KINDS } from '../listed';
import { ofHttpRoute } from '../routes/httpRoute';
import { ofIngress } from '../routes/ingress';
import { kindUnknown } from '../readability';
import { Verdict, verdict, worst } from '../verdict';
import { PolicyContext } from './context';

const TYPE = 'RouteAccepted';

/**
 * Whether each route of the preview is served by at least one parent; absent where
 * it has no route, by what is read and by what Argo CD says.
 */
export function routeAccepted(context: PolicyContext): Verdict | undefined {
  const { observed, now, settings, wanted } = context;
  if (!wanted || observed.applications.length === 0) {
    return undefined;
  }
  const verdicts = observed.current.namespaces.flatMap(
    ({ cluster, httpRoutes, ingresses }) => {
      const options = { now, settings };
      const unreadRoutes = kindUnknown(TYPE, cluster, 'httpRoutes', options);
      const unreadIngresses = kindUnknown(TYPE, cluster, 'ingresses', options);
      const known = [
        ...httpRoutes.map(
          route => unreadRoutes ?? ofHttpRoute(route, cluster, options),
        ),
        ...ingresses.map(ingress => unreadIngresses ?? ofIngress(ingress)),
      ];
      // One kind that cannot be read does not hide what the other one says.
      const unread = unreadRoutes ?? unreadIngresses;
      return known.length > 0 || !unread ? known : [unread];
    },
  );
  return worst(TYPE, [...verdicts, ...unseen(context)]);
}

/**
 * Routes that Argo CD says it applied and that are not among those that were read,
 * which may be a moment behind: until they are seen, nothing accepts them.
 */
function unseen({ observed, now, settings }: PolicyContext): Verdict[] {
  return observed.current.applications.flatMap(
    ({ destination: cluster, fact }) =>
      fact.resources.flatMap(resource => {
        const of = (['httpRoutes', 'ingresses'] as const).find(
          one =>
            LEADING_KINDS[one].kind === resource.kind &&
            LEADING_KINDS[one].group === resource.group,
        );
        const isApplied = resource.status === 'Synced' && !resource.hook;
        if (!of || !cluster || !isApplied) {
          return [];
        }
        const { state, objects } = cluster.kinds[of];
        const isKnown =
          state === 'notInstalled' ||
          kindUnknown(TYPE, cluster, of, { now, settings }) !== undefined ||
          objects.has(`${resource.namespace}/${resource.name}`);
        const route = `${resource.kind} ${resource.name}`;
        return isKnown
          ? []
          : [
              of === 'httpRoutes'
                ? verdict(TYPE, 'False', 'Pending', { route })
                : verdict(TYPE, 'False', 'IngressPending', { route }),
            ];
      }),
  );
}
