import type { Compilable, Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import { addColumn, createIndex, createTable, type DatabaseKind, type Migration } from './statements.ts';

/** Webhooks: an account's default URL and secrets, each task's own URL, and a delivery per ended task. */
export const webhooks: Migration = { version: 2, name: 'webhooks', statements };

function statements(builder: Kysely<Schema>, kind: DatabaseKind): Compilable<unknown>[] {
  const deliveries = {
    id: 'text',
    account_id: 'text',
    api_key_id: 'text',
    task_id: 'text',
    type: 'text',
    url: 'text',
    status: 'text',
    attempts: 'int',
    next_at: 'int?',
    fence: 'int',
    created_at: 'int',
    delivered_at: 'int?',
  } as const;
  const attempts = {
    id: 'text',
    delivery_id: 'text',
    started_at: 'int',
    duration_ms: 'int',
    response_status: 'int?',
    error: 'text?',
  } as const;
  const secrets = { account_id: 'text', secret: 'text', created_at: 'int', valid_until: 'int?' } as const;
  return [
    addColumn(builder, kind, 'tasks', 'webhook_url', 'text?'),
    addColumn(builder, kind, 'accounts', 'webhook_url', 'text?'),
    createTable(builder, kind, 'webhook_deliveries', deliveries, ['id']),
    createTable(builder, kind, 'webhook_attempts', attempts, ['id']),
    createTable(builder, kind, 'webhook_secrets', secrets, ['account_id', 'secret']),
    createIndex(builder, 'webhook_deliveries', 'due', ['next_at'], { where: 'next_at is not null' }),
    createIndex(builder, 'webhook_deliveries', 'by_key', ['api_key_id', 'id']),
    createIndex(builder, 'webhook_deliveries', 'by_task', ['task_id']),
    createIndex(builder, 'webhook_attempts', 'by_delivery', ['delivery_id', 'id']),
  ];
}
