// @ts-check

/**
 * Findings of the two-way diff with the previews that they concern, and what is
 * remembered of the Applications of each set.
 *
 * @param {import('knex').Knex} knex
 */
exports.up = async function up(knex) {
  await knex.schema.createTable('findings', table => {
    table.comment('Where the MRs and what is deployed for them differ');
    table.string('id', 100).primary().comment('Id on the wire');
    table.string('type', 40).notNullable();
    table.string('severity', 20).notNullable();
    table.bigInteger('opened_at').notNullable().comment('ms since 1970');
    table
      .bigInteger('resolved_at')
      .nullable()
      .comment('ms since 1970; only when it is over');
    table.text('document').notNullable().comment('As JSON');
    table.index(['resolved_at', 'opened_at', 'id'], 'findings_resolved_idx');
    table.index(['opened_at', 'id'], 'findings_opened_idx');
  });

  await knex.schema.createTable('finding_previews', table => {
    table.comment('Previews that a finding concerns');
    table.string('finding_id', 100).notNullable();
    table.string('preview_id', 100).notNullable();
    table.primary(['finding_id', 'preview_id']);
    table.index(['preview_id', 'finding_id'], 'finding_previews_preview_idx');
  });

  await knex.schema.createTable('generated_sets', table => {
    table.comment('Applications that a set had at its last complete reading');
    table
      .text('reference')
      .primary()
      .comment('cluster:namespace/name of the ApplicationSet');
    table.text('document').notNullable().comment('As JSON');
  });
};

/**
 * @param {import('knex').Knex} knex
 */
exports.down = async function down(knex) {
  await knex.schema.dropTable('generated_sets');
  await knex.schema.dropTable('finding_previews');
  await knex.schema.dropTable('findings');
};
