import { makeStyles } from '@material-ui/core/styles';
import {
  CertificateSummary,
  Preview,
} from '@previews/backstage-plugin-previews-common';
import { secondsBetween, useWords } from '../../words';
import {
  certificateNoteAt,
  CertificateNoteText,
  CertificateState,
  certificateStateAt,
  joinClasses,
  useToneStyles,
} from '../shared';
import { CertificateChain } from './CertificateChain';
import { toChain } from './chainSteps';
import { useListStyles } from './useListStyles';

const useStyles = makeStyles(
  theme => ({
    certificate: {
      '& + &': {
        marginTop: theme.spacing(1),
        paddingTop: theme.spacing(1.5),
        borderTop: `1px solid ${theme.palette.divider}`,
      },
    },
    sentence: { margin: theme.spacing(0.5, 0, 0) },
  }),
  { name: 'PreviewsCertificateSection' },
);

/** Whether the sentence of the row, which stands above the sections, is this certificate's. */
function isToldByRow(
  { reason: told }: Preview,
  { name, reason }: CertificateSummary,
): boolean {
  return (
    told?.type === 'CertificateReady' &&
    told.reason === reason &&
    told.params.certificate === name
  );
}

/** Wildcard or shared, the issuer, and the dates. */
function useFacts(certificate: CertificateSummary): string {
  const { t, now, date } = useWords();
  return [
    certificate.wildcard && t('certificates.wildcard'),
    certificate.shared && t('resources.shared'),
    certificate.issuer,
    certificate.notAfter &&
      t('certificates.expires', { date: date(certificate.notAfter) }),
    certificate.renewalTime &&
      t(
        (secondsBetween(certificate.renewalTime, now) ?? 0) > 0
          ? 'certificates.renewalDue'
          : 'certificates.renews',
        { date: date(certificate.renewalTime) },
      ),
  ]
    .filter(Boolean)
    .join(' · ');
}

function CertificateItem(props: {
  certificate: CertificateSummary;
  preview: Preview;
  id: string;
}) {
  const { certificate, preview, id } = props;
  const { now, sentence } = useWords();
  const classes = useStyles();
  const list = useListStyles();
  const tones = useToneStyles();
  const facts = useFacts(certificate);
  const { state, tone, concern } = certificateStateAt(certificate, now);
  const note = certificateNoteAt(certificate, now);
  const hasChain = (certificate.chain ?? []).length > 0;
  const needsWords = state !== 'ready' || concern !== undefined;
  const told =
    needsWords && !isToldByRow(preview, certificate)
      ? sentence({ type: 'CertificateReady', ...certificate })
      : undefined;
  const isSaidByChain =
    concern === undefined &&
    toChain(certificate, now).some(({ deciding }) => deciding);
  return (
    <>
      <div className={list.line}>
        <CertificateState certificate={certificate} />
        {note && !(note.kind === 'retry' && isSaidByChain) && (
          <span className={tones[tone]}>
            <CertificateNoteText note={note} />
          </span>
        )}
        <strong>{certificate.hosts.join(', ')}</strong>
        <span className={list.quiet}>
          {certificate.namespace}/{certificate.name}
        </span>
      </div>
      {facts && <div>{facts}</div>}
      {told && !isSaidByChain && <p className={classes.sentence}>{told}</p>}
      {hasChain && (
        <CertificateChain
          certificate={certificate}
          sentence={isSaidByChain ? told : undefined}
          usualSeconds={preview.usual?.CertificateReady}
          id={id}
        />
      )}
    </>
  );
}

/** Every certificate: hosts, state, issuer, its dates, and where its issuance stands. */
export function CertificateSection(props: { preview: Preview; id: string }) {
  const { preview, id } = props;
  const { certificates } = preview;
  const { t } = useWords();
  const classes = useStyles();
  const list = useListStyles();
  if (certificates.length === 0) {
    return <p className={list.item}>{t('certificates.none')}</p>;
  }
  return (
    <ul className={list.list}>
      {certificates.map((certificate, index) => (
        <li
          key={`${certificate.cluster}/${certificate.namespace}/${certificate.name}`}
          className={joinClasses(list.item, classes.certificate)}
        >
          <CertificateItem
            certificate={certificate}
            preview={preview}
            id={`${id}-${index}`}
          />
        </li>
      ))}
    </ul>
  );
}
