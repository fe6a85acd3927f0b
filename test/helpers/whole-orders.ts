import assert from 'node:assert/strict';
import { until } from '@darkroom-service/testing';
import type { OrderingCustomers } from './ordering-customers.ts';
import { askPostgres } from './postgres-server.ts';
import type { ScriptedEngine } from './scripted-engine.ts';

/**
 * Waits for the ends, and asserts that each confirmed order is there, was sent once, succeeded and was charged once,
 * and that there is no other.
 * @param url of the database
 */
export async function assertWholeOrders(
  url: string,
  { orders }: Pick<OrderingCustomers, 'orders'>,
  engine: ScriptedEngine,
): Promise<void> {
  await until(
    () => askPostgres(url, "select count(*)::int as open from tasks where step <> 'final'"),
    ([row]) => row?.open === 0,
  );
  const rows = await askPostgres(url, 'select id, status from tasks order by id');
  const confirmed = orders.toSorted();
  assert.deepEqual(
    rows.map(({ id, status }) => [id, status]),
    confirmed.map((id) => [id, 'succeeded']),
  );
  assert.deepEqual(engine.started.map(({ taskId }) => taskId).sort(), confirmed);
  const kinds = 'select kind, count(*)::int as count from ledger group by kind order by kind';
  assert.deepEqual(
    await askPostgres(url, kinds),
    ['charge', 'hold', 'release'].map((kind) => ({ kind, count: rows.length })),
  );
}
