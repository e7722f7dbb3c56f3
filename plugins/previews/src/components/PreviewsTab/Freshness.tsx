import { forwardRef, useState } from 'react';
import Button from '@material-ui/core/Button';
import Popover from '@material-ui/core/Popover';
import Typography from '@material-ui/core/Typography';
import { makeStyles } from '@material-ui/core/styles';
import InfoOutlinedIcon from '@material-ui/icons/InfoOutlined';
import ReportProblemOutlinedIcon from '@material-ui/icons/ReportProblemOutlined';
import {
  SourceState,
  SourceStatus,
} from '@previews/backstage-plugin-previews-common';
import { secondsBetween, useWords } from '../../words';
import { sourceName, Tone, useToneStyles } from '../shared';

const useStyles = makeStyles(
  theme => ({
    button: {
      textTransform: 'none',
      whiteSpace: 'nowrap',
      flexShrink: 0,
      padding: '2px 8px',
    },
    panel: { padding: theme.spacing(2), maxWidth: 420 },
    list: { listStyle: 'none', margin: 0, padding: 0 },
    item: { marginTop: theme.spacing(1), overflowWrap: 'anywhere' },
    note: { color: theme.palette.text.secondary, fontSize: '0.8125rem' },
  }),
  { name: 'PreviewsFreshness' },
);

const tones: Record<SourceStatus, Tone> = {
  fresh: 'good',
  stale: 'warning',
  failing: 'warning',
  pending: 'neutral',
};

function SourceItem(props: { source: SourceState }) {
  const { source } = props;
  const { t, elapsed, sourceError, sourceNote, dateTime } = useWords();
  const classes = useStyles();
  const toneClasses = useToneStyles();
  const age = elapsed(source.lastCompleteAt);
  return (
    <li className={classes.item}>
      <Typography variant="body2">
        <strong>{sourceName(source)}</strong>{' '}
        <span className={toneClasses[tones[source.status]]}>
          {t(`fresh.status.${source.status}`)}
        </span>
        {', '}
        <span title={source.lastCompleteAt && dateTime(source.lastCompleteAt)}>
          {age ? t('fresh.readAt', { duration: age }) : t('fresh.never')}
        </span>
      </Typography>
      {source.errors.map(error => (
        <div
          key={`${error.reason}-${error.subject ?? ''}`}
          className={classes.note}
        >
          {sourceError(error, source)}
        </div>
      ))}
      {source.notes.map(note => (
        <div key={note.reason} className={classes.note}>
          {sourceNote(note, source)}
        </div>
      ))}
      {source.notInstalled && source.notInstalled.length > 0 && (
        <div className={classes.note}>
          {t('fresh.notInstalled', { kinds: source.notInstalled.join(', ') })}
        </div>
      )}
    </li>
  );
}

/** How old the facts are, and a list of every source with its state. */
export const Freshness = forwardRef<
  HTMLButtonElement,
  { readAt?: string; sources: readonly SourceState[] }
>((props, ref) => {
  const { readAt, sources } = props;
  const { t, now, duration } = useWords();
  const classes = useStyles();
  const [anchor, setAnchor] = useState<HTMLElement>();
  const age = secondsBetween(readAt, now);
  // A source is fresh also where it does not let the portal read one kind.
  const allFresh = sources.every(
    ({ status, errors }) => status === 'fresh' && errors.length === 0,
  );
  const freshText =
    age === undefined
      ? t('fresh.unread')
      : t('fresh.fresh', { duration: duration(age) });
  return (
    <>
      <Button
        ref={ref}
        size="small"
        className={classes.button}
        aria-haspopup="dialog"
        startIcon={
          allFresh ? (
            <InfoOutlinedIcon aria-hidden />
          ) : (
            <ReportProblemOutlinedIcon aria-hidden />
          )
        }
        onClick={event => setAnchor(event.currentTarget)}
      >
        {allFresh ? freshText : t('fresh.stale')}
      </Button>
      <Popover
        open={Boolean(anchor)}
        anchorEl={anchor}
        onClose={() => setAnchor(undefined)}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: 'top', horizontal: 'right' }}
        PaperProps={
          { role: 'dialog', 'aria-label': t('fresh.label') } as object
        }
      >
        <div className={classes.panel}>
          <Typography variant="subtitle2" component="h3">
            {t('fresh.title')}
          </Typography>
          {sources.length === 0 && (
            <Typography variant="body2">{t('fresh.noSources')}</Typography>
          )}
          <ul className={classes.list}>
            {sources.map(source => (
              <SourceItem key={source.id} source={source} />
            ))}
          </ul>
        </div>
      </Popover>
    </>
  );
});

Freshness.displayName = 'Freshness';
