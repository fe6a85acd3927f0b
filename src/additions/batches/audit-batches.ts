import { sql } from 'kysely';
import type { Session } from '../../kernel.ts';
import { rowsKeptSince } from '../../kernel-accounts.ts';

/**
 * Checks whether every batch has its one hold, and whether its tasks add up to it: in number, in price and, once it has
 * ended, in charges.
 */
export async function auditBatches(session: Session) {
  const faults: string[] = [];
  let looked = 0;
  for (let from = ''; ; ) {
    const next = await session.first(
      session.builder.selectFrom('batches').select('id').where('id', '>', from).orderBy('id').limit(1),
    );
    if (next === undefined) return { looked, faults };
    from = next.id;
    looked++;
    const found = await faultOf(session, from);
    // Tasks may have been inserted or settled between two reads.
    if (found !== null && (await faultOf(session, from)) === found) faults.push(found);
  }
}

async function faultOf(session: Session, id: string): Promise<string | null> {
  const { builder } = session;
  const batch = await session.first(builder.selectFrom('batches').selectAll().where('id', '=', id));
  if (batch === undefined) return null;
  const entries = await session.all(builder.selectFrom('ledger').select(['kind', 'amount']).where('task_id', '=', id));
  const tasks = await session.first(
    builder
      .selectFrom('batch_orders')
      .innerJoin('tasks', 'tasks.id', 'task_id')
      .select([
        (expression) => expression.fn.countAll<number>().as('count'),
        sql<number | null>`sum(tasks.price)`.as('price'),
        sql<number | null>`sum(tasks.charged)`.as('charged'),
        sql<number | null>`sum(batch_orders.charged)`.as('noted'),
      ])
      .where('batch_id', '=', id),
  );
  const faults: string[] = [];
  const expect = (what: string, found: number, expected: number) => {
    if (found !== expected) faults.push(`${what} ${found} instead of ${expected}`);
  };
  const held = entries.filter(({ kind }) => kind === 'hold').reduce((sum, { amount }) => sum + amount, 0);
  expect('its hold is', held, -batch.quoted);
  expect('its entries are', entries.length, 1);
  // Tasks of older batches may be removed.
  const isWhole = batch.created_at >= (await rowsKeptSince(session));
  if (isWhole) expect('its tasks are', Number(tasks?.count ?? 0), batch.placed);
  if (isWhole) expect('their prices are', Number(tasks?.price ?? 0), batch.placed_amount);
  if (isWhole) expect('the charges that it noted are', Number(tasks?.noted ?? 0), Number(tasks?.charged ?? 0));
  if (batch.placed === batch.orders) expect('the prices of all its tasks are', batch.placed_amount, batch.quoted);
  if (isWhole && batch.status !== 'processing')
    expect('its charges are', batch.charged ?? 0, Number(tasks?.charged ?? 0));
  return faults.length === 0 ? null : `batch ${id} (${batch.status}): ${faults.join(', ')}`;
}
