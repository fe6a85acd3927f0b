import type { Compilable, Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import { createIndex, createTable, type DatabaseKind, type Migration } from './statements.ts';

/** The tags of customers on their tasks. */
export const taskTags: Migration = { version: 24, name: 'task-tags', statements };

function statements(builder: Kysely<Schema>, kind: DatabaseKind): Compilable<unknown>[] {
  return [
    createTable(
      builder,
      kind,
      'task_tags',
      { task_id: 'text', tag: 'text', api_key_id: 'text', end_user: 'text?', created_at: 'int' },
      ['task_id', 'tag'],
    ),
    createIndex(builder, 'task_tags', 'by_tag', ['api_key_id', 'tag', 'task_id']),
    createIndex(builder, 'task_tags', 'by_end_user', ['api_key_id', 'end_user', 'tag', 'task_id'], {
      where: 'end_user is not null',
    }),
  ];
}
