import type { Compilable, Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import { addColumn, createTable, type DatabaseKind, type Migration } from './statements.ts';

/** Upstreams that accept no orders for now, and when an engine expects an order to be finished. */
export const circuits: Migration = { version: 4, name: 'circuits', statements };

function statements(builder: Kysely<Schema>, kind: DatabaseKind): Compilable<unknown>[] {
  const columns = {
    engine: 'text',
    fault: 'text',
    call: 'text',
    message: 'text',
    openings: 'int',
    opened_at: 'int',
    retry_at: 'int',
    trial_until: 'int?',
  } as const;
  return [
    createTable(builder, kind, 'circuits', columns, ['engine']),
    addColumn(builder, kind, 'tasks', 'estimated_end_at', 'int?'),
  ];
}
