import { ComponentType } from 'react';
import { makeStyles } from '@material-ui/core/styles';
import { SvgIconProps } from '@material-ui/core/SvgIcon';
import ErrorOutlineIcon from '@material-ui/icons/ErrorOutline';
import HelpOutlineIcon from '@material-ui/icons/HelpOutline';
import HourglassEmptyIcon from '@material-ui/icons/HourglassEmpty';
import LockIcon from '@material-ui/icons/Lock';
import TimerOffIcon from '@material-ui/icons/TimerOff';
import { CertificateSummary } from '@previews/backstage-plugin-previews-common';
import { secondsBetween, useWords } from '../../words';
import { joinClasses } from './joinClasses';
import { useToneStyles } from './useToneStyles';
import { VisuallyHidden } from './VisuallyHidden';
import { certificateTones, worstCertificate } from './worst';

const icons: Record<
  CertificateSummary['state'],
  ComponentType<SvgIconProps>
> = {
  ready: LockIcon,
  waiting: HourglassEmptyIcon,
  failed: ErrorOutlineIcon,
  expired: TimerOffIcon,
  unknown: HelpOutlineIcon,
};

const useStyles = makeStyles(
  theme => ({
    line: { display: 'flex', alignItems: 'center', gap: 4 },
    icon: { fontSize: '1rem', flexShrink: 0 },
    issuer: {
      color: theme.palette.text.secondary,
      fontSize: '0.75rem',
      overflow: 'hidden',
      textOverflow: 'ellipsis',
      whiteSpace: 'nowrap',
    },
  }),
  { name: 'PreviewsCertificateLabel' },
);

/** State of one certificate as an icon and a word, or the time it has left. */
export function CertificateState(props: { certificate: CertificateSummary }) {
  const { certificate } = props;
  const { t, now, duration, dateTime } = useWords();
  const classes = useStyles();
  const tones = useToneStyles();
  const left =
    certificate.state === 'ready' && certificate.notAfter
      ? secondsBetween(new Date(now).toISOString(), certificate.notAfter)
      : undefined;
  // The reading may be older than the certificate's end.
  const state = left !== undefined && left <= 0 ? 'expired' : certificate.state;
  const Icon = icons[state] ?? HelpOutlineIcon;
  const remaining =
    state === 'ready' && left !== undefined ? duration(left) : undefined;
  return (
    <span
      className={joinClasses(classes.line, tones[certificateTones[state]])}
      title={certificate.notAfter && dateTime(certificate.notAfter)}
    >
      <Icon className={classes.icon} aria-hidden />
      {remaining ? (
        <>
          <span aria-hidden>{remaining}</span>
          <VisuallyHidden>
            {t('certificate.daysLeft', { duration: remaining })}
          </VisuallyHidden>
        </>
      ) : (
        t(`certificate.${state}`)
      )}
    </span>
  );
}

/** The certificate cell: the one that most needs looking at, and its issuer. */
export function CertificateLabel(props: {
  certificates: readonly CertificateSummary[];
}) {
  const { certificates } = props;
  const { t } = useWords();
  const classes = useStyles();
  const certificate = worstCertificate(certificates);
  if (!certificate) {
    return null;
  }
  const more = certificates.length - 1;
  const second = [
    certificate.issuer,
    more > 0 ? t('certificate.more', { number: String(more) }) : undefined,
  ].filter(Boolean);
  return (
    <>
      <CertificateState certificate={certificate} />
      {second.length > 0 && (
        <div className={classes.issuer} title={certificate.issuer}>
          {second.join(' · ')}
        </div>
      )}
    </>
  );
}
