import type { Compilable, Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import { createIndex, createTable, type DatabaseKind, type Migration } from './statements.ts';

/** Links that show the result of a task to people without a key. */
export const shares: Migration = { version: 20, name: 'shares', statements };

function statements(builder: Kysely<Schema>, kind: DatabaseKind): Compilable<unknown>[] {
  return [
    createTable(
      builder,
      kind,
      'shares',
      { id: 'text', api_key_id: 'text', task_id: 'text', shows_prompt: 'int', created_at: 'int', expires_at: 'int' },
      ['id'],
    ),
    createIndex(builder, 'shares', 'by_key', ['api_key_id', 'id']),
    createIndex(builder, 'shares', 'by_task', ['task_id', 'id']),
  ];
}
