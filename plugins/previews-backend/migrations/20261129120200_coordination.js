// @ts-check

/**
 * What the replicas share to work together: the writer's lease, the log that
 * limits refreshes, and single values.
 *
 * @param {import('knex').Knex} knex
 */
exports.up = async function up(knex) {
  await knex.schema.createTable('lease', table => {
    table.comment('Who may write');
    table.string('name', 40).primary();
    table.text('holder').notNullable().comment('Empty when nobody holds it');
    table
      .bigInteger('epoch')
      .notNullable()
      .comment('Grows with every change of holder');
    table
      .bigInteger('expires_at')
      .notNullable()
      .comment('ms since 1970 by the clock of the database');
  });
  await knex('lease').insert({
    name: 'writer',
    holder: '',
    epoch: 0,
    expires_at: 0,
  });

  await knex.schema.createTable('refresh_log', table => {
    table.comment('Refreshes of the last minute');
    table.bigIncrements('id');
    table.string('preview_id', 100).notNullable();
    table.text('caller').notNullable();
    table
      .bigInteger('at')
      .notNullable()
      .comment('ms since 1970 by the clock of the database');
    table.index(['preview_id', 'at'], 'refresh_log_preview_idx');
    table.index(['caller', 'at'], 'refresh_log_caller_idx');
  });

  await knex.schema.createTable('settings', table => {
    table.comment('Single values');
    table.string('name', 40).primary();
    table.text('value').notNullable();
  });
  await knex('settings').insert([
    { name: 'version', value: '0' },
    // Locked while the refreshes of the last minute are counted.
    { name: 'refresh_lock', value: '' },
  ]);
};

/**
 * @param {import('knex').Knex} knex
 */
exports.down = async function down(knex) {
  await knex.schema.dropTable('settings');
  await knex.schema.dropTable('refresh_log');
  await knex.schema.dropTable('lease');
};
