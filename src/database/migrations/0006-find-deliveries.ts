import type { Compilable, Kysely } from 'kysely';
import type { Migration } from '../migrate.ts';
import type { Schema } from '../schema.ts';
import { createIndex } from './statements.ts';

/** Webhook deliveries of one account, and those that failed, without reading those of all the others. */
export const findDeliveries: Migration = { version: 6, name: 'find-deliveries', statements };

function statements(builder: Kysely<Schema>): Compilable<unknown>[] {
  return [
    createIndex(builder, 'webhook_deliveries', 'by_account', ['account_id', 'id']),
    createIndex(builder, 'webhook_deliveries', 'failed', ['id'], { where: "status = 'failed'" }),
  ];
}
