import { makeStyles } from '@material-ui/core/styles';
import ArrowForwardIcon from '@material-ui/icons/ArrowForward';
import { LinkButton } from '@backstage/core-components';
import { TierState } from '@previews/backstage-plugin-previews-common';
import { useTemplates } from '../../links';
import { useWords } from '../../words';
import { DriftLines } from './DriftLines';
import { TierItem } from './TierItem';

const useStyles = makeStyles(
  theme => ({
    strip: {
      display: 'flex',
      flexWrap: 'wrap',
      alignItems: 'center',
      columnGap: theme.spacing(1),
      rowGap: theme.spacing(0.5),
      listStyle: 'none',
      padding: 0,
      margin: theme.spacing(0.5, 0),
      fontSize: '0.875rem',
    },
    item: {
      display: 'inline-flex',
      alignItems: 'flex-start',
      columnGap: theme.spacing(1),
      lineHeight: '24px',
      minWidth: 0,
    },
    arrow: {
      fontSize: '1rem',
      margin: '4px 0',
      color: theme.palette.text.secondary,
    },
    promote: {
      padding: '0 8px',
      lineHeight: '20px',
      minWidth: 0,
      textTransform: 'none',
    },
  }),
  { name: 'PreviewsTierStrip' },
);

/**
 * The way of a release: previews, then each tier with what runs there, how far it
 * is behind and who changed it past Git. Nothing where there is no tier.
 */
export function TierStrip(props: {
  tiers: readonly TierState[] | undefined;
  /** Number of live previews. */
  previews: number;
}) {
  const { tiers = [], previews } = props;
  const { t } = useWords();
  const classes = useStyles();
  const { promote } = useTemplates();
  if (tiers.length === 0) {
    return null;
  }
  // A release is at home at the end of the way; the details of a tier before it
  // have the same link.
  const released = [...tiers].reverse().find(tier => promote?.(tier));
  const form = released && promote?.(released);
  return (
    <>
      <ol className={classes.strip} aria-label={t('tier.label')}>
        <li className={classes.item} title={t('tier.previewsHint')}>
          {t('tier.previews', { number: String(previews) })}
        </li>
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
            <ArrowForwardIcon className={classes.arrow} aria-hidden />
            <TierItem tier={tier} withPromote={tier !== released}>
              {form && tier === released && (
                <LinkButton
                  to={form}
                  className={classes.promote}
                  size="small"
                  variant="outlined"
                  color="primary"
                  aria-label={t('tier.promoteLabel', { tier: tier.tier })}
                >
                  {t('tier.promote')}
                </LinkButton>
              )}
            </TierItem>
          </li>
        ))}
      </ol>
      <DriftLines tiers={tiers} />
    </>
  );
}
