import { makeStyles } from '@material-ui/core/styles';
import Alert, { Color } from '@material-ui/lab/Alert';
import {
  Finding,
  FindingSeverity,
} from '@previews/backstage-plugin-previews-common';
import { useWords } from '../../words';

const useStyles = makeStyles(
  theme => ({
    list: { listStyle: 'none', margin: 0, padding: 0 },
    bar: {
      marginBottom: theme.spacing(1),
      padding: '2px 12px',
      color: theme.palette.text.primary,
      overflowWrap: 'anywhere',
    },
  }),
  { name: 'PreviewsFindingBars' },
);

const colours: Record<FindingSeverity, Color> = {
  critical: 'error',
  warning: 'warning',
  info: 'info',
};

/** A bar for each finding, with its sentence and since when it is. */
export function FindingBars(props: { findings: readonly Finding[] }) {
  const { findings } = props;
  const { t, finding, elapsed, dateTime } = useWords();
  const classes = useStyles();
  if (findings.length === 0) {
    return null;
  }
  return (
    <ul className={classes.list} aria-label={t('finding.label')}>
      {findings.map(item => {
        const duration = elapsed(item.since);
        return (
          <li key={item.id}>
            <Alert
              // A newer backend may know a severity more.
              severity={colours[item.severity] ?? 'warning'}
              // Told with the rest of the page: it is no news of this moment.
              role="note"
              className={classes.bar}
            >
              {finding(item)}
              {duration && (
                <>
                  {' '}
                  <span title={dateTime(item.since)}>
                    {t('finding.since', { duration })}
                  </span>
                </>
              )}
            </Alert>
          </li>
        );
      })}
    </ul>
  );
}
