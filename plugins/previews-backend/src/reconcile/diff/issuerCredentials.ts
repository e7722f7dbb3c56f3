import { WorldIndex } from '../worldIndex';
import { Found, found } from './found';

/** Issuers that sign in to AWS with a key that is stored. */
export function issuerCredentials({ world }: WorldIndex): Found[] {
  return world.clusters.flatMap(({ cluster, kinds }) =>
    (['clusterIssuers', 'issuers'] as const).flatMap(objects =>
      [...kinds[objects].objects.values()]
        .filter(({ staticAwsKey }) => staticAwsKey)
        .map(({ kind, meta: { namespace, name } }) =>
          found({
            type: 'IssuerStaticKey',
            subject: {
              kind,
              cluster,
              ...(namespace !== undefined && { namespace }),
              name,
            },
            params: {
              issuer: `${kind} ${
                namespace === undefined ? name : `${namespace}/${name}`
              }`,
              cluster,
            },
            restsOn: [{ kind: 'objects', cluster, objects }],
          }),
        ),
    ),
  );
}
