import { IngressFact } from '../../model';
import { Verdict, verdict } from '../verdict';

const TYPE = 'RouteAccepted';

/** An Ingress is accepted once its controller has given it an address. */
export function ofIngress({
  meta,
  addressed,
  className,
  ofIngressNginx,
}: IngressFact): Verdict {
  const route = `Ingress ${meta.name}`;
  if (!addressed) {
    return verdict(TYPE, 'False', 'IngressPending', { route, className });
  }
  return ofIngressNginx
    ? verdict(TYPE, 'True', 'AcceptedByRetired', { route, className })
    : verdict(TYPE, 'True', 'Accepted', { route, parents: [] });
}
