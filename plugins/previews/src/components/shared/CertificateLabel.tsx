import { ComponentType } from 'react';
import { makeStyles } from '@material-ui/core/styles';
import { SvgIconProps } from '@material-ui/core/SvgIcon';
import ErrorOutlineIcon from '@material-ui/icons/ErrorOutline';
import HelpOutlineIcon from '@material-ui/icons/HelpOutline';
import HourglassEmptyIcon from '@material-ui/icons/HourglassEmpty';
import LockIcon from '@material-ui/icons/Lock';
import ReportProblemIcon from '@material-ui/icons/ReportProblem';
import TimerOffIcon from '@material-ui/icons/TimerOff';
import { CertificateSummary } from '@previews/backstage-plugin-previews-common';
import { useWords } from '../../words';
import {
  CertificateNote,
  certificateNoteAt,
  certificateStateAt,
  worstCertificate,
} from './certificates';
import { joinClasses } from './joinClasses';
import { NextTry } from './NextTry';
import { useToneStyles } from './useToneStyles';
import { VisuallyHidden } from './VisuallyHidden';

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
    second: {
      color: theme.palette.text.secondary,
      fontSize: '0.75rem',
      lineHeight: '16px',
    },
    issuer: {
      overflow: 'hidden',
      textOverflow: 'ellipsis',
      whiteSpace: 'nowrap',
    },
  }),
  { name: 'PreviewsCertificateLabel' },
);

/** Why it is not known, who issued it and when it ends, for whoever hovers. */
function useHint(certificate: CertificateSummary): string | undefined {
  const { t, dateTime, sentence } = useWords();
  const { issuer, notAfter, state, reason, params, message } = certificate;
  const parts = [
    state === 'unknown' &&
      sentence({ type: 'CertificateReady', reason, params, message }),
    issuer,
    notAfter && t('certificates.expires', { date: dateTime(notAfter) }),
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(' · ') : undefined;
}

/** State of one certificate as an icon and a word, or the time it has left. */
export function CertificateState(props: { certificate: CertificateSummary }) {
  const { certificate } = props;
  const { t, now, duration } = useWords();
  const classes = useStyles();
  const tones = useToneStyles();
  const hint = useHint(certificate);
  const { state, tone, concern, secondsLeft } = certificateStateAt(
    certificate,
    now,
  );
  const Icon = concern ? ReportProblemIcon : icons[state] ?? HelpOutlineIcon;
  const remaining =
    secondsLeft === undefined ? undefined : duration(secondsLeft);
  return (
    <span className={joinClasses(classes.line, tones[tone])} title={hint}>
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

/**
 * What is to be known beside the state: what worries, what it waits for or when
 * it is tried again.
 */
export function CertificateNoteText(props: { note: CertificateNote }) {
  const { note } = props;
  const { t } = useWords();
  switch (note.kind) {
    case 'concern':
      return <>{t(`certificate.${note.concern}`)}</>;
    case 'retry':
      return <NextTry time={note.time} />;
    default:
      return <>{t('certificate.forDns')}</>;
  }
}

/** The certificate cell: the one that most needs looking at, and what matters of it. */
export function CertificateLabel(props: {
  certificates: readonly CertificateSummary[];
}) {
  const { certificates } = props;
  const { t, now } = useWords();
  const classes = useStyles();
  const certificate = worstCertificate(certificates);
  if (!certificate) {
    return null;
  }
  const { issuer } = certificate;
  const note = certificateNoteAt(certificate, now);
  const more =
    certificates.length > 1
      ? t('certificate.more', { number: String(certificates.length - 1) })
      : undefined;
  const quiet = [issuer, more].filter(Boolean).join(' · ');
  return (
    <>
      <CertificateState certificate={certificate} />
      {note && (
        <div className={classes.second}>
          <CertificateNoteText note={note} />
          {more && ` · ${more}`}
        </div>
      )}
      {!note && quiet && (
        <div
          className={joinClasses(classes.second, classes.issuer)}
          title={issuer}
        >
          {quiet}
        </div>
      )}
    </>
  );
}
