// @ts-check

/**
 * What statistics are made of: spans that are over, which outlive the previews
 * and their timelines, and the times in which something was not observed.
 *
 * @param {import('knex').Knex} knex
 */
exports.up = async function up(knex) {
  await knex.schema.createTable('spans', table => {
    table.comment(
      'Without a foreign key, since they outlive the preview; preview_entities keeps the links of those that have spans',
    );
    table.string('preview_id', 100).notNullable();
    table
      .string('kind', 20)
      .notNullable()
      .comment('spinUp, teardown, created or review');
    table.bigInteger('started_at').notNullable().comment('ms since 1970');
    table.bigInteger('ended_at').notNullable().comment('ms since 1970');
    table.text('host').notNullable();
    table.bigInteger('project_id').notNullable();
    table.text('project').notNullable().comment('Full path, at its end');
    table
      .boolean('imprecise')
      .notNullable()
      .comment('Counted, but its length is not used');
    table.text('stages').notNullable().comment('Seconds by stage, as JSON');
    table.primary(['preview_id', 'kind', 'started_at']);
    table.index(['ended_at'], 'spans_ended_idx');
  });

  await knex.schema.createTable('observation_gaps', table => {
    table.comment('Times of over a minute in which something was not observed');
    table
      .text('scope')
      .notNullable()
      .comment('*, gitlab:<host>/<project id> or cluster:<name>');
    table.bigInteger('started_at').notNullable().comment('ms since 1970');
    table.bigInteger('ended_at').notNullable().comment('ms since 1970');
    table.index(['ended_at'], 'observation_gaps_ended_idx');
  });
};

/**
 * @param {import('knex').Knex} knex
 */
exports.down = async function down(knex) {
  await knex.schema.dropTable('observation_gaps');
  await knex.schema.dropTable('spans');
};
