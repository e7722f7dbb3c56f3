import { Knex } from 'knex';
import { createTestDatabases } from '../testing/__testUtils__/databases';
import { migrationsDirectory } from './migrations';

jest.setTimeout(60_000);

/** One row for each table, as the first version of the plugin wrote them. */
async function fillTables(knex: Knex): Promise<void> {
  await knex('previews').insert({
    id: 'aaaaaaaa-1-1',
    host: 'gitlab.example.com',
    project_id: 1,
    iid: 1,
    project: 'shop/web',
    author: 'dev1',
    draft: false,
    head_sha: 'abc',
    search: 'title',
    phase: 'Live',
    attention: 10,
    listed: true,
    activity_at: 1,
    created_at: 1,
    version: 1,
    document: '{}',
    memory: '{}',
  });
  await knex('preview_entities').insert({
    preview_id: 'aaaaaaaa-1-1',
    entity_ref: 'component:default/web',
  });
  await knex('preview_clusters').insert({
    preview_id: 'aaaaaaaa-1-1',
    cluster: 'main',
  });
  await knex('transitions').insert({
    preview_id: 'aaaaaaaa-1-1',
    at: 1,
    document: '{}',
  });
  await knex('source_states').insert({
    id: 'cluster:main',
    position: 0,
    state: '{}',
  });
  await knex('entity_claims').insert({
    entity_ref: 'component:default/web',
    claim: '{}',
  });
  await knex('entity_checks').insert({
    entity_ref: 'component:default/web',
    errors: 1,
    warnings: 0,
    infos: 0,
    document: '{}',
  });
  await knex('entity_tiers').insert({
    entity_ref: 'component:default/web',
    document: '[]',
  });
  await knex('refresh_log').insert({
    preview_id: 'aaaaaaaa-1-1',
    caller: 'user:default/dev1',
    at: 1,
  });
  await knex('settings').insert({ name: 'signal_secret', value: 'secret' });
  await knex('spans').insert({
    preview_id: 'aaaaaaaa-1-1',
    kind: 'spinUp',
    started_at: 1,
    ended_at: 2,
    host: 'gitlab.example.com',
    project_id: 1,
    project: 'shop/web',
    imprecise: false,
    stages: '{}',
  });
  await knex('observation_gaps').insert({
    scope: '*',
    started_at: 1,
    ended_at: 2,
  });
  await knex('findings').insert({
    id: 'unjoined-1',
    type: 'Unjoined',
    severity: 'info',
    opened_at: 1,
    resolved_at: null,
    document: '{}',
  });
  await knex('finding_previews').insert({
    finding_id: 'unjoined-1',
    preview_id: 'aaaaaaaa-1-1',
  });
  await knex('certificate_issuances').insert({
    id: 'uid/1',
    at: 1,
    preview_id: 'aaaaaaaa-1-1',
    document: '{}',
  });
  await knex('generated_sets').insert({
    reference: 'main:argocd/web-previews',
    document: '{}',
  });
}

async function tablesLeft(knex: Knex): Promise<string[]> {
  const tables = [
    'previews',
    'preview_entities',
    'preview_clusters',
    'transitions',
    'source_states',
    'entity_claims',
    'lease',
    'refresh_log',
    'settings',
    'spans',
    'observation_gaps',
    'findings',
    'finding_previews',
    'generated_sets',
    'certificate_issuances',
    'entity_checks',
    'entity_tiers',
  ];
  const left: string[] = [];
  for (const table of tables) {
    if (await knex.schema.hasTable(table)) {
      left.push(table);
    }
  }
  return left;
}

describe('migrations', () => {
  const databases = createTestDatabases();

  it.each(databases.eachSupportedId())(
    'go up and down one at a time with rows in the tables, on %s',
    async id => {
      const knex = await databases.init(id);
      const directory = { directory: migrationsDirectory };

      await knex.migrate.latest(directory);
      await fillTables(knex);
      expect(await tablesLeft(knex)).toHaveLength(17);

      const [, applied] = await knex.migrate
        .list(directory)
        .then(lists => [lists[1], lists[0]]);
      for (let left = applied.length; left > 0; left -= 1) {
        await knex.migrate.down(directory);
      }
      expect(await tablesLeft(knex)).toEqual([]);

      await knex.migrate.latest(directory);
      await fillTables(knex);
      expect(await knex('lease').select('name', 'holder')).toEqual([
        { name: 'writer', holder: '' },
      ]);
    },
  );

  it.each(databases.eachSupportedId())(
    'change nothing when they are applied twice, on %s',
    async id => {
      const knex = await databases.init(id);
      const directory = { directory: migrationsDirectory };
      await knex.migrate.latest(directory);
      await fillTables(knex);

      const [, names] = await knex.migrate.latest(directory);

      expect(names).toEqual([]);
      expect(await knex('previews').select('id')).toHaveLength(1);
    },
  );

  it.each(databases.eachSupportedId())(
    'take the end back of previews whose merge request is open, on %s',
    async id => {
      const knex = await databases.init(id);
      const directory = { directory: migrationsDirectory };
      await knex.migrate.latest(directory);
      await knex.migrate.down({
        ...directory,
        name: '20261130124500_open_previews_stay.js',
      });
      await fillTables(knex);
      const [row] = await knex('previews').select('*');
      const states = ['opened', 'locked', 'merged'];
      await knex('previews').insert(
        states.map(state => ({
          ...row,
          id: state,
          listed: false,
          ended_at: 1,
          document: JSON.stringify({ mergeRequest: { state } }),
        })),
      );

      await knex.migrate.latest(directory);

      const ended = knex('previews').whereNotNull('ended_at').select('id');
      expect(await ended).toEqual([{ id: 'merged' }]);
    },
  );
});
