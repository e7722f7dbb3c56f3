import Typography from '@material-ui/core/Typography';
import { makeStyles } from '@material-ui/core/styles';
import ReportProblemIcon from '@material-ui/icons/ReportProblem';
import Skeleton from '@material-ui/lab/Skeleton';
import { InfoCard, Link } from '@backstage/core-components';
import { Preview } from '@previews/backstage-plugin-previews-common';
import { useSummary } from '../../hooks';
import { useWords } from '../../words';
import { ChecksWarning } from '../Checks';
import {
  CountsLine,
  DraftBadge,
  FindingBars,
  isRefusal,
  joinClasses,
  mergeRequestName,
  mergeRequestTitle,
  OpenAction,
  PhaseLabel,
  QueryError,
  ReasonLine,
  sourceName,
  StaleBar,
  unreadGitLab,
  useToneStyles,
} from '../shared';
import { TierLine } from '../Tiers';

const useStyles = makeStyles(
  theme => ({
    list: { listStyle: 'none', margin: theme.spacing(1, 0, 0), padding: 0 },
    item: {
      display: 'grid',
      gridTemplateColumns: '120px minmax(0, 1fr) auto',
      alignItems: 'center',
      columnGap: theme.spacing(1),
      padding: theme.spacing(0.5, 0),
      fontSize: '0.8125rem',
    },
    name: { display: 'flex', alignItems: 'center', gap: 8, minWidth: 0 },
    title: {
      overflow: 'hidden',
      textOverflow: 'ellipsis',
      whiteSpace: 'nowrap',
    },
    attention: {
      display: 'flex',
      gap: theme.spacing(1),
      margin: theme.spacing(1, 0, 0),
      fontSize: '0.8125rem',
      overflowWrap: 'anywhere',
    },
    icon: { fontSize: '1.125rem', flexShrink: 0 },
  }),
  { name: 'PreviewsCard' },
);

/** Address of a preview's drawer in the tab of the same entity. */
function drawerAddress(tab: string, preview: Preview): string {
  return `${tab}?preview=${encodeURIComponent(preview.id)}`;
}

function Latest(props: { preview: Preview; tab: string; onWhy(): void }) {
  const { preview, tab, onWhy } = props;
  const { mergeRequest } = preview;
  const classes = useStyles();
  return (
    <li className={classes.item}>
      <PhaseLabel phase={preview.phase} />
      <div className={classes.name}>
        <Link
          to={drawerAddress(tab, preview)}
          className={classes.title}
          title={mergeRequestTitle(mergeRequest)}
        >
          {mergeRequestName(mergeRequest)}
        </Link>
        <DraftBadge mergeRequest={mergeRequest} />
      </div>
      <OpenAction preview={preview} onWhy={onWhy} />
    </li>
  );
}

function Attention(props: { preview: Preview }) {
  const { preview } = props;
  const { t } = useWords();
  const classes = useStyles();
  const tones = useToneStyles();
  return (
    <p className={classes.attention}>
      <ReportProblemIcon
        className={joinClasses(classes.icon, tones.warning)}
        aria-hidden
      />
      <span>
        <strong>
          {t('card.attention', { name: `!${preview.mergeRequest.iid}` })}
        </strong>{' '}
        <ReasonLine brief preview={preview} />
      </span>
    </p>
  );
}

/** Counts by phase, the latest previews, what runs in each tier, and what needs a person. */
export function PreviewsCard(props: {
  entityRef: string;
  /** Address of the entity's Previews tab. */
  tab: string;
  onOpenTab(address: string): void;
}) {
  const { entityRef, tab, onOpenTab } = props;
  const { t } = useWords();
  const classes = useStyles();
  const { value, error, receivedAt, refetch } = useSummary(entityRef);
  const summary = isRefusal(error) ? undefined : value;
  const shown = summary?.onboarded ? summary : undefined;
  const unread =
    shown?.latest.length === 0 ? unreadGitLab(shown.sources) : undefined;
  return (
    <InfoCard title={t('card.title')}>
      {error && !summary && <QueryError error={error} onRetry={refetch} />}
      {!error && !summary && (
        <Skeleton variant="rect" height={128} aria-label={t('tab.loading')} />
      )}
      {summary && !summary.onboarded && (
        <Typography variant="body2">{t('card.notOnboarded')}</Typography>
      )}
      {shown && (
        <>
          <FindingBars findings={shown.alarms.slice(0, 1)} />
          <StaleBar
            // What was never read is told in place of the counts.
            sources={shown.sources.filter(source => source !== unread)}
            previews={[
              ...shown.latest,
              ...(shown.attention ? [shown.attention] : []),
            ]}
            // The tab has all of them.
            short
            failedSince={error && receivedAt}
          />
          {unread ? (
            <Typography variant="body2">
              {t('state.notReadHint', { source: sourceName(unread) })}
            </Typography>
          ) : (
            <CountsLine counts={shown.phaseCounts} />
          )}
          {shown.latest.length > 0 && (
            <ul className={classes.list}>
              {shown.latest.slice(0, 3).map(preview => (
                <Latest
                  key={preview.id}
                  preview={preview}
                  tab={tab}
                  onWhy={() => onOpenTab(drawerAddress(tab, preview))}
                />
              ))}
            </ul>
          )}
          <TierLine tiers={shown.tiers} />
          {shown.attention && <Attention preview={shown.attention} />}
          {/* One warning at a time: the tab has all of them. */}
          {!shown.attention && shown.alarms.length === 0 && (
            <ChecksWarning checks={shown.checks} tab={tab} />
          )}
        </>
      )}
    </InfoCard>
  );
}
