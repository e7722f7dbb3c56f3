import Typography from '@material-ui/core/Typography';
import { makeStyles } from '@material-ui/core/styles';
import { StatsResponse } from '@previews/backstage-plugin-previews-common';
import { useWords } from '../../words';
import { BudgetGauge } from './BudgetGauge';

/** An entity's previews are of one domain, or of very few. */
const MOST_DOMAINS = 3;

const useStyles = makeStyles(
  theme => ({
    strip: {
      display: 'flex',
      flexWrap: 'wrap',
      columnGap: theme.spacing(3),
      rowGap: theme.spacing(0.5),
      listStyle: 'none',
      padding: 0,
      margin: theme.spacing(0.5, 0),
    },
  }),
  { name: 'PreviewsStatisticsStrip' },
);

/** What previews usually take and how many certificates are left; nothing where nothing is known. */
export function StatisticsStrip(props: {
  statistics: StatsResponse | undefined;
}) {
  const { statistics } = props;
  const { t, clock } = useWords();
  const classes = useStyles();
  if (!statistics) {
    return null;
  }
  const { overall, certificateBudget } = statistics;
  const spinUp = overall.spinUp.p50Seconds;
  const teardown = overall.teardown.p50Seconds;
  // Another version of the backend may know nothing of them.
  const domains = (certificateBudget?.domains ?? []).slice(0, MOST_DOMAINS);
  if (spinUp === undefined && teardown === undefined && domains.length === 0) {
    return null;
  }
  return (
    <ul aria-label={t('stats.label')} className={classes.strip}>
      {spinUp !== undefined && (
        <Typography
          variant="body2"
          component="li"
          title={t('stats.spinUpHint')}
        >
          {t('stats.spinUp', { duration: clock(spinUp) })}
        </Typography>
      )}
      {teardown !== undefined && (
        <Typography
          variant="body2"
          component="li"
          title={t('stats.teardownHint')}
        >
          {t('stats.teardown', { duration: clock(teardown) })}
        </Typography>
      )}
      {domains.map(budget => (
        <li key={`${budget.server ?? ''}/${budget.domain}`}>
          <BudgetGauge budget={budget} atLeast={certificateBudget.atLeast} />
        </li>
      ))}
    </ul>
  );
}
