import type { Compilable, Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import { addColumn, type DatabaseKind, type Migration } from './statements.ts';

/** The progress that engines tell, at the end of the row. */
export const toldProgress: Migration = { version: 30, name: 'told-progress', statements };

function statements(builder: Kysely<Schema>, kind: DatabaseKind): Compilable<unknown>[] {
  return [
    addColumn(builder, kind, 'tasks', 'told_progress', 'int?'),
    addColumn(builder, kind, 'tasks', 'progress_changes', 'int?'),
  ];
}
