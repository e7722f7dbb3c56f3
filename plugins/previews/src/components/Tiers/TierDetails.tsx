import { PropsWithChildren } from 'react';
import Typography from '@material-ui/core/Typography';
import { makeStyles } from '@material-ui/core/styles';
import { Link } from '@backstage/core-components';
import { TierState } from '@previews/backstage-plugin-previews-common';
import { ExternalLink, useTemplates } from '../../links';
import { useWords } from '../../words';
import { shortSha, TimeLabel } from '../shared';
import { ConcernLabel } from './ConcernLabel';
import { DriftText } from './DriftText';
import { concerns, driftsOf } from './tiers';

const useStyles = makeStyles(
  theme => ({
    panel: {
      padding: theme.spacing(2),
      maxWidth: 480,
      overflowWrap: 'anywhere',
      fontSize: '0.8125rem',
    },
    facts: {
      display: 'grid',
      gridTemplateColumns: 'auto minmax(0, 1fr)',
      columnGap: theme.spacing(2),
      rowGap: theme.spacing(0.75),
      margin: theme.spacing(1, 0, 0),
    },
    term: { color: theme.palette.text.secondary },
    value: { margin: 0 },
    list: { margin: 0, padding: 0, listStyle: 'none' },
    actions: { margin: theme.spacing(1, 0, 0) },
    action: { marginLeft: theme.spacing(1), whiteSpace: 'nowrap' },
    concern: { marginLeft: theme.spacing(1) },
  }),
  { name: 'PreviewsTierDetails' },
);

function Fact(props: PropsWithChildren<{ term: string }>) {
  const classes = useStyles();
  return (
    <>
      <dt className={classes.term}>{props.term}</dt>
      <dd className={classes.value}>{props.children}</dd>
    </>
  );
}

function Deployed(props: { release: NonNullable<TierState['release']> }) {
  const { deployedAt, automated, initiatedBy } = props.release;
  const { t, timeOfDay } = useWords();
  if (deployedAt === undefined) {
    return <Fact term={t('tier.deployed')}>{t('tier.unchanged')}</Fact>;
  }
  return (
    <Fact term={t('tier.deployed')}>
      <TimeLabel time={deployedAt} /> ({timeOfDay(deployedAt)}),{' '}
      {initiatedBy && !automated
        ? t('tier.by', { name: initiatedBy })
        : t('tier.automated')}
    </Fact>
  );
}

function Commit(props: { release: NonNullable<TierState['release']> }) {
  const { commit } = props.release;
  const { t } = useWords();
  if (!commit) {
    return null;
  }
  const { sha, title, author, webUrl, mergeRequest } = commit;
  return (
    <>
      <Fact term={t('tier.commit')}>
        <ExternalLink href={webUrl} title={sha}>
          {shortSha(sha)}
        </ExternalLink>{' '}
        {title} · {t('tier.by', { name: author })}
      </Fact>
      {mergeRequest && (
        <Fact term={t('tier.mergeRequest')}>
          <ExternalLink href={mergeRequest.webUrl}>
            !{mergeRequest.iid} {mergeRequest.title}
          </ExternalLink>{' '}
          · {t('tier.by', { name: mergeRequest.author })}
          {mergeRequest.mergedBy &&
            `, ${t('tier.mergedBy', { name: mergeRequest.mergedBy })}`}
        </Fact>
      )}
    </>
  );
}

/** Who released what runs in a tier, where it is deployed, and the way back. */
export function TierDetails(props: {
  tier: TierState;
  /** Whether it leads to a release. */
  withPromote: boolean;
}) {
  const { tier, withPromote } = props;
  const { application, release, repository, previousRevision } = tier;
  const { t } = useWords();
  const classes = useStyles();
  const { promote } = useTemplates();
  const form = withPromote ? promote?.(tier) : undefined;
  const revert = previousRevision && promote?.(tier, previousRevision);
  const drifts = driftsOf(tier);
  return (
    <div className={classes.panel}>
      <Typography variant="subtitle2" component="h3">
        {tier.tier}
      </Typography>
      <dl className={classes.facts}>
        {release ? (
          <>
            <Deployed release={release} />
            <Commit release={release} />
          </>
        ) : (
          <Fact term={t('tier.deployed')}>{t('tier.notDeployed')}</Fact>
        )}
        {tier.image && (
          <Fact term={t('tier.image')}>
            <code>{tier.image}</code>
          </Fact>
        )}
        {repository && (
          <Fact term={t('tier.repository')}>
            <ExternalLink href={repository.webUrl}>
              {repository.project}
            </ExternalLink>
          </Fact>
        )}
        <Fact term={t('tier.application')}>
          <ExternalLink href={application.webUrl}>
            {application.namespace}/{application.name}
          </ExternalLink>
          {concerns(tier).map(concern => (
            <span key={concern.word} className={classes.concern}>
              <ConcernLabel {...concern} />
            </span>
          ))}
        </Fact>
        {previousRevision && (
          <Fact term={t('tier.before')}>
            <code title={previousRevision}>{shortSha(previousRevision)}</code>
            {revert && (
              <Link
                to={revert}
                variant="inherit"
                underline="always"
                className={classes.action}
                aria-label={t('tier.revertLabel', {
                  tier: tier.tier,
                  revision: shortSha(previousRevision),
                })}
              >
                {t('tier.revert')}
              </Link>
            )}
          </Fact>
        )}
        {drifts.length > 0 && (
          <Fact term={t('tier.drift')}>
            <ul className={classes.list}>
              {drifts.map(drift => (
                <li
                  key={[
                    drift.resource.kind,
                    drift.resource.namespace,
                    drift.resource.name,
                    drift.change?.manager,
                    drift.change?.at,
                  ].join('/')}
                >
                  <DriftText drift={drift} />
                </li>
              ))}
            </ul>
          </Fact>
        )}
      </dl>
      {form && (
        <p className={classes.actions}>
          <Link to={form} variant="inherit" underline="always">
            {t('tier.promoteLabel', { tier: tier.tier })}
          </Link>
        </p>
      )}
    </div>
  );
}
