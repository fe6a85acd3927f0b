import type { Compilable, Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import { createIndex, type Migration } from './statements.ts';

/**
 * Indexes the deferred orders of a queue. Every claim counts those without a slot, and must not read all orders in
 * flight.
 */
export const deferredOrders: Migration = { version: 12, name: 'deferred-orders', statements };

function statements(builder: Kysely<Schema>): Compilable<unknown>[] {
  return [createIndex(builder, 'tasks', 'deferred', ['queue'], { where: "step = 'deferred'" })];
}
