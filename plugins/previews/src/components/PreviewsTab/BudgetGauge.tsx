import Typography from '@material-ui/core/Typography';
import { makeStyles } from '@material-ui/core/styles';
import {
  CertificateBudgetState,
  DomainBudget,
} from '@previews/backstage-plugin-previews-common';
import { useWords } from '../../words';
import { Tone, toneColor } from '../shared';

const tones: Record<CertificateBudgetState, Tone> = {
  ok: 'good',
  low: 'warning',
  spent: 'bad',
};

const useStyles = makeStyles(
  theme => ({
    line: {
      display: 'flex',
      flexWrap: 'wrap',
      alignItems: 'center',
      columnGap: theme.spacing(1),
    },
    bar: {
      width: 96,
      height: 8,
      borderRadius: 4,
      overflow: 'hidden',
      border: `1px solid ${theme.palette.text.secondary}`,
    },
    used: { height: '100%' },
    ok: { backgroundColor: toneColor(theme, tones.ok) },
    low: { backgroundColor: toneColor(theme, tones.low) },
    spent: { backgroundColor: toneColor(theme, tones.spent) },
  }),
  { name: 'PreviewsBudgetGauge' },
);

/**
 * How many certificates of a registered domain are used: in words, with a bar beside
 * them that says nothing more.
 */
export function BudgetGauge(props: {
  budget: DomainBudget;
  /** Not all certificates are known. */
  atLeast: boolean;
}) {
  const { budget, atLeast } = props;
  const { t, timeOfDay } = useWords();
  const classes = useStyles();
  const { domain, limit, used, left, state, advisedWildcard } = budget;
  const numbers = { domain, used: String(used), limit: String(limit) };
  const label = atLeast
    ? t('stats.certificatesAtLeast', numbers)
    : t('stats.certificates', numbers);
  const { refusedUntil, nextRefillAt, runsOutAt } = budget;
  const remaining =
    left === 0
      ? t('stats.leftNone')
      : t(atLeast ? 'stats.leftAtMost' : 'stats.left', { left: String(left) });
  const details = [
    refusedUntil !== undefined
      ? t('stats.refused', { until: timeOfDay(refusedUntil) })
      : remaining,
    refusedUntil === undefined &&
      nextRefillAt !== undefined &&
      t('stats.refill', { at: timeOfDay(nextRefillAt) }),
    runsOutAt !== undefined && t('stats.runsOut', { at: timeOfDay(runsOutAt) }),
  ].filter(Boolean);
  return (
    <div>
      <div className={classes.line}>
        <Typography variant="body2" component="span">
          {label}
        </Typography>
        <div
          role="meter"
          aria-label={t('stats.gauge', { domain })}
          aria-valuemin={0}
          aria-valuemax={limit}
          aria-valuenow={used}
          aria-valuetext={label}
          className={classes.bar}
        >
          <div
            className={`${classes.used} ${classes[state]}`}
            style={{ width: `${Math.min(100, (used / limit) * 100)}%` }}
          />
        </div>
        <Typography variant="body2" component="span">
          {details.join(' · ')}
        </Typography>
      </div>
      {advisedWildcard !== undefined && (
        <Typography variant="body2">
          {t('stats.wildcard', { wildcard: advisedWildcard })}
        </Typography>
      )}
    </div>
  );
}
