// @ts-check

/**
 * Previews with the columns that lists are filtered and sorted by, who claims
 * them, where they are, and their timelines.
 *
 * @param {import('knex').Knex} knex
 */
exports.up = async function up(knex) {
  await knex.schema.createTable('previews', table => {
    table.comment('One row per merge request that was ever seen');
    table.string('id', 100).primary().comment('Id on the wire');
    table.text('host').notNullable();
    table.bigInteger('project_id').notNullable();
    table.bigInteger('iid').notNullable();
    table.text('project').notNullable().comment('Full path of the project');
    table.text('author').notNullable().comment('GitLab username');
    table.boolean('draft').notNullable();
    table.text('head_sha').notNullable().comment('Lower case, or empty');
    table
      .text('search')
      .notNullable()
      .comment('What free text is looked for in, in lower case');
    table.string('phase', 40).notNullable();
    table
      .integer('attention')
      .notNullable()
      .comment('Rank of the phase: what needs a person comes first');
    table
      .boolean('listed')
      .notNullable()
      .comment('False for those that lists leave out unless asked for');
    table.bigInteger('activity_at').notNullable().comment('ms since 1970');
    table.bigInteger('created_at').notNullable().comment('ms since 1970');
    table
      .bigInteger('ended_at')
      .nullable()
      .comment('ms since 1970; only when it is not listed');
    table
      .bigInteger('version')
      .notNullable()
      .comment('Unique over all rows and all changes');
    table
      .string('digest', 64)
      .notNullable()
      .comment('Of document and memory, to see that nothing changed');
    table.text('document').notNullable().comment('The preview, as JSON');
    table
      .text('memory')
      .notNullable()
      .comment('What the next decision needs to know, as JSON');
    table.index(['listed', 'attention', 'activity_at'], 'previews_listed_idx');
    table.index(['activity_at'], 'previews_activity_idx');
    table.index(['ended_at'], 'previews_ended_idx');
    table.index(['project'], 'previews_project_idx');
  });

  await knex.schema.createTable('preview_entities', table => {
    table.comment('Entities that claim a preview');
    table.string('preview_id', 100).notNullable();
    table.text('entity_ref').notNullable();
    table.primary(['preview_id', 'entity_ref']);
    table.index(['entity_ref', 'preview_id'], 'preview_entities_ref_idx');
  });

  await knex.schema.createTable('preview_clusters', table => {
    table.comment('Clusters that something of a preview is in');
    table.string('preview_id', 100).notNullable();
    table.text('cluster').notNullable();
    table.primary(['preview_id', 'cluster']);
    table.index(['cluster', 'preview_id'], 'preview_clusters_cluster_idx');
  });

  await knex.schema.createTable('transitions', table => {
    table.comment(
      'Timelines; without a foreign key, since they outlive the preview',
    );
    table.bigIncrements('id').comment('Order of the timeline');
    table.string('preview_id', 100).notNullable();
    table.bigInteger('at').notNullable().comment('ms since 1970');
    table.text('document').notNullable().comment('The transition, as JSON');
    table.index(['preview_id', 'id'], 'transitions_preview_idx');
    table.index(['at'], 'transitions_at_idx');
  });
};

/**
 * @param {import('knex').Knex} knex
 */
exports.down = async function down(knex) {
  await knex.schema.dropTable('transitions');
  await knex.schema.dropTable('preview_clusters');
  await knex.schema.dropTable('preview_entities');
  await knex.schema.dropTable('previews');
};
