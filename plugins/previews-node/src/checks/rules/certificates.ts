import { AnyCheck, check } from '../check';
import { CheckedObject, SetUp } from '../SetUp';
import { objectAt, objectsAt, textAt, textsAt } from '../values';

/** Without one of these, cert-manager takes a role or what its pod has. */
const STATIC_KEYS = [
  'accessKeyID',
  'accessKeyIDSecretRef',
  'secretAccessKeySecretRef',
];

const SOLVERS = ['spec', 'acme', 'solvers'];

function issuersOf(setUp: SetUp): CheckedObject[] {
  return setUp.ofKind('Issuer', 'ClusterIssuer');
}

/** Whether HTTP-01 is all that the issuer can do. */
function hasHttpOnly({ object }: CheckedObject): boolean {
  const solvers = objectsAt(object, ...SOLVERS);
  return (
    solvers.length > 0 &&
    solvers.every(solver => Object.hasOwn(solver.object, 'http01'))
  );
}

function issuerOf(
  certificate: CheckedObject,
  setUp: SetUp,
): CheckedObject | undefined {
  const reference = objectAt(certificate.object, 'spec', 'issuerRef');
  const kind = textAt(reference, 'kind') || 'Issuer';
  const issuers =
    kind === 'ClusterIssuer'
      ? setUp
          .ofKind(kind)
          .filter(({ cluster }) => cluster === certificate.cluster)
      : setUp.beside(certificate, kind);
  return issuers.find(({ name }) => name === reference.name);
}

/** How certificates are come by. */
export const certificateChecks: AnyCheck[] = [
  check('StaticAwsKey', setUp =>
    issuersOf(setUp).flatMap(on =>
      objectsAt(on.object, ...SOLVERS)
        .flatMap(({ object, path }) => {
          const route53 = objectAt(object, 'dns01', 'route53');
          const key = STATIC_KEYS.find(name => Boolean(route53[name]));
          return key === undefined
            ? []
            : [{ on, at: [...path, 'dns01', 'route53', key], params: {} }];
        })
        .slice(0, 1)
        // Half a key is more than has to be shown.
        .map(found => ({ ...found, value: '…' })),
    ),
  ),
  check('WildcardByHttp01', setUp => {
    const certificates = setUp.ofKind('Certificate').flatMap(on => {
      const names = textsAt(on.object, 'spec', 'dnsNames');
      const index = names.findIndex(name => name.startsWith('*.'));
      const issuer = index < 0 ? undefined : issuerOf(on, setUp);
      return issuer && hasHttpOnly(issuer)
        ? [
            {
              on,
              at: ['spec', 'dnsNames', index],
              params: { host: names[index] },
            },
          ]
        : [];
    });
    const selectors = issuersOf(setUp).flatMap(on =>
      objectsAt(on.object, ...SOLVERS)
        .filter(({ object }) => Object.hasOwn(object, 'http01'))
        .flatMap(({ object, path }) => {
          const names = textsAt(object, 'selector', 'dnsNames');
          const index = names.findIndex(name => name.startsWith('*.'));
          return index < 0
            ? []
            : [
                {
                  on,
                  at: [...path, 'selector', 'dnsNames', index],
                  params: { host: names[index] },
                },
              ];
        }),
    );
    return [...certificates, ...selectors];
  }),
];
