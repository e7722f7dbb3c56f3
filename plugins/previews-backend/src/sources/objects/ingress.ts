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
  return compact({
    meta,
    className:
      wholeTextOf(spec.ingressClassName) ??
      wholeTextOf(annotations['kubernetes.io/ingress.class']),
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
