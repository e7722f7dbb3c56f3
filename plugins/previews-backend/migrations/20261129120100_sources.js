// @ts-check

/**
 * Freshness of the sources, and what the entities of the catalog claim.
 *
 * @param {import('knex').Knex} knex
 */
exports.up = async function up(knex) {
  await knex.schema.createTable('source_states', table => {
    table.comment('Freshness and errors of each source');
    table.text('id').primary();
    table.integer('position').notNullable().comment('Order as configured');
    table.text('state').notNullable().comment('As JSON');
  });

  await knex.schema.createTable('entity_claims', table => {
    table.comment('What an entity claims, also when it has no preview');
    table.text('entity_ref').primary();
    table.text('claim').notNullable().comment('As JSON');
  });
};

/**
 * @param {import('knex').Knex} knex
 */
exports.down = async function down(knex) {
  await knex.schema.dropTable('entity_claims');
  await knex.schema.dropTable('source_states');
};
