import { useState } from 'react';
import Link from '@material-ui/core/Link';
import { makeStyles } from '@material-ui/core/styles';
import InfoOutlinedIcon from '@material-ui/icons/InfoOutlined';
import ReportProblemIcon from '@material-ui/icons/ReportProblem';
import { TierState } from '@previews/backstage-plugin-previews-common';
import { useWords } from '../../words';
import { joinClasses, useToneStyles } from '../shared';
import { DriftText } from './DriftText';
import { newsOf } from './tiers';

/** More would push the rows out of sight. */
const MOST = 3;

const useStyles = makeStyles(
  theme => ({
    list: {
      listStyle: 'none',
      margin: theme.spacing(0, 0, 1),
      padding: 0,
      fontSize: '0.8125rem',
    },
    item: {
      display: 'flex',
      gap: theme.spacing(0.75),
      lineHeight: '20px',
      overflowWrap: 'anywhere',
    },
    icon: { fontSize: '1rem', flexShrink: 0, marginTop: 2 },
  }),
  { name: 'PreviewsDriftLines' },
);

/** Below the strip: what is not as Git has it, and who changed it by hand. */
export function DriftLines(props: { tiers: readonly TierState[] }) {
  const { t, now } = useWords();
  const classes = useStyles();
  const tones = useToneStyles();
  const [all, setAll] = useState(false);
  const drifts = newsOf(props.tiers, now);
  if (drifts.length === 0) {
    return null;
  }
  const shown = all ? drifts : drifts.slice(0, MOST);
  const left = drifts.length - shown.length;
  return (
    <ul className={classes.list} aria-label={t('tier.drift')}>
      {shown.map(drift => {
        const { tier, resource, change, restored } = drift;
        const Icon = restored ? InfoOutlinedIcon : ReportProblemIcon;
        return (
          <li
            key={[
              tier,
              resource.group,
              resource.kind,
              resource.namespace,
              resource.name,
              change?.manager,
              change?.at,
            ].join('/')}
            className={classes.item}
          >
            <Icon
              className={joinClasses(
                classes.icon,
                tones[restored ? 'neutral' : 'warning'],
              )}
              aria-hidden
            />
            <span>
              <strong>{tier}</strong>: <DriftText drift={drift} />
            </span>
          </li>
        );
      })}
      {left > 0 && (
        <li>
          <Link
            component="button"
            variant="inherit"
            onClick={() => setAll(true)}
          >
            {t('tier.moreDrift', { number: String(left) })}
          </Link>
        </li>
      )}
    </ul>
  );
}
