// @ts-check

/**
 * The long-lived environments of each entity, with the changes by hand that were seen
 * in them: the trace in the cluster is gone once they are put back.
 *
 * @param {import('knex').Knex} knex
 */
exports.up = async function up(knex) {
  await knex.schema.createTable('entity_tiers', table => {
    table.comment('Long-lived environments, by entity');
    table.text('entity_ref').primary();
    table.text('document').notNullable().comment('As JSON');
  });
};

/**
 * @param {import('knex').Knex} knex
 */
exports.down = async function down(knex) {
  await knex.schema.dropTable('entity_tiers');
};
