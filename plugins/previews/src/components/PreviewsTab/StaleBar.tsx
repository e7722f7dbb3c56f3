import { makeStyles } from '@material-ui/core/styles';
import Alert from '@material-ui/lab/Alert';
import { SourceState } from '@previews/backstage-plugin-previews-common';
import { useWords } from '../../words';
import { sourceName } from '../shared';

const useStyles = makeStyles(
  theme => ({
    root: {
      marginBottom: theme.spacing(1),
      padding: '2px 12px',
      color: theme.palette.text.primary,
    },
  }),
  { name: 'PreviewsStaleBar' },
);

/** Above the table: which source is down, since when, and what the rows show. */
export function StaleBar(props: {
  sources: readonly SourceState[];
  /** When the shown rows were received, if the portal could not be asked again. */
  failedSince?: number;
}) {
  const { sources, failedSince } = props;
  const { t, timeOfDay, sourceError } = useWords();
  const classes = useStyles();
  const down = sources.filter(source =>
    ['stale', 'pending'].includes(source.status),
  );
  return (
    <>
      {failedSince !== undefined && (
        <Alert severity="warning" className={classes.root}>
          {t('stale.portal', {
            time: timeOfDay(new Date(failedSince).toISOString()),
          })}
        </Alert>
      )}
      {down.map(source => (
        <Alert
          key={source.id}
          severity={source.status === 'stale' ? 'warning' : 'info'}
          className={classes.root}
        >
          {source.lastCompleteAt
            ? t('stale.since', {
                source: sourceName(source),
                time: timeOfDay(source.lastCompleteAt),
              })
            : t('stale.never', { source: sourceName(source) })}
          {source.errors.slice(0, 1).map(error => (
            <span key={error.reason}> {sourceError(error, source)}</span>
          ))}
        </Alert>
      ))}
    </>
  );
}
