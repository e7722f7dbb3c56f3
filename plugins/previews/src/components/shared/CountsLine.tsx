import { Fragment } from 'react';
import Link from '@material-ui/core/Link';
import Typography from '@material-ui/core/Typography';
import { makeStyles } from '@material-ui/core/styles';
import { Phase, phases } from '@previews/backstage-plugin-previews-common';
import { useWords } from '../../words';
import { joinClasses } from './joinClasses';

/** What serves comes first, then what needs looking at, then what is on its way. */
const order: readonly Phase[] = [
  'Live',
  ...phases.filter(phase => phase !== 'Live'),
];

const useStyles = makeStyles(
  theme => ({
    // A count and its word stay on one line.
    count: { whiteSpace: 'nowrap', verticalAlign: 'baseline' },
    chosen: { fontWeight: theme.typography.fontWeightBold as number },
  }),
  { name: 'PreviewsCountsLine' },
);

/**
 * `9 live · 1 building · 1 failed`; changes are announced. Where phases can be
 * chosen each count is a button that shows only its rows, or again all of them.
 */
export function CountsLine(props: {
  counts: Partial<Record<Phase, number>> | undefined;
  /** Of all, also of those that a filter leaves out. */
  total?: number;
  chosen?: readonly Phase[];
  onChoose?(phases: Phase[]): void;
}) {
  const { counts, total = 0, chosen = [], onChoose } = props;
  const { t } = useWords();
  const classes = useStyles();
  const shown = order.filter(phase => (counts?.[phase] ?? 0) > 0);

  const count = (phase: Phase) => {
    const text = t(`count.${phase}`, { number: String(counts?.[phase]) });
    if (!onChoose) {
      return <span className={classes.count}>{text}</span>;
    }
    const isOnly = chosen.length === 1 && chosen[0] === phase;
    return (
      <Link
        component="button"
        variant="inherit"
        className={joinClasses(classes.count, isOnly && classes.chosen)}
        aria-pressed={isOnly}
        title={isOnly ? t('filter.showAll') : t('filter.onlyPhase')}
        onClick={() => onChoose(isOnly ? [] : [phase])}
      >
        {text}
      </Link>
    );
  };

  return (
    <Typography variant="body1" component="p" role="status" aria-live="polite">
      {shown.map((phase, index) => (
        <Fragment key={phase}>
          {index > 0 && ' · '}
          {count(phase)}
        </Fragment>
      ))}
      {counts &&
        shown.length === 0 &&
        (total > 0
          ? t('tab.showing', { shown: '0', total: String(total) })
          : t('count.none'))}
      {/* Keeps the line's height while nothing is known. */}
      {!counts && '\u00a0'}
    </Typography>
  );
}
