import type { Compilable, Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import { createIndex, createTable, type DatabaseKind, type Migration } from './statements.ts';

/** Finished tasks that were moved to files, and what they add to sums. */
export const archives: Migration = { version: 29, name: 'archives', statements };

function statements(builder: Kysely<Schema>, kind: DatabaseKind): Compilable<unknown>[] {
  return [
    createTable(
      builder,
      kind,
      'archives',
      {
        id: 'text',
        month: 'text',
        storage_key: 'text',
        tasks: 'int',
        bytes: 'int',
        sha256: 'text',
        created_at: 'int',
        moved: 'int',
        done_at: 'int?',
      },
      ['id'],
    ),
    createIndex(builder, 'archives', 'by_month', ['month', 'id']),
    createIndex(builder, 'archives', 'unfinished', ['id'], { where: 'done_at is null' }),
    createTable(
      builder,
      kind,
      'archived_sums',
      { kind: 'text', name: 'text', at: 'int', count: 'int', price: 'int', amount: 'int' },
      ['kind', 'name', 'at'],
    ),
  ];
}
