import { IngressFact } from '../../model';
import { isOfKind, parseObjectMeta, ParseContext } from './meta';
import { compact, objectAt, objectsOf, textsOf, wholeTextOf } from './values';

/** Parses an Ingress of any of its groups; undefined for anything else. */
export function parseIngress(
  value: unknown,
  context: ParseContext,
): IngressFact | undefined {
  const groups = ['networking.k8s.io', 'extensions'];
  if (!isOfKind(value, { kind: 'Ingress', groups })) {
    return undefined;
  }
  const meta = parseObjectMeta(value, context);
  if (!meta) {
    return undefined;
  }
  const spec = objectAt(value, 'spec');
  const annotations = objectAt(value, 'metadata', 'annotations');
  const hosts = objectsOf(spec.rules).flatMap(
    rule => wholeTextOf(rule.host) ?? [],
  );
  const className =
    wholeTextOf(spec.ingressClassName) ??
    wholeTextOf(annotations['kubernetes.io/ingress.class']);
  return compact({
    meta,
    className,
    ofIngressNginx: isOfIngressNginx(className, Object.keys(annotations)),
    hosts: [...new Set(hosts)],
    tls: objectsOf(spec.tls).map(item =>
      compact({
        hosts: textsOf(item.hosts),
        secretName: wholeTextOf(item.secretName),
      }),
    ),
    addressed: objectsOf(
      objectAt(value, 'status', 'loadBalancer').ingress,
    ).some(
      address =>
        wholeTextOf(address.ip) !== undefined ||
        wholeTextOf(address.hostname) !== undefined,
    ),
  });
}

/**
 * `nginx` is the class that ingress-nginx makes for itself. The controller of F5
 * may have a class of the same name, and annotations of its own.
 */
function isOfIngressNginx(
  className: string | undefined,
  annotations: readonly string[],
): boolean {
  const has = (prefix: string) =>
    annotations.some(name => name.startsWith(prefix));
  return (
    has('nginx.ingress.kubernetes.io/') ||
    (className === 'nginx' && !has('nginx.org/') && !has('nginx.com/'))
  );
}
