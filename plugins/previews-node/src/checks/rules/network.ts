import { AnyCheck, check } from '../check';
import { isServing, selects, workloadsOf } from '../pods';
import { CheckedObject } from '../SetUp';
import {
  JsonObject,
  listAt,
  objectAt,
  objectsAt,
  Path,
  textAt,
} from '../values';

/** Policies of other network plugins are not read, and count as there. */
const OTHER_POLICIES = ['CiliumNetworkPolicy', 'GlobalNetworkPolicy'];

function limitsIngress({ object }: CheckedObject): boolean {
  const types = listAt(object, 'spec', 'policyTypes');
  return types.length === 0 || types.includes('Ingress');
}

function isEverybody(peer: JsonObject): boolean {
  const block = textAt(peer, 'ipBlock', 'cidr');
  const namespaces = peer.namespaceSelector;
  return (
    block === '0.0.0.0/0' ||
    block === '::/0' ||
    (typeof namespaces === 'object' &&
      namespaces !== null &&
      Object.keys(namespaces).length === 0 &&
      Object.keys(objectAt(peer, 'podSelector')).length === 0)
  );
}

/** The first rule that lets everybody in. */
function openRule({ object }: CheckedObject): Path | undefined {
  for (const { object: rule, path } of objectsAt(object, 'spec', 'ingress')) {
    const peers = objectsAt(rule, 'from');
    if (peers.length === 0) {
      return path;
    }
    const open = peers.findIndex(peer => isEverybody(peer.object));
    if (open >= 0) {
      return [...path, 'from', open];
    }
  }
  return undefined;
}

/** Who can reach pods. */
export const networkChecks: AnyCheck[] = [
  check('NetworkPolicyMissing', setUp =>
    workloadsOf(setUp)
      .filter(
        workload =>
          isServing(workload, setUp) &&
          setUp.wouldHave('NetworkPolicy', workload.on) &&
          setUp.beside(workload.on, ...OTHER_POLICIES).length === 0 &&
          !setUp
            .beside(workload.on, 'NetworkPolicy')
            .some(
              policy =>
                limitsIngress(policy) &&
                selects(
                  objectAt(policy.object, 'spec', 'podSelector'),
                  workload.labels,
                ),
            ),
      )
      .map(({ on }) => ({ on, at: ['metadata', 'name'], params: {} })),
  ),
  check('NetworkPolicyOpen', setUp =>
    setUp
      .ofKind('NetworkPolicy')
      .filter(({ group }) => group === 'networking.k8s.io')
      .flatMap(on => {
        const at = openRule(on);
        return at ? [{ on, at, params: {} }] : [];
      }),
  ),
];
