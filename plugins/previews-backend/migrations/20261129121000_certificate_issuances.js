// @ts-check

/**
 * Certificates that ACME servers issued and refused, which their limits are counted
 * from beyond the objects that told of them.
 *
 * @param {import('knex').Knex} knex
 */
exports.up = async function up(knex) {
  await knex.schema.createTable('certificate_issuances', table => {
    table.comment('Certificates that ACME servers issued and refused');
    table
      .string('id', 200)
      .primary()
      .comment('uid and revision of the Certificate, or what tells a refusal');
    table.bigInteger('at').notNullable().comment('ms since 1970');
    table
      .string('preview_id', 100)
      .nullable()
      .comment('Whose own certificate it is; none for shared ones');
    table.text('document').notNullable().comment('As JSON');
    table.index(['at'], 'certificate_issuances_at_idx');
    table.index(['preview_id'], 'certificate_issuances_preview_idx');
  });
};

/**
 * @param {import('knex').Knex} knex
 */
exports.down = async function down(knex) {
  await knex.schema.dropTable('certificate_issuances');
};
