import type { Compilable, Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import { createIndex, type Migration } from './statements.ts';

export const SHORT_ROWS = 'short-rows';

/**
 * Marks when the short form of rows became known, and leaves out of the index of statuses what most tasks are: a list
 * of succeeded tasks walks the key's tasks.
 */
export const shortRows: Migration = { version: 31, name: SHORT_ROWS, statements };

function statements(builder: Kysely<Schema>): Compilable<unknown>[] {
  return [
    createIndex(builder, 'tasks', 'by_other_status', ['api_key_id', 'type', 'status', 'id'], {
      where: "status <> 'succeeded'",
    }),
    builder.schema.dropIndex('tasks_by_status') as Compilable<unknown>,
  ];
}
