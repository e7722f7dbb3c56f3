import { makeStyles } from '@material-ui/core/styles';
import { TierState } from '@previews/backstage-plugin-previews-common';
import { useWords } from '../../words';
import { ConcernLabel } from './ConcernLabel';
import { TierRevision } from './TierRevision';
import { concerns, distanceText } from './tiers';

const useStyles = makeStyles(
  theme => ({
    line: {
      display: 'flex',
      flexWrap: 'wrap',
      columnGap: theme.spacing(2),
      rowGap: theme.spacing(0.25),
      listStyle: 'none',
      margin: theme.spacing(1, 0, 0),
      padding: 0,
      fontSize: '0.8125rem',
      lineHeight: '20px',
    },
    item: {
      display: 'inline-flex',
      flexWrap: 'wrap',
      alignItems: 'center',
      columnGap: theme.spacing(0.75),
      minWidth: 0,
    },
  }),
  { name: 'PreviewsTierLine' },
);

/** What runs in each tier, in one line of the card. */
export function TierLine(props: { tiers: readonly TierState[] | undefined }) {
  const { tiers = [] } = props;
  const { t } = useWords();
  const classes = useStyles();
  if (tiers.length === 0) {
    return null;
  }
  return (
    <ul className={classes.line} aria-label={t('tier.label')}>
      {tiers.map(tier => (
        <li
          key={[
            tier.tier,
            tier.application.cluster,
            tier.application.namespace,
            tier.application.name,
          ].join('/')}
          className={classes.item}
        >
          <strong>{tier.tier}</strong>
          <TierRevision tier={tier} />
          {concerns(tier).map(concern => (
            <ConcernLabel key={concern.word} {...concern} />
          ))}
          {tier.distance && tier.distance.behind > 0 && (
            <span>· {distanceText(tier.distance, t)}</span>
          )}
        </li>
      ))}
    </ul>
  );
}
