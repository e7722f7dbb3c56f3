import { makeStyles } from '@material-ui/core/styles';
import { TierState } from '@previews/backstage-plugin-previews-common';
import { ExternalLink } from '../../links';
import { useWords } from '../../words';
import { revisionName, revisionUrl } from './tiers';

const useStyles = makeStyles(
  {
    revision: {
      fontFamily: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
      fontSize: '0.8125rem',
      display: 'inline-block',
      maxWidth: 280,
      overflow: 'hidden',
      textOverflow: 'ellipsis',
      whiteSpace: 'nowrap',
      verticalAlign: 'bottom',
    },
  },
  { name: 'PreviewsTierRevision' },
);

/** What runs in a tier, with the way to its commit. */
export function TierRevision(props: { tier: TierState }) {
  const { tier } = props;
  const { t } = useWords();
  const classes = useStyles();
  const name = revisionName(tier);
  return name ? (
    <ExternalLink
      href={revisionUrl(tier)}
      label={t('tier.commitLabel', { revision: name, tier: tier.tier })}
      // The name may be cut, and the commit of a tag is not in it.
      title={[name, tier.revision, tier.repository?.project]
        .filter(Boolean)
        .join(' · ')}
      className={classes.revision}
    >
      {name}
    </ExternalLink>
  ) : (
    <span>{t('commit.unknown')}</span>
  );
}
