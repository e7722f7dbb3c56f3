import { makeStyles } from '@material-ui/core/styles';
import ErrorIcon from '@material-ui/icons/Error';
import { Link } from '@backstage/core-components';
import { EntityChecks } from '@previews/backstage-plugin-previews-common';
import { useWords } from '../../words';
import { joinClasses, useToneStyles } from '../shared';
import { countsText } from './checks';

const useStyles = makeStyles(
  theme => ({
    root: {
      display: 'flex',
      gap: theme.spacing(1),
      margin: theme.spacing(1, 0, 0),
      fontSize: '0.8125rem',
    },
    icon: { fontSize: '1.125rem', flexShrink: 0 },
  }),
  { name: 'PreviewsChecksWarning' },
);

/** One line of the card where the set-up has errors; the tab lists them. */
export function ChecksWarning(props: {
  checks: EntityChecks | undefined;
  tab: string;
}) {
  const { checks, tab } = props;
  const { t } = useWords();
  const classes = useStyles();
  const tones = useToneStyles();
  const counts = checks?.counts.error && countsText(checks, t);
  return counts ? (
    <p className={classes.root}>
      <ErrorIcon className={joinClasses(classes.icon, tones.bad)} aria-hidden />
      <Link to={tab}>{t('checks.setUp', { counts })}</Link>
    </p>
  ) : null;
}
