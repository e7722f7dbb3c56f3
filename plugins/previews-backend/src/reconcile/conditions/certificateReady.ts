import { coverage } from '../certificates';
import { kindUnknown } from '../readability';
import { Verdict, worst } from '../verdict';
import { PolicyContext } from './context';

const TYPE = 'CertificateReady';

/**
 * Whether valid certificates cover the preview's hosts; absent where it has neither
 * a Certificate nor a host with TLS.
 */
export function certificateReady(context: PolicyContext): Verdict | undefined {
  const { observed, now, settings, wanted } = context;
  if (!wanted || observed.applications.length === 0) {
    return undefined;
  }
  const options = { now, settings };
  const { namespaces } = observed.current;
  const unread = namespaces.flatMap(
    ({ cluster }) => kindUnknown(TYPE, cluster, 'certificates', options) ?? [],
  );
  const isRead = ({ cluster }: { cluster: string }) =>
    !namespaces.some(
      namespace =>
        namespace.cluster.cluster === cluster &&
        kindUnknown(TYPE, namespace.cluster, 'certificates', options),
    );
  const { certificates, endpoints } = observed.tls;
  const found = coverage(
    {
      certificates: certificates.filter(({ cluster }) => isRead(cluster)),
      endpoints: endpoints.filter(({ cluster }) => isRead(cluster)),
    },
    options,
  );
  return worst(TYPE, [...unread, ...(found ? [found] : [])]);
}
