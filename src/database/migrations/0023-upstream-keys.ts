import type { Compilable, Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import { createIndex, createTable, type DatabaseKind, type Migration } from './statements.ts';

/** The upstream keys of accounts, sealed with the operator's key. */
export const upstreamKeys: Migration = { version: 23, name: 'upstream-keys', statements };

function statements(builder: Kysely<Schema>, kind: DatabaseKind): Compilable<unknown>[] {
  return [
    createTable(
      builder,
      kind,
      'upstream_keys',
      {
        id: 'text',
        account_id: 'text',
        engine: 'text',
        sealed: 'text?',
        last_four: 'text',
        set_by: 'text',
        set_at: 'int',
        removed_at: 'int?',
      },
      ['id'],
    ),
    createIndex(builder, 'upstream_keys', 'one_per_engine', ['account_id', 'engine'], {
      unique: true,
      where: 'removed_at is null',
    }),
  ];
}
