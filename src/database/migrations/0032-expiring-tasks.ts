import type { Compilable, Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import { createIndex, type Migration } from './statements.ts';

/**
 * Leaves tasks that have not ended out of the index of those that expire: only ended tasks are erased, and until then
 * each move of a task wrote this index too.
 */
export const expiringTasks: Migration = { version: 32, name: 'expiring-tasks', statements };

function statements(builder: Kysely<Schema>): Compilable<unknown>[] {
  return [
    createIndex(builder, 'tasks', 'to_erase', ['expires_at'], {
      where: 'erased_at is null and completed_at is not null',
    }),
    builder.schema.dropIndex('tasks_expiring') as Compilable<unknown>,
  ];
}
