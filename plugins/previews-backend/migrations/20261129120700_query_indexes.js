// @ts-check

/**
 * What lists are sorted and filtered by without an index of its own so far. Those by
 * attention end as that order does, so that a page is read and not sorted.
 *
 * @param {import('knex').Knex} knex
 */
exports.up = async function up(knex) {
  await knex.schema.alterTable('previews', table => {
    table.dropIndex([], 'previews_listed_idx');
    table.index(['author'], 'previews_author_idx');
    table.index(['created_at', 'id'], 'previews_created_idx');
    table.index(['iid', 'id'], 'previews_iid_idx');
    // Has all that counts by phase are made of.
    table.index(['phase', 'listed', 'version'], 'previews_phase_idx');
  });
  await knex.raw(
    'CREATE INDEX previews_attention_idx ON previews (attention, activity_at DESC, id)',
  );
  await knex.raw(
    'CREATE INDEX previews_listed_attention_idx ON previews (listed, attention, activity_at DESC, id)',
  );
};

/**
 * @param {import('knex').Knex} knex
 */
exports.down = async function down(knex) {
  await knex.schema.alterTable('previews', table => {
    table.dropIndex([], 'previews_listed_attention_idx');
    table.dropIndex([], 'previews_attention_idx');
    table.dropIndex([], 'previews_phase_idx');
    table.dropIndex([], 'previews_iid_idx');
    table.dropIndex([], 'previews_created_idx');
    table.dropIndex([], 'previews_author_idx');
    table.index(['listed', 'attention', 'activity_at'], 'previews_listed_idx');
  });
};
