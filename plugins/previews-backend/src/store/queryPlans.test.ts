import { Transition } from '@previews/backstage-plugin-previews-common';
import { Knex } from 'knex';
import {
  createTestDatabases,
  databaseServiceOf,
} from '../testing/__testUtils__/databases';
import { storedFinding } from '../testing/__testUtils__/storedFindings';
import { storedPreview } from '../testing/__testUtils__/storedPreviews';
import { IssuanceRecord, ObservationGap, Span } from '../model';
import { DatabasePreviewStore } from './DatabasePreviewStore';
import { isPostgres } from './dialect';
import { FindingView, LeaseTerm, Visibility } from './PreviewStore';

jest.setTimeout(120_000);

const PREVIEWS = 6_000;
const PER_ENTITY = 20;
const CHUNK = 200;
/** Tables that grow with the organisation and with time. */
const LARGE = new Set([
  'previews',
  'preview_entities',
  'preview_clusters',
  'transitions',
  'spans',
  'findings',
  'finding_previews',
  'certificate_issuances',
  'observation_gaps',
]);

const entityOf = (iid: number) =>
  `component:default/service-${Math.floor(iid / PER_ENTITY)}`;
const timeOf = (iid: number) =>
  new Date(Date.UTC(2026, 0, 1) + iid * 3_600_000).toISOString();
const LATEST = timeOf(PREVIEWS);

/** As after half a year: most previews are gone, and a few are not. */
async function fill(store: DatabasePreviewStore, term: LeaseTerm) {
  for (let start = 1; start <= PREVIEWS; start += CHUNK) {
    const iids = Array.from({ length: CHUNK }, (_, index) => start + index);
    const previews = iids.map(iid =>
      storedPreview({
        iid,
        phase: iid % 10 === 0 ? 'Live' : 'Gone',
        entityRefs: [entityOf(iid)],
        activityAt: timeOf(iid),
        mergeRequest: {
          project: `shop/service-${Math.floor(iid / PER_ENTITY)}`,
          author: { username: `dev${iid % 300}` },
          createdAt: timeOf(iid),
          state: iid % 10 === 0 ? 'opened' : 'merged',
        },
        preview: { goneAt: timeOf(iid) },
      }),
    );
    const changes = previews.map(stored => ({
      stored,
      transitions: ['Building', 'Live', 'Gone'].map(
        (to): Omit<Transition, 'id'> => ({
          previewId: stored.preview.id,
          at: timeOf(stored.key.iid),
          kind: 'phase',
          to,
          message: '',
        }),
      ),
    }));
    const spans = previews.map(
      ({ key, preview }): Span => ({
        previewId: preview.id,
        host: key.host,
        projectId: key.projectId,
        project: preview.mergeRequest.project,
        kind: 'spinUp',
        startedAt: timeOf(key.iid),
        endedAt: timeOf(key.iid),
        imprecise: false,
        stages: {},
      }),
    );
    await store.apply(term, changes, { spans });

    await store.applyIssuances(term, {
      records: previews.map(
        ({ key, preview }): IssuanceRecord => ({
          kind: 'issued',
          id: `cert-${key.iid}/1`,
          names: [`mr-${key.iid}.example.com`],
          at: timeOf(key.iid),
          previewId: preview.id,
        }),
      ),
    });
    await store.applyGaps(
      term,
      previews.map(
        ({ key }): ObservationGap => ({
          scope: '*',
          startedAt: timeOf(key.iid),
          endedAt: timeOf(key.iid),
        }),
      ),
    );

    const findings = previews.map(({ key, preview }) => ({
      time: preview.goneAt,
      // Few are open at a time; of a tenth PostgreSQL may well read the table.
      isOver: key.iid % 100 !== 0,
      stored: storedFinding({
        id: `without-merge-request-${key.iid}`,
        type: 'WithoutMergeRequest',
        since: timeOf(key.iid),
        previewIds: [preview.id],
      }),
    }));
    const nothing = { put: [], resolved: [], sets: [], forgottenSets: [] };
    await store.applyFindings(term, {
      ...nothing,
      put: findings.map(({ stored }) => stored),
    });
    await store.applyFindings(term, {
      ...nothing,
      resolved: findings
        .filter(({ isOver }) => isOver)
        .map(({ stored, time }) => ({
          ...stored,
          finding: { ...stored.finding, resolvedAt: time },
        })),
    });
  }
}

