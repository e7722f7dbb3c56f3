import { makeStyles } from '@material-ui/core/styles';
import Alert from '@material-ui/lab/Alert';
import {
  Preview,
  SourceState,
} from '@previews/backstage-plugin-previews-common';
import { useWords, Words } from '../../words';
import { sourceName } from './names';
import { unreadSource } from './unreadSource';

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

/** The cause where the source told one, and from when the rows are. */
function barText(words: Words, source: SourceState): string {
  const { t, timeOfDay, sourceError } = words;
  const [error] = source.errors;
  const since = source.lastCompleteAt;
  if (error) {
    const cause = sourceError(error, source);
    return since
      ? `${cause} ${t('stale.from', { time: timeOfDay(since) })}`
      : cause;
  }
  return since
    ? t('stale.since', { source: sourceName(source), time: timeOfDay(since) })
    : t('stale.never', { source: sourceName(source) });
}

const deniedReasons: ReadonlySet<string> = new Set([
  'KindForbidden',
  'ProjectNotReadable',
]);

/** What sources that are not down deny, as far as these rows rest on it. */
function deniedTexts(
  { sentence }: Words,
  options: { previews: readonly Preview[]; down: readonly SourceState[] },
): string[] {
  const isDown = (id?: string) => options.down.some(source => source.id === id);
  const texts = options.previews.flatMap(preview =>
    preview.conditions
      .filter(
        condition =>
          deniedReasons.has(condition.reason) &&
          !isDown(unreadSource(condition, preview)),
      )
      .map(condition => sentence(condition) ?? condition.message),
  );
  return [...new Set(texts)];
}

/**
 * Which source is down, since when, and from when that is what is shown below;
 * and what a source does not let the portal read of it.
 */
export function StaleBar(props: {
  sources: readonly SourceState[];
  /** What is shown below. */
  previews?: readonly Preview[];
  /** Tells only the first of what is denied. */
  short?: boolean;
  /** When what is shown was received, if the portal could not be asked again. */
  failedSince?: number;
}) {
  const { sources, previews = [], short = false, failedSince } = props;
  const words = useWords();
  const { t, timeOfDay } = words;
  const classes = useStyles();
  const down = sources.filter(
    ({ status, lastCompleteAt }) =>
      status === 'stale' ||
      status === 'pending' ||
      // One failed reading is no news, but for one that never succeeded.
      (status === 'failing' && !lastCompleteAt),
  );
  const denied = deniedTexts(words, { previews, down });
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
          severity={source.status === 'pending' ? 'info' : 'warning'}
          className={classes.root}
        >
          {barText(words, source)}
        </Alert>
      ))}
      {denied.slice(0, short ? 1 : undefined).map(text => (
        <Alert key={text} severity="warning" className={classes.root}>
          {text}
        </Alert>
      ))}
    </>
  );
}
