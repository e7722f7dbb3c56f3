import { makeStyles } from '@material-ui/core/styles';
import Skeleton from '@material-ui/lab/Skeleton';
import {
  phases,
  Phase,
  Transition,
} from '@previews/backstage-plugin-previews-common';
import { useTimeline } from '../../hooks';
import { useWords, Words } from '../../words';
import { TextButton, TimeLabel } from '../shared';
import { useListStyles } from './useListStyles';

const useStyles = makeStyles(
  theme => ({
    item: { display: 'grid', gridTemplateColumns: '96px 1fr', columnGap: 8 },
    time: { color: theme.palette.text.secondary, whiteSpace: 'nowrap' },
  }),
  { name: 'PreviewsTimeline' },
);

function phaseWord(words: Words, phase: string): string {
  return (phases as readonly string[]).includes(phase)
    ? words.t(`phase.${phase as Phase}`)
    : phase;
}

function transitionText(words: Words, transition: Transition): string {
  if (transition.kind === 'phase') {
    const to = phaseWord(words, transition.to);
    return transition.from
      ? words.t('timeline.phase', {
          from: phaseWord(words, transition.from),
          to,
        })
      : words.t('timeline.phaseFirst', { to });
  }
  return transition.kind === 'condition'
    ? words.sentence(transition) ?? transition.message
    : words.event(transition);
}

/** What happened to the preview, newest first; kept after it is gone. */
export function TimelineSection(props: { previewId: string; version: string }) {
  const words = useWords();
  const { t, duration } = words;
  const classes = useStyles();
  const lists = useListStyles();
  const { items, error, showMore } = useTimeline({
    id: props.previewId,
    version: props.version,
  });
  if (error && !items) {
    return <p className={lists.item}>{t('timeline.error')}</p>;
  }
  if (!items) {
    return (
      <Skeleton variant="rect" height={96} aria-label={t('timeline.loading')} />
    );
  }
  if (items.length === 0) {
    return <p className={lists.item}>{t('timeline.empty')}</p>;
  }
  return (
    <>
      <ol className={lists.list} aria-label={t('drawer.timeline')}>
        {items.map(transition => (
          <li key={transition.id} className={`${lists.item} ${classes.item}`}>
            <span className={classes.time}>
              <TimeLabel time={transition.at} />
            </span>
            <span>
              {/* What is over is told as it was then, and lasts no longer. */}
              {transitionText(words.asOf(transition.at), transition)}
              {transition.lastedSeconds !== undefined && (
                <span className={lists.quiet}>
                  {' '}
                  {t('timeline.lasted', {
                    duration: duration(transition.lastedSeconds),
                  })}
                </span>
              )}
            </span>
          </li>
        ))}
      </ol>
      {error && <p className={lists.item}>{t('timeline.error')}</p>}
      {showMore && (
        <TextButton onClick={showMore}>{t('timeline.showMore')}</TextButton>
      )}
    </>
  );
}
