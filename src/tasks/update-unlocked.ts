import type { Kysely, SelectQueryBuilder } from 'kysely';
import type { Schema } from '../database/schema.ts';

/**
 * Begins an update of the tasks that `select` finds and that no other transaction has locked. So processes that claim
 * at the same time get different tasks and do not wait for each other. The caller adds `set`.
 */
export function updateUnlocked(
  builder: Kysely<Schema>,
  select: SelectQueryBuilder<Schema, 'tasks', { readonly id: string }>,
) {
  return (
    builder
      // Materialized: PostgreSQL might otherwise run the selection again for each row, and lock more than its limit.
      .with(
        (name) => name('picked').materialized(),
        () => select.forUpdate().skipLocked(),
      )
      .updateTable('tasks')
      .where('id', 'in', (inner) => inner.selectFrom('picked').select('id'))
  );
}
