import { CertificateSummary } from '@previews/backstage-plugin-previews-common';
import { useWords } from '../../words';
import { CertificateState } from '../shared';
import { useListStyles } from './useListStyles';

/** Every certificate: hosts, state, issuer, its dates and what it waits for. */
export function CertificateSection(props: {
  certificates: readonly CertificateSummary[];
}) {
  const { certificates } = props;
  const { t, date, dateTime, sentence } = useWords();
  const classes = useListStyles();
  if (certificates.length === 0) {
    return <p className={classes.item}>{t('certificates.none')}</p>;
  }
  return (
    <ul className={classes.list}>
      {certificates.map(certificate => {
        const facts = [
          certificate.wildcard && t('certificates.wildcard'),
          certificate.issuer,
          certificate.notAfter &&
            t('certificates.expires', { date: date(certificate.notAfter) }),
          certificate.renewalTime &&
            t('certificates.renews', { date: date(certificate.renewalTime) }),
          certificate.retryAt &&
            t('certificates.retry', { date: dateTime(certificate.retryAt) }),
        ].filter(Boolean);
        return (
          <li
            key={`${certificate.cluster}/${certificate.namespace}/${certificate.name}`}
            className={classes.item}
          >
            <div className={classes.line}>
              <CertificateState certificate={certificate} />
              <strong>{certificate.hosts.join(', ')}</strong>
              <span className={classes.quiet}>
                {certificate.namespace}/{certificate.name}
              </span>
            </div>
            {facts.length > 0 && <div>{facts.join(' · ')}</div>}
            {certificate.state !== 'ready' && (
              <div className={classes.quiet}>
                {sentence({ type: 'CertificateReady', ...certificate })}
              </div>
            )}
          </li>
        );
      })}
    </ul>
  );
}
