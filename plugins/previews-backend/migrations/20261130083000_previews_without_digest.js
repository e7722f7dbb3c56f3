// @ts-check

/**
 * The writer knows what is stored of a preview and writes only what differs from it:
 * no row is compared by a digest any more.
 *
 * @param {import('knex').Knex} knex
 */
exports.up = async function up(knex) {
  await knex.raw('ALTER TABLE previews DROP COLUMN digest');
};

/**
 * @param {import('knex').Knex} knex
 */
exports.down = async function down(knex) {
  await knex.schema.alterTable('previews', table => {
    table
      .string('digest', 64)
      .notNullable()
      .defaultTo('')
      .comment('Of document and memory, to see that nothing changed');
  });
};
