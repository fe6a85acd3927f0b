import type { Compilable, Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import { createIndex, createTable, type DatabaseKind, type Migration } from './statements.ts';

/** The requests that keys sent lately. */
export const requestLog: Migration = { version: 28, name: 'request-log', statements };

function statements(builder: Kysely<Schema>, kind: DatabaseKind): Compilable<unknown>[] {
  return [
    createTable(
      builder,
      kind,
      'request_log',
      {
        id: 'text',
        api_key_id: 'text',
        account_id: 'text',
        method: 'text',
        path: 'text',
        status: 'int?',
        code: 'text?',
        duration_ms: 'int',
        request_id: 'text',
        task_id: 'text?',
        answered_at: 'int',
      },
      ['id'],
    ),
    createIndex(builder, 'request_log', 'by_key', ['api_key_id', 'id']),
    createIndex(builder, 'request_log', 'by_account', ['account_id', 'id']),
    createIndex(builder, 'request_log', 'failed', ['id'], { where: 'status >= 400' }),
  ];
}
