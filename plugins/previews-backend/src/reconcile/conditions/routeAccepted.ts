import { ofHttpRoute } from '../routes/httpRoute';
import { ofIngress } from '../routes/ingress';
import { kindUnknown } from '../readability';
import { Verdict, worst } from '../verdict';
import { PolicyContext } from './context';

const TYPE = 'RouteAccepted';

/** Whether each route of the preview is served by at least one parent; absent where it has no route. */
export function routeAccepted(context: PolicyContext): Verdict | undefined {
  const { observed, now, settings, wanted } = context;
  if (!wanted || observed.applications.length === 0) {
    return undefined;
  }
  const verdicts = observed.namespaces.flatMap(
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
  return worst(TYPE, verdicts);
}
