import { useCallback, useRef, useState } from 'react';
import Typography from '@material-ui/core/Typography';
import { makeStyles } from '@material-ui/core/styles';
import useMediaQuery from '@material-ui/core/useMediaQuery';
import { Phase } from '@previews/backstage-plugin-previews-common';
import {
  isFiltered,
  toRequest,
  useHasGone,
  useHiddenDrafts,
  useOwnGitLabLogin,
  useRows,
  useStatistics,
  useSummary,
  useTabQuery,
} from '../../hooks';
import { useWords } from '../../words';
import { ChecksBar } from '../Checks';
import { PreviewDrawer } from '../PreviewDrawer';
import { narrowScreen, PreviewsTable } from '../PreviewsTable';
import {
  CountsLine,
  FindingBars,
  isRefusal,
  QueryError,
  StaleBar,
  TextButton,
  unreadGitLab,
} from '../shared';
import { TierStrip } from '../Tiers';
import {
  AnnotationProblems,
  NoApplicationSet,
  NoMatch,
  NoOpenMergeRequests,
  NotOnboarded,
  NotReadYet,
} from './EmptyStates';
import { Filters } from './Filters';
import { Freshness } from './Freshness';
import { StatisticsStrip } from './StatisticsStrip';

const PAGE = 50;

/** Here the tiers alone would fill what is seen without scrolling. */
const phone = '(max-width: 599.95px)';

const useStyles = makeStyles(
  theme => ({
    top: {
      display: 'flex',
      alignItems: 'flex-start',
      justifyContent: 'space-between',
      gap: theme.spacing(1),
    },
    bottom: {
      display: 'flex',
      alignItems: 'center',
      gap: theme.spacing(2),
      marginTop: theme.spacing(1),
    },
  }),
  { name: 'PreviewsTab' },
);

/** How many there are whatever the filters say; what is gone is in no list. */
function totalOf(counts: Partial<Record<Phase, number>>): number {
  return Object.entries(counts).reduce(
    (total, [phase, count]) => (phase === 'Gone' ? total : total + count),
    0,
  );
}

/** The previews of one entity. */
export function PreviewsTab(props: { entityRef: string }) {
  const { entityRef } = props;
  const { t } = useWords();
  const classes = useStyles();
  const narrow = useMediaQuery(narrowScreen);
  const onPhone = useMediaQuery(phone);
  const { query, change } = useTabQuery();
  const [rows, setRows] = useState(PAGE);
  const freshness = useRef<HTMLButtonElement>(null);

  const request = toRequest(query);
  const live = useRows({ entityRef, request, rows });
  const summary = useSummary(entityRef).value;
  const hiddenDrafts = useHiddenDrafts({ entityRef, request });
  const list = isRefusal(live.error) ? undefined : live.value;
  const isEmpty = list && list.items.length === 0 && !live.changing;
  const filtered = isFiltered(query);
  // What is gone is found by the filter alone.
  const hasGone = useHasGone({
    entityRef,
    enabled: isEmpty === true && !filtered,
  });
  const nothingToFilter = isEmpty && !filtered && hasGone === false;
  const statistics = useStatistics({
    entityRef,
    enabled: list !== undefined,
  });
  const login = useOwnGitLabLogin(
    list?.items[0]?.mergeRequest.host ??
      // A filter may leave no row.
      list?.sources.find(source => source.kind === 'gitlab')?.name,
  );

  const onOpen = useCallback(
    (preview: string) => change({ preview }, { push: true }),
    [change],
  );
  const onShowSources = useCallback(() => freshness.current?.click(), []);
  const drawer = query.preview && (
    <PreviewDrawer
      id={query.preview}
      onClose={() => change({ preview: undefined })}
      onShowSources={onShowSources}
    />
  );

  if (live.error && !list) {
    return <QueryError error={live.error} onRetry={live.refetch} />;
  }
  if (summary && !summary.onboarded) {
    return (
      <>
        <AnnotationProblems problems={summary.problems} />
        <NotOnboarded checks={summary.checks} />
      </>
    );
  }

  const unread = unreadGitLab(list?.sources ?? []);
  // None of the filtered rows does not mean that there is none.
  const uncounted = unread || (filtered && !summary);
  // Only what has been read completely tells that there is no set.
  const withoutSet =
    summary?.applicationSets.length === 0 &&
    summary.sources.every(({ lastCompleteAt }) => lastCompleteAt);
  const usual = <StatisticsStrip statistics={statistics} />;
  const tiers = (
    <TierStrip
      tiers={summary?.tiers}
      previews={summary?.phaseCounts.Live ?? 0}
    />
  );
  return (
    <section aria-label={t('tab.title')}>
      <div className={classes.top}>
        <CountsLine
          counts={isEmpty && uncounted ? undefined : list?.phaseCounts}
          total={filtered && summary ? totalOf(summary.phaseCounts) : undefined}
          chosen={query.phases}
          onChoose={phases => change({ phases })}
        />
        <Freshness
          ref={freshness}
          readAt={list?.readAt}
          sources={list?.sources ?? []}
        />
      </div>
      {!narrow && usual}
      {!onPhone && tiers}
      {!nothingToFilter && (
        <Filters
          query={query}
          authors={list?.authors ?? []}
          login={login}
          hiddenDrafts={hiddenDrafts}
          onChange={change}
        />
      )}
      <AnnotationProblems problems={summary?.problems ?? []} />
      <ChecksBar checks={summary?.checks} />
      <FindingBars findings={summary?.alarms ?? []} />
      <StaleBar
        sources={list?.sources ?? []}
        previews={list?.items}
        failedSince={live.error && live.receivedAt}
      />
      {withoutSet && <NoApplicationSet project={summary?.project} />}
      {isEmpty && filtered && (
        <NoMatch
          onClear={() =>
            change({ search: '', phases: [], author: '', hideDrafts: false })
          }
        />
      )}
      {isEmpty && !filtered && unread && <NotReadYet source={unread} />}
      {isEmpty && !filtered && !unread && !withoutSet && (
        <NoOpenMergeRequests project={summary?.project} />
      )}
      {!isEmpty && (
        <PreviewsTable
          previews={list?.items}
          sort={query.sort}
          changing={live.changing}
          onSort={sort => change({ sort })}
          onOpen={onOpen}
          onShowSources={onShowSources}
        />
      )}
      {list && list.items.length < list.totalItems && (
        <div className={classes.bottom}>
          <Typography variant="body2">
            {t('tab.showing', {
              shown: String(list.items.length),
              total: String(list.totalItems),
            })}
          </Typography>
          {list.nextCursor && (
            <TextButton onClick={() => setRows(rows + PAGE)}>
              {t('tab.showMore')}
            </TextButton>
          )}
        </div>
      )}
      {/* Who came for a link finds it without scrolling. */}
      {narrow && usual}
      {onPhone && tiers}
      {drawer}
    </section>
  );
}
