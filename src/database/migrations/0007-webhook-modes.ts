import type { Compilable, Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import { addColumn, createTable, type DatabaseKind, type Migration } from './statements.ts';

/**
 * Separate webhook secrets and default URL for test mode. Existing ones stay with live mode, the only one that the
 * previous version knows.
 */
export const webhookModes: Migration = { version: 7, name: 'webhook-modes', statements };

function statements(builder: Kysely<Schema>, kind: DatabaseKind): Compilable<unknown>[] {
  const secrets = { account_id: 'text', secret: 'text', created_at: 'int', valid_until: 'int?' } as const;
  return [
    createTable(builder, kind, 'webhook_test_secrets', secrets, ['account_id', 'secret']),
    addColumn(builder, kind, 'accounts', 'test_webhook_url', 'text?'),
  ];
}
