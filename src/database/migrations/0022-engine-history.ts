import type { Compilable, Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import { createIndex, createTable, type DatabaseKind, type Migration } from './statements.ts';

/** What engines did, in slots of time. */
export const engineHistory: Migration = { version: 22, name: 'engine-history', statements };

function statements(builder: Kysely<Schema>, kind: DatabaseKind): Compilable<unknown>[] {
  return [
    createTable(
      builder,
      kind,
      'engine_history',
      {
        engine: 'text',
        width: 'int',
        from_at: 'int',
        succeeded: 'int',
        failed: 'int',
        refused: 'int',
        durations_json: 'text',
        revenue: 'int',
        cost: 'int',
        under_way: 'int',
      },
      ['width', 'from_at', 'engine'],
    ),
    createTable(builder, kind, 'circuit_openings', { circuit: 'text', opened_at: 'int', fault: 'text' }, [
      'circuit',
      'opened_at',
    ]),
    createIndex(builder, 'circuit_openings', 'by_time', ['opened_at']),
  ];
}
