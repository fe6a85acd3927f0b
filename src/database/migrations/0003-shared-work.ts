import type { Compilable, Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import { createTable, type DatabaseKind, type Migration } from './statements.ts';

/** State shared by processes: when each chore is due, and each key's usage in the current minute. */
export const sharedWork: Migration = { version: 3, name: 'shared-work', statements };

function statements(builder: Kysely<Schema>, kind: DatabaseKind): Compilable<unknown>[] {
  return [
    createTable(builder, kind, 'chores', { name: 'text', next_at: 'int' }, ['name']),
    createTable(builder, kind, 'rate_windows', { api_key_id: 'text', kind: 'text', minute: 'int', used: 'int' }, [
      'api_key_id',
      'kind',
    ]),
  ];
}
