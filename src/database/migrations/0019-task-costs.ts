import type { Compilable, Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import { createIndex, createTable, type DatabaseKind, type Migration } from './statements.ts';

/** What live orders cost at their upstreams. */
export const taskCosts: Migration = { version: 19, name: 'task-costs', statements };

function statements(builder: Kysely<Schema>, kind: DatabaseKind): Compilable<unknown>[] {
  return [
    createTable(
      builder,
      kind,
      'task_costs',
      {
        task_id: 'text',
        account_id: 'text',
        model_id: 'text',
        engine: 'text',
        upstream_model: 'text',
        outcome: 'text',
        charged: 'int',
        expected: 'int?',
        told: 'int?',
        told_units: 'text?',
        settled_at: 'int',
      },
      ['task_id'],
    ),
    createIndex(builder, 'task_costs', 'by_time', ['settled_at']),
  ];
}
