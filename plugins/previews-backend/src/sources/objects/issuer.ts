import { IssuerFact } from '../../model';
import { conditionOf } from './issuance';
import { isOfKind, parseLeanMeta, ParseContext } from './meta';
import { compact, objectAt, wholeTextOf } from './values';

function parse(
  value: unknown,
  context: ParseContext,
  kind: IssuerFact['kind'],
): IssuerFact | undefined {
  if (!isOfKind(value, { kind, groups: ['cert-manager.io'] })) {
    return undefined;
  }
  const meta = parseLeanMeta(value, context);
  if (!meta) {
    return undefined;
  }
  return compact({
    kind,
    meta,
    acmeServer: wholeTextOf(objectAt(value, 'spec', 'acme').server),
    ...(hasStaticAwsKey(value) && { staticAwsKey: true as const }),
    ready: conditionOf(objectAt(value, 'status'), 'Ready'),
  });
}

/** Without one of these, cert-manager takes a role or what its pod has. */
const STATIC_KEYS = [
  'accessKeyID',
  'accessKeyIDSecretRef',
  'secretAccessKeySecretRef',
];

function hasStaticAwsKey(value: unknown): boolean {
  const { solvers } = objectAt(value, 'spec', 'acme');
  return (Array.isArray(solvers) ? solvers : []).some(solver => {
    const route53 = objectAt(solver, 'dns01', 'route53');
    return STATIC_KEYS.some(key => Boolean(route53[key]));
  });
}

/** Parses an Issuer of cert-manager; undefined for anything else. */
export function parseIssuer(
  value: unknown,
  context: ParseContext,
): IssuerFact | undefined {
  return parse(value, context, 'Issuer');
}

/** Parses a ClusterIssuer of cert-manager; undefined for anything else. */
export function parseClusterIssuer(
  value: unknown,
  context: ParseContext,
): IssuerFact | undefined {
  return parse(value, context, 'ClusterIssuer');
}