interface PostgresPlan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Cond'?: string;
  Plans?: PostgresPlan[];
}

/** What counts as scanning: to read a table, or all of an index as well. */
type Scan = 'table' | 'index';

function tablesScannedIn(plan: PostgresPlan, scan: Scan): string[] {
  const { 'Node Type': node, 'Relation Name': table } = plan;
  const isWholeIndex = /^Index (Only )?Scan$/.test(node) && !plan['Index Cond'];
  const isScan = node === 'Seq Scan' || (scan === 'index' && isWholeIndex);
  return [
    ...(isScan && table ? [table] : []),
    // The first few of an index, in its order.
    ...(node === 'Limit'
      ? tablesBelow(plan, 'table')
      : tablesBelow(plan, scan)),
  ];
}

function tablesBelow(plan: PostgresPlan, scan: Scan): string[] {
  return (plan.Plans ?? []).flatMap(below => tablesScannedIn(below, scan));
}

/** Tables that a statement is answered from without any index, or by all of one. */
async function tablesScanned(
  knex: Knex,
  { sql, bindings }: { sql: string; bindings: readonly Knex.Value[] },
  scan: Scan,
): Promise<string[]> {
  if (isPostgres(knex)) {
    const { rows } = await knex.raw(
      `EXPLAIN (FORMAT JSON) ${sql.replace(/\$\d+/g, '?')}`,
      bindings as Knex.RawBinding[],
    );
    return rows.flatMap((row: { 'QUERY PLAN': { Plan: PostgresPlan }[] }) =>
      tablesScannedIn(row['QUERY PLAN'][0].Plan, scan),
    );
  }
  const rows: { detail: string }[] = await knex.raw(
    `EXPLAIN QUERY PLAN ${sql}`,
    bindings as Knex.RawBinding[],
  );
  // The first few in the order of the rows' own ids, which SQLite keeps them in.
  const isFirstFew =
    /limit/.test(sql) &&
    !rows.some(({ detail }) => detail.includes('TEMP B-TREE'));
  return rows.flatMap(({ detail }) => {
    const scanned = /^SCAN (\w+)/.exec(detail);
    const isByIndex = scan === 'table' && detail.includes(' USING ');
    return scanned && !isByIndex && !isFirstFew ? [scanned[1]] : [];
  });
}

