import { makeStyles } from '@material-ui/core/styles';
import {
  CertificateSummary,
  Preview,
} from '@previews/backstage-plugin-previews-common';
import { useWords } from '../../words';
import {
  AgeLabel,
  certificateNoteAt,
  CertificateNoteText,
  CertificateState,
  joinClasses,
  OpenAction,
  PhaseLabel,
  ReasonLine,
  TtlLine,
  worstCertificate,
} from '../shared';
import { MergeRequestLabel } from './MergeRequestLabel';
import { opensRow, RowActions } from './PreviewRow';
import { staleCells } from './staleCells';
import { useRowStyles } from './useRowStyles';

const useStyles = makeStyles(
  theme => ({
    list: { listStyle: 'none', margin: 0, padding: 0 },
    item: {
      padding: '8px 12px',
      fontSize: '0.8125rem',
      lineHeight: '20px',
      '&:not(:last-child)': {
        borderBottom: `1px solid ${theme.palette.divider}`,
      },
    },
    first: {
      display: 'flex',
      alignItems: 'center',
      gap: 12,
      marginBottom: 4,
    },
    age: { marginLeft: 'auto', color: theme.palette.text.secondary },
    certificate: { display: 'flex', flexWrap: 'wrap', columnGap: 8 },
    reason: {
      color: theme.palette.text.secondary,
      lineHeight: 1.4,
      marginTop: 2,
      overflowWrap: 'anywhere',
    },
  }),
  { name: 'PreviewsNarrowList' },
);

/** What the column of certificates would warn of; the sentence does not always tell it. */
function CertificateWarning(props: {
  certificates: readonly CertificateSummary[];
}) {
  const { t, now } = useWords();
  const classes = useStyles();
  const certificate = worstCertificate(props.certificates);
  const note = certificate && certificateNoteAt(certificate, now);
  return certificate && note?.kind === 'concern' ? (
    <div className={classes.certificate}>
      <span>{t('column.certificate')}</span>
      <CertificateState certificate={certificate} />
      <span>
        <CertificateNoteText note={note} />
      </span>
    </div>
  ) : null;
}

/** The table on a narrow screen: phase and open first, the rest below or in the drawer. */
export function NarrowList(
  props: RowActions & { previews: readonly Preview[]; label: string },
) {
  const { previews, label, onOpen, onShowSources } = props;
  const classes = useStyles();
  const rows = useRowStyles();
  return (
    <ul className={classes.list} aria-label={label}>
      {previews.map(preview => {
        const open = () => onOpen(preview.id);
        return (
          // The title is a link; the whole row is only a larger target for it.
          // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
          <li
            key={preview.id}
            className={joinClasses(classes.item, rows.group)}
            // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
            tabIndex={0}
            onClick={open}
            onKeyDown={event => opensRow(event) && open()}
          >
            <div className={classes.first}>
              <PhaseLabel phase={preview.phase} />
              <OpenAction preview={preview} onWhy={open} />
              <span className={classes.age}>
                <AgeLabel preview={preview} />
              </span>
            </div>
            <div
              className={joinClasses(
                staleCells(preview).mergeRequest && rows.dimmed,
              )}
            >
              <MergeRequestLabel
                mergeRequest={preview.mergeRequest}
                previewId={preview.id}
                withBranches={false}
                onOpen={open}
              />
            </div>
            <CertificateWarning certificates={preview.certificates} />
            <div className={classes.reason}>
              <ReasonLine
                brief
                preview={preview}
                onShowSources={onShowSources}
              />{' '}
              <TtlLine preview={preview} onlyNear />
            </div>
          </li>
        );
      })}
    </ul>
  );
}
