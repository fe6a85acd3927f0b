import type { Compilable, Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import { createIndex, createTable, type DatabaseKind, type Migration } from './statements.ts';

/** Sums by day, which reports read instead of rows. */
export const daySums: Migration = { version: 26, name: 'day-sums', statements };

function statements(builder: Kysely<Schema>, kind: DatabaseKind): Compilable<unknown>[] {
  return [
    createTable(builder, kind, 'closed_days', { name: 'text', before_day: 'int', revision: 'int' }, ['name']),
    createTable(
      builder,
      kind,
      'usage_days',
      {
        api_key_id: 'text',
        day: 'int',
        archived: 'int',
        model_id: 'text',
        status: 'text',
        tasks: 'int',
        charged: 'int',
      },
      ['api_key_id', 'day', 'archived', 'model_id', 'status'],
    ),
    createIndex(builder, 'usage_days', 'by_day', ['day', 'archived']),
    createTable(
      builder,
      kind,
      'cost_days',
      {
        day: 'int',
        archived: 'int',
        account_id: 'text',
        model_id: 'text',
        engine: 'text',
        orders: 'int',
        unsuccessful: 'int',
        unknown: 'int',
        revenue: 'int',
        expected: 'int',
        told: 'int',
        cost: 'int',
        without_amount: 'int',
        differing: 'int',
        below_cost: 'int',
      },
      ['day', 'archived', 'account_id', 'model_id', 'engine'],
    ),
  ];
}
