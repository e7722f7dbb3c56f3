import { MouseEvent, PropsWithChildren, useState } from 'react';
import Link from '@material-ui/core/Link';
import Popover from '@material-ui/core/Popover';
import { makeStyles } from '@material-ui/core/styles';
import ExpandMoreIcon from '@material-ui/icons/ExpandMore';
import OpenInNewIcon from '@material-ui/icons/OpenInNew';
import { TierState } from '@previews/backstage-plugin-previews-common';
import { ExternalLink, safeUrl } from '../../links';
import { useWords } from '../../words';
import { joinClasses, sourceNameOfId, TimeLabel } from '../shared';
import { ConcernLabel } from './ConcernLabel';
import { TierDetails } from './TierDetails';
import { TierRevision } from './TierRevision';
import { concerns, distanceText } from './tiers';

const useStyles = makeStyles(
  theme => ({
    root: {
      display: 'inline-flex',
      flexWrap: 'wrap',
      alignItems: 'center',
      columnGap: theme.spacing(0.75),
      minWidth: 0,
    },
    name: {
      display: 'inline-flex',
      alignItems: 'center',
      fontWeight: 600,
      fontSize: 'inherit',
      lineHeight: '20px',
      color: theme.palette.text.primary,
    },
    more: { fontSize: '1rem' },
    open: { display: 'inline-flex', marginRight: theme.spacing(0.5) },
    // The dot stays with what it follows, and ends no line.
    fact: { '&:not(:last-of-type)::after': { content: '" ·"' } },
    openIcon: { fontSize: '0.875rem' },
    concerns: {
      display: 'inline-flex',
      alignItems: 'center',
      columnGap: theme.spacing(0.75),
    },
    /** Last known: quieter, never emptied, and still readable. */
    dimmed: {
      '&, & *': { color: `${theme.palette.text.secondary} !important` },
      fontStyle: 'italic',
    },
  }),
  { name: 'PreviewsTierItem' },
);

/** A tier in the strip; its name opens who released it and when. */
export function TierItem(
  props: PropsWithChildren<{
    tier: TierState;
    /** Whether the details lead to a release of it; default true. */
    withPromote?: boolean;
  }>,
) {
  const { tier, withPromote = true, children } = props;
  const { t } = useWords();
  const classes = useStyles();
  const [anchor, setAnchor] = useState<HTMLElement>();
  const [stale] = tier.stale;
  const address = tier.urls
    .filter(({ clickable }) => clickable)
    .map(({ url }) => safeUrl(url))
    .find(Boolean);
  const { distance, release } = tier;
  const wrong = concerns(tier);
  const isBehind = distance && (distance.behind > 0 || distance.atLeast);
  return (
    <span
      className={joinClasses(
        classes.root,
        stale !== undefined && classes.dimmed,
      )}
      title={stale && t('row.lastKnown', { source: sourceNameOfId(stale) })}
    >
      <Link
        component="button"
        variant="inherit"
        className={classes.name}
        aria-haspopup="dialog"
        aria-label={t('tier.details', { tier: tier.tier })}
        title={t('tier.details', { tier: tier.tier })}
        onClick={(event: MouseEvent) =>
          setAnchor(event.currentTarget as HTMLElement)
        }
      >
        {tier.tier}
        <ExpandMoreIcon className={classes.more} aria-hidden />
      </Link>
      {address && (
        <ExternalLink
          href={address}
          label={t('tier.openLabel', { tier: tier.tier })}
          title={address}
          className={classes.open}
        >
          <OpenInNewIcon className={classes.openIcon} aria-hidden />
        </ExternalLink>
      )}
      <span className={classes.fact}>
        <TierRevision tier={tier} />
      </span>
      {wrong.length > 0 && (
        <span className={joinClasses(classes.fact, classes.concerns)}>
          {wrong.map(concern => (
            <ConcernLabel key={concern.word} {...concern} />
          ))}
        </span>
      )}
      {release?.deployedAt !== undefined && (
        <span className={classes.fact}>
          <TimeLabel time={release.deployedAt} />
        </span>
      )}
      {distance && (
        <span className={classes.fact}>
          <ExternalLink
            href={isBehind ? distance.webUrl : undefined}
            title={distance.project}
            label={t('tier.compareLabel', {
              tier: tier.tier,
              distance: distanceText(distance, t),
            })}
          >
            {distanceText(distance, t)}
          </ExternalLink>
        </span>
      )}
      {children}
      <Popover
        open={Boolean(anchor)}
        anchorEl={anchor}
        onClose={() => setAnchor(undefined)}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
        PaperProps={{ role: 'dialog', 'aria-label': tier.tier } as object}
      >
        <TierDetails tier={tier} withPromote={withPromote} />
      </Popover>
    </span>
  );
}
