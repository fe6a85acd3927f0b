import type { Compilable, Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import { addColumn, type DatabaseKind, type Migration } from './statements.ts';

/** The end user of a file, whom a client token shows only its own files. */
export const fileEndUsers: Migration = { version: 17, name: 'file-end-users', statements };

function statements(builder: Kysely<Schema>, kind: DatabaseKind): Compilable<unknown>[] {
  return [addColumn(builder, kind, 'files', 'end_user', 'text?')];
}
