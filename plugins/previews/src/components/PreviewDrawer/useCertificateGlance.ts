import { CertificateSummary } from '@previews/backstage-plugin-previews-common';
import { useWords } from '../../words';

/** Hosts, and of a single certificate who issued it and when it ends. */
export function useCertificateGlance(
  certificates: readonly CertificateSummary[],
): string {
  const { t, date } = useWords();
  const hosts = certificates.flatMap(certificate => certificate.hosts);
  const [only] = certificates.length === 1 ? certificates : [];
  return [
    hosts.join(', '),
    only?.issuer,
    only?.notAfter && t('certificates.expires', { date: date(only.notAfter) }),
  ]
    .filter(Boolean)
    .join(' · ');
}
