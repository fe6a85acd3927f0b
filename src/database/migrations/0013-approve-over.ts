import type { Compilable, Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import { addColumn, type DatabaseKind, type Migration } from './statements.ts';

/** The price above which a person must agree to an order of an agent, per API key. */
export const approveOver: Migration = { version: 13, name: 'approve-over', statements };

function statements(builder: Kysely<Schema>, kind: DatabaseKind): Compilable<unknown>[] {
  return [addColumn(builder, kind, 'api_keys', 'approve_over', 'int?')];
}
