import { Knex } from 'knex';
import { GeneratedSet, StoredFinding } from '../../model';
import { FindingRow, GeneratedSetRow } from '../tables';

/** All findings that are not over, and what is remembered of the sets, for the writer's start. */
export async function loadFindings(
  knex: Knex,
): Promise<{ findings: StoredFinding[]; sets: GeneratedSet[] }> {
  const [findings, sets] = await Promise.all([
    knex<FindingRow>('findings').whereNull('resolved_at').select('document'),
    knex<GeneratedSetRow>('generated_sets').select('document'),
  ]);
  return {
    findings: findings.map(({ document }) => JSON.parse(document)),
    sets: sets.map(({ document }) => JSON.parse(document)),
  };
}
