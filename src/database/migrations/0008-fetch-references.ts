import type { Compilable, Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import { addColumn, createIndex, type DatabaseKind, type Migration } from './statements.ts';

/** Which waiting orders have references to fetch, and which process fetches them. */
export const fetchReferences: Migration = { version: 8, name: 'fetch-references', statements };

function statements(builder: Kysely<Schema>, kind: DatabaseKind): Compilable<unknown>[] {
  return [
    addColumn(builder, kind, 'tasks', 'fetch_at', 'int?'),
    addColumn(builder, kind, 'tasks', 'fetch_worker', 'text?'),
    createIndex(builder, 'tasks', 'unfetched', ['api_key_id', 'fetch_at'], {
      where: "step = 'waiting' and fetch_at is not null",
    }),
  ];
}
