import type { Compilable, Kysely } from 'kysely';
import type { DatabaseKind, Migration } from '../migrate.ts';
import type { Schema } from '../schema.ts';
import { createTable } from './statements.ts';

/** What many processes share: whose turn a chore is, and what each key has used of its minute. */
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
