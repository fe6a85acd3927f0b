import type { Compilable, Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import { createTable, type DatabaseKind, type Migration } from './statements.ts';

/**
 * Limits of engines that adapt to their upstream, and each process's capacity for engines that run inside the
 * processes.
 */
export const engineLoad: Migration = { version: 9, name: 'engine-load', statements };

function statements(builder: Kysely<Schema>, kind: DatabaseKind): Compilable<unknown>[] {
  return [
    createTable(builder, kind, 'engine_limits', { engine: 'text', concurrency: 'int', changed_at: 'int' }, ['engine']),
    createTable(
      builder,
      kind,
      'local_engines',
      { engine: 'text', worker: 'text', concurrency: 'int', seen_at: 'int' },
      ['engine', 'worker'],
    ),
  ];
}
