// @ts-check

const BATCH = 500;

/**
 * A preview has not ended while its merge request is open, though its environment is
 * gone: rows of that kind were written as ended, and would be deleted.
 *
 * @param {import('knex').Knex} knex
 */
exports.up = async function up(knex) {
  let last = '';
  for (;;) {
    const rows = await knex('previews')
      .whereNotNull('ended_at')
      .where('id', '>', last)
      .orderBy('id')
      .limit(BATCH)
      .select('id', 'document');
    if (rows.length === 0) {
      return;
    }
    const open = rows.filter(({ document }) =>
      ['opened', 'locked'].includes(JSON.parse(document).mergeRequest?.state),
    );
    await knex('previews')
      .whereIn(
        'id',
        open.map(({ id }) => id),
      )
      .update({ ended_at: null });
    last = rows[rows.length - 1].id;
  }
};

/** Rows without an end are what the version before has of previews that are under way. */
exports.down = async function down() {};
