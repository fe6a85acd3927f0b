import type { Compilable, Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import { addColumn, createIndex, createTable, type DatabaseKind, type Migration } from './statements.ts';

/** Batches, and the tasks that belong to them. */
export const batches: Migration = { version: 18, name: 'batches', statements };

function statements(builder: Kysely<Schema>, kind: DatabaseKind): Compilable<unknown>[] {
  return [
    createTable(
      builder,
      kind,
      'batches',
      {
        id: 'text',
        api_key_id: 'text',
        account_id: 'text',
        mode: 'text',
        status: 'text',
        orders: 'int',
        quoted: 'int',
        max_parallel: 'int?',
        metadata_json: 'text',
        webhook_url: 'text?',
        placed: 'int',
        placed_amount: 'int',
        counts_json: 'text?',
        charged: 'int?',
        created_at: 'int',
        cancel_requested_at: 'int?',
        completed_at: 'int?',
      },
      ['id'],
    ),
    createIndex(builder, 'batches', 'by_key', ['api_key_id', 'id']),
    createIndex(builder, 'batches', 'open', ['id', 'api_key_id'], { where: "status = 'processing'" }),
    createTable(
      builder,
      kind,
      'batch_portions',
      { batch_id: 'text', first: 'int', rows_deflated: 'text', end_users_json: 'text' },
      ['batch_id', 'first'],
    ),
    addColumn(builder, kind, 'tasks', 'batch_id', 'text?'),
    addColumn(builder, kind, 'tasks', 'batch_name', 'text?'),
    createIndex(builder, 'tasks', 'by_batch', ['batch_id', 'id'], { where: 'batch_id is not null' }),
    // Counts, sums, the next tasks to let in and those in line are read from this index alone.
    createIndex(builder, 'tasks', 'in_batch', ['batch_id', 'status', 'rank', 'id', 'price', 'charged'], {
      where: 'batch_id is not null',
    }),
  ];
}
