import { Knex } from 'knex';
import { whereInList } from '../dialect';
import { Visibility, VisibilityCriteria } from '../PreviewStore';

function whereHasEntity(
  query: Knex.QueryBuilder,
  options: { knex: Knex; id: string; entityRefs?: readonly string[] },
): void {
  const { knex, id, entityRefs } = options;
  if (entityRefs?.length === 0) {
    query.whereRaw('1 = 0');
    return;
  }
  if (entityRefs) {
    // Not correlated, so that the list is gone through once and not for each row.
    const claimed = knex('preview_entities').select('preview_id');
    whereInList(claimed, { knex, column: 'entity_ref', values: entityRefs });
    query.whereIn(id, claimed);
    return;
  }
  query.whereExists(
    knex('preview_entities')
      .select(knex.raw('1'))
      .whereRaw('?? = ??', ['preview_entities.preview_id', id]),
  );
}

function whereCriteria(
  query: Knex.QueryBuilder,
  options: { knex: Knex; id: string; criteria: VisibilityCriteria },
): void {
  const { knex, id, criteria } = options;
  if ('allOf' in criteria) {
    query.whereRaw('1 = 1');
    for (const part of criteria.allOf) {
      query.where(inner => whereCriteria(inner, { knex, id, criteria: part }));
    }
  } else if ('anyOf' in criteria) {
    query.whereRaw('1 = 0');
    for (const part of criteria.anyOf) {
      query.orWhere(inner =>
        whereCriteria(inner, { knex, id, criteria: part }),
      );
    }
  } else if ('not' in criteria) {
    query.whereNot(inner =>
      whereCriteria(inner, { knex, id, criteria: criteria.not }),
    );
  } else {
    whereHasEntity(query, { knex, id, entityRefs: criteria.entityRefs });
  }
}

/**
 * Leaves only the rows that the caller may see, of `previews` or of a table with
 * a preview's id in the column `id`. It goes before every
 * count, search, order and cursor, so that nothing of a hidden row shows.
 */
export function whereVisible(
  query: Knex.QueryBuilder,
  options: { knex: Knex; visibility: Visibility; id?: string },
): void {
  const { knex, visibility, id = 'previews.id' } = options;
  const { entityRefs, criteria, withoutEntity } = visibility;
  if (!entityRefs && !criteria && withoutEntity) {
    // All of them: those with an entity and those without. Said so, no engine sees
    // that it need not look for entities.
    return;
  }
  query.where(anyOf => {
    anyOf.where(claimed => {
      whereHasEntity(claimed, {
        knex,
        id,
        entityRefs,
      });
      if (criteria) {
        claimed.where(inner => whereCriteria(inner, { knex, id, criteria }));
      }
    });
    if (withoutEntity) {
      anyOf.orWhereNot(claimed => whereHasEntity(claimed, { knex, id }));
    }
  });
}
