import type { Compilable, Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import { createIndex, type Migration } from './statements.ts';

/** The keys of an account, for its lists of tasks, files and deliveries. */
export const keysOfAccount: Migration = { version: 27, name: 'keys-of-account', statements };

function statements(builder: Kysely<Schema>): Compilable<unknown>[] {
  return [createIndex(builder, 'api_keys', 'by_account', ['account_id', 'mode'])];
}