describe('the queries', () => {
  const databases = createTestDatabases();

  it.each(databases.eachSupportedId())(
    'go through no large table without an index, on %s',
    async databaseId => {
      const knex = await databases.init(databaseId);
      const store = await DatabasePreviewStore.create({
        database: databaseServiceOf(knex),
      });
      const term = await store.acquireLease({
        holder: 'test',
        durationSeconds: 600,
      });
      await fill(store, term!);
      await knex.raw(isPostgres(knex) ? 'VACUUM ANALYZE' : 'ANALYZE');

      const statements: { sql: string; bindings: Knex.Value[] }[] = [];
      knex.on('query', ({ sql, bindings }) => {
        statements.push({ sql, bindings: bindings ?? [] });
      });
      const found: Record<string, string[]> = {};
      const look = async (
        what: string,
        ask: () => Promise<unknown>,
        isMeant: (sql: string) => boolean = () => true,
        scan: Scan = 'table',
      ) => {
        statements.length = 0;
        await ask();
        const asked = statements.filter(
          ({ sql }) =>
            /^(with|select|delete|update)/i.test(sql) && isMeant(sql),
        );
        const scans = new Set<string>();
        for (const statement of asked) {
          for (const table of await tablesScanned(knex, statement, scan)) {
            if (LARGE.has(table)) {
              scans.add(`${table}: ${statement.sql}`);
            }
          }
        }
        expect(asked.length).toBeGreaterThan(0);
        if (scans.size > 0) {
          found[what] = [...scans];
        }
      };

      const iid = 3_000;
      const entityRef = entityOf(iid);
      const { id } = storedPreview({ iid }).preview;
      const one: Visibility = {
        entityRefs: [entityRef],
        withoutEntity: false,
      };
      const all: Visibility = { withoutEntity: true };
      const page = { sort: '-activity', limit: 50 } as const;
      const isPage = (sql: string) => /limit/.test(sql) && /document/.test(sql);
      const isAny = () => true;

      await look(
        'the entities that visibility is asked of',
        () => store.entityRefs(),
        isAny,
        'index',
      );
      for (const [who, visibility] of Object.entries({ one, all })) {
        await look(`the previews with certificates, for ${who}`, () =>
          store.issuancePreviews({ entityRef }, visibility),
        );
      }
      await look('the previews with certificates of all entities', () =>
        store.issuancePreviews({}, one),
      );

      for (const [who, visibility] of Object.entries({ one, all })) {
        await look(`the tab of an entity, for ${who}`, () =>
          store.list({ ...page, entityRef }, visibility),
        );
        await look(`the tab with what has ended, for ${who}`, () =>
          store.list({ ...page, entityRef, includeEnded: true }, visibility),
        );
        await look(`the spans of an entity, for ${who}`, () =>
          store.spans({ entityRef, from: timeOf(iid), to: LATEST }, visibility),
        );
      }
      const views: Record<string, FindingView> = {
        one: { everything: false, visibility: one },
        all: { everything: true, visibility: all },
      };
      for (const [who, view] of Object.entries(views)) {
        await look(`the findings of an entity, for ${who}`, () =>
          store.findings({ limit: 50, entityRef, state: 'all' }, view),
        );
        await look(`the findings of an entity by severity, for ${who}`, () =>
          store.findingsBySeverity({ entityRef }, view),
        );
        await look(`the findings of a preview, for ${who}`, () =>
          store.findings({ limit: 50, previewId: id }, view),
        );
        await look(`a finding, for ${who}`, () =>
          store.finding(`without-merge-request-${iid}`, view),
        );
        await look(
          `the page of findings, for ${who}`,
          () => store.findings({ limit: 50 }, view),
          isPage,
        );
      }
      await look('the findings that are not over', () => store.loadFindings());
      for (const sort of ['attention', 'activity', 'created', 'iid'] as const) {
        await look(
          `the page of all by ${sort}`,
          () => store.list({ ...page, sort }, all),
          isPage,
        );
        await look(
          `the page of all, ended or not, by ${sort} from the end`,
          () =>
            store.list(
              {
                ...page,
                sort: sort === 'attention' ? sort : `-${sort}`,
                includeEnded: true,
              },
              all,
            ),
          isPage,
        );
      }
      const isFacet = (sql: string) => !isPage(sql);
      for (const [what, filter] of Object.entries({
        'what has not ended': {},
        everything: { includeEnded: true },
        'some phases': { phases: ['Live' as const, 'Failed' as const] },
        'an author': { author: 'dev7' },
      })) {
        await look(
          `the counts and authors of ${what}`,
          () => store.list({ ...page, ...filter }, all),
          isFacet,
        );
      }
      await look('those of a project', () =>
        store.list({ ...page, project: 'shop/service-7' }, one),
      );
      await look(
        'those of an author',
        () => store.list({ ...page, author: 'dev7', includeEnded: true }, all),
        isPage,
      );
      await look('one', () => store.get(id, one));
      await look('a timeline', () => store.timeline(id, { limit: 20 }));
      await look('timelines', () => store.timelines([id]));
      await look('those that may change', () => store.loadActive());
      await look('some by their keys', () =>
        store.loadByKeys([storedPreview({ iid }).key]),
      );
      await look('the newest transitions', () => store.recentTransitions(50));
      await look('the counts by phase', () => store.countByPhase());
      await look('the counts of findings', () => store.countFindings());
      await look('the spans of a day', () =>
        store.spans({ from: timeOf(PREVIEWS - 24), to: LATEST }, one),
      );
      await look('a change', () =>
        store.apply(term!, [
          { stored: storedPreview({ iid: 10 }), transitions: [] },
        ]),
      );
      // Issuances and gaps are read whole, which is all that is kept of them.
      // It is done every hour: of a day's PostgreSQL may well read the tables.
      await look('the clean-up of the issuances of some hours', () =>
        store.applyIssuances(term!, { records: [], forgetBefore: timeOf(4) }),
      );
      await look('the clean-up of some hours', () =>
        store.deleteEndedBefore(term!, timeOf(4)),
      );
      expect(found).toEqual({});
    },
  );
});
