import { AnyCheck, check, Found } from '../check';
import { workloadsOf } from '../pods';
import { CheckedObject, SetUp } from '../SetUp';
import { objectAt, objectsAt, Path, textAt } from '../values';

const CONTROLLER = 'k8s.io/ingress-nginx';
const ANNOTATION = 'nginx.ingress.kubernetes.io/';
const CLASS_ANNOTATION = 'kubernetes.io/ingress.class';

/** What in an Ingress says that ingress-nginx serves it. */
function nginxOfIngress(on: CheckedObject, setUp: SetUp): Path | undefined {
  const annotations = objectAt(on.object, 'metadata', 'annotations');
  const named = Object.keys(annotations).find(name =>
    name.startsWith(ANNOTATION),
  );
  if (named !== undefined) {
    return ['metadata', 'annotations', named];
  }
  const own = textAt(on.object, 'spec', 'ingressClassName');
  const name = own || textAt(annotations, CLASS_ANNOTATION);
  const declared = setUp
    .with(on, 'IngressClass')
    .find(ingressClass => ingressClass.name === name);
  const isNginx = declared
    ? textAt(declared.object, 'spec', 'controller') === CONTROLLER
    : name === 'nginx';
  if (!isNginx) {
    return undefined;
  }
  return own === ''
    ? ['metadata', 'annotations', CLASS_ANNOTATION]
    : ['spec', 'ingressClassName'];
}

function nginxUses(setUp: SetUp): Found<'IngressNginxRetired'>[] {
  const ingresses = setUp.ofKind('Ingress').flatMap(on => {
    const at = nginxOfIngress(on, setUp);
    return at ? [{ on, at, params: {} }] : [];
  });
  const classes = setUp
    .ofKind('IngressClass')
    .filter(({ object }) => textAt(object, 'spec', 'controller') === CONTROLLER)
    .map(on => ({ on, at: ['spec', 'controller'], params: {} }));
  const controllers = workloadsOf(setUp).flatMap(({ on, containers }) =>
    containers
      .filter(({ image }) => /(?:^|\/)ingress-nginx\/controller/.test(image))
      .map(({ path }) => ({ on, at: [...path, 'image'], params: {} })),
  );
  const charts = setUp.ofKind('Application').flatMap(on =>
    [
      {
        object: objectAt(on.object, 'spec', 'source'),
        path: ['spec', 'source'],
      },
      ...objectsAt(on.object, 'spec', 'sources'),
    ]
      .filter(({ object }) => textAt(object, 'chart') === 'ingress-nginx')
      .map(({ path }) => ({ on, at: [...path, 'chart'], params: {} })),
  );
  return [...ingresses, ...classes, ...controllers, ...charts];
}

function loadBalancers(setUp: SetUp): CheckedObject[] {
  return setUp
    .ofKind('Service')
    .filter(({ object }) => textAt(object, 'spec', 'type') === 'LoadBalancer');
}

/**
 * Namespaces whose Secrets the edge reads: those that the context names, and those
 * that hold routes alone and point across by ExternalName.
 */
function isServed(on: CheckedObject, setUp: SetUp): boolean {
  return (
    Boolean(setUp.context.servedNamespaces?.includes(on.namespace)) ||
    (setUp.beside(on, 'Ingress', 'HTTPRoute').length > 0 &&
      setUp
        .beside(on, 'Service')
        .some(
          ({ object }) => textAt(object, 'spec', 'type') === 'ExternalName',
        ))
  );
}

/** Where the type of a Secret, or of what makes one, is. */
const SECRET_TYPES: Record<string, Path> = {
  Secret: ['type'],
  ExternalSecret: ['spec', 'target', 'template', 'type'],
  SealedSecret: ['spec', 'template', 'type'],
};

function isPullKey({ kind, object }: CheckedObject): boolean {
  return /^kubernetes\.io\/dockerc(?:onfigjson|fg)$/.test(
    textAt(object, ...SECRET_TYPES[kind]),
  );
}

/** What stands between previews and the world. */
export const edgeChecks: AnyCheck[] = [
  check('IngressNginxRetired', nginxUses),
  check('GatewayAdmitsAll', setUp =>
    setUp.ofKind('Gateway').flatMap(on =>
      objectsAt(on.object, 'spec', 'listeners')
        .filter(
          ({ object }) =>
            textAt(object, 'allowedRoutes', 'namespaces', 'from') === 'All',
        )
        .slice(0, 1)
        .map(({ path }) => ({
          on,
          at: [...path, 'allowedRoutes', 'namespaces', 'from'],
          params: {},
        })),
    ),
  ),
  check('LoadBalancerInPreview', setUp =>
    loadBalancers(setUp)
      .filter(({ tier }) => tier === 'preview')
      .map(on => ({ on, at: ['spec', 'type'], params: {} })),
  ),
  check('LoadBalancerHidesClients', setUp =>
    loadBalancers(setUp)
      .filter(
        ({ object, tier }) =>
          tier !== 'preview' &&
          textAt(object, 'spec', 'externalTrafficPolicy') !== 'Local',
      )
      .map(on => ({
        on,
        at: ['spec', 'externalTrafficPolicy'],
        params: {},
      })),
  ),
  check('SecretInServedNamespace', setUp =>
    setUp
      .ofKind(...Object.keys(SECRET_TYPES))
      .filter(on => !isPullKey(on) && isServed(on, setUp))
      .map(on => ({
        on,
        at: ['metadata', 'namespace'],
        params: { namespace: on.namespace },
      })),
  ),
];
