// @ts-check

/**
 * What the readiness checks found on the live objects of each entity's set-up.
 *
 * @param {import('knex').Knex} knex
 */
exports.up = async function up(knex) {
  await knex.schema.createTable('entity_checks', table => {
    table.comment('What readiness checks found, by entity');
    table.text('entity_ref').primary();
    table.integer('errors').notNullable();
    table.integer('warnings').notNullable();
    table.integer('infos').notNullable();
    table.text('document').notNullable().comment('As JSON');
  });
};

/**
 * @param {import('knex').Knex} knex
 */
exports.down = async function down(knex) {
  await knex.schema.dropTable('entity_checks');
};
