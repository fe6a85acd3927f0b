import type { Compilable, Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import { createIndex, type Migration } from './statements.ts';

/** Finds the webhook deliveries of one account, and the failed ones, without reading all others. */
export const findDeliveries: Migration = { version: 6, name: 'find-deliveries', statements };

function statements(builder: Kysely<Schema>): Compilable<unknown>[] {
  return [
    createIndex(builder, 'webhook_deliveries', 'by_account', ['account_id', 'id']),
    createIndex(builder, 'webhook_deliveries', 'failed', ['id'], { where: "status = 'failed'" }),
  ];
}
