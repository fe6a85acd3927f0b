import assert from 'node:assert/strict';
import { daysOf } from '@darkroom-service/contract';
import { isFinal } from '../../src/record/task.ts';
import type { BatchCustomers } from './batches.ts';
import type { Customers } from './customers.ts';
import type { Plan } from './plan.ts';
import type { BatchFact, Facts, News, OrderFact } from './read-facts.ts';
import type { Receiver } from './receiver.ts';
import type { Restored } from './restore.ts';
import type { Upstreams } from './upstream.ts';

/** Everybody outside of the service, with what each knows. */
export interface Outside {
  readonly plan: Plan;
  readonly restored: Restored;
  readonly upstreams: Upstreams;
  readonly receiver: Receiver;
  readonly customers: Customers;
  readonly batches: BatchCustomers;
}

/** The only failure before its deadline of an order that its upstream makes. */
const UNKNOWN = /"code":"outcome_unknown"/;

/** Creates the judge of each commit, as soon as it is made: money and slots are right at every moment. */
export function createCommitJudge({
  plan,
  upstreams,
  customers,
}: Pick<Outside, 'plan' | 'upstreams' | 'customers'>): (news: News | null) => void {
  let balance = 0;
  return (news) => {
    assert.ok(upstreams.complaints.length === 0, upstreams.complaints.join('; '));
    if (news === null) return;
    if (news.isAnew) balance = 0;
    for (const { task_id: id, kind, amount, price } of news.entries) {
      balance += amount;
      if (kind === 'release') assert.equal(amount, price, `release of ${id}`);
      if (kind === 'charge' || kind === 'refund')
        assert.ok(Math.abs(amount) <= (price ?? 0), `${kind} of ${id}: ${amount}`);
    }
    if (plan.creditLimit !== null) assert.ok(balance >= -plan.creditLimit, `the balance is ${balance}`);
    assert.ok(news.atEngine <= customers.limits.slots, `${news.atEngine} orders of the key run`);
  };
}

/** Judges what holds whenever all that is written is flushed. */
export function judgeMoment(facts: Facts, { plan, upstreams, customers }: Outside): void {
  judgeBook(facts, upstreams);
  judgeMoney(facts);
  for (const batch of facts.batches) judgeBatch(batch, facts);
  judgeLimits(facts, { plan, customers });
}

/** An upstream begins each order at most once, and none that it was not to be sent. */
function judgeBook({ orders }: Facts, { book, stopped, unpaid, spoilt, lost }: Upstreams): void {
  const known = new Map(orders.map((order) => [order.id, order]));
  for (const id of book.keys()) assert.ok(known.has(id) || lost.has(id), `${id} was begun and never placed`);
  for (const { id, status, error_json, completed_at, deadline_at } of orders) {
    if (status === 'canceled') assert.ok(!book.has(id) || stopped.has(id), `${id} is made, and told as canceled`);
    if (status === 'succeeded') assert.ok(book.has(id) || unpaid.has(id), `${id} was made by nobody`);
    if (status === 'failed' && book.has(id) && !spoilt.has(id) && completed_at! < deadline_at)
      assert.match(error_json ?? '', UNKNOWN, `${id} is made all the same, and told as ${error_json}`);
  }
}

/** Each order has one hold, which ends with it, one charge of at most its price and one refund of at most that. */
function judgeMoney({ orders, batches, entries }: Facts): void {
  const byOrder = Map.groupBy(entries, ({ task_id }) => task_id);
  for (const order of orders) {
    const amounts = (kind: string) =>
      (byOrder.get(order.id) ?? []).filter((entry) => entry.kind === kind).map(({ amount }) => amount);
    const { charged, refunded } = moneyOf(order);
    // One of a batch is held with the others.
    assert.deepEqual(amounts('hold'), order.batch_id === null ? [-order.price] : [], `hold of ${order.id}`);
    assert.deepEqual(amounts('release'), isFinal(order.status) ? [order.price] : [], `release of ${order.id}`);
    assert.deepEqual(amounts('charge'), charged + refunded > 0 ? [-charged - refunded] : [], `charge of ${order.id}`);
    assert.deepEqual(amounts('refund'), refunded > 0 ? [refunded] : [], `refund of ${order.id}`);
    assert.ok(charged + refunded <= order.price, `${order.id} costs more than was quoted`);
    if (order.status !== 'succeeded') assert.equal(charged + refunded, 0, `${order.id} costs although it has not come`);
    byOrder.delete(order.id);
  }
  for (const { id, quoted } of batches) {
    const own = (byOrder.get(id) ?? []).map(({ kind, amount }) => [kind, amount]);
    assert.deepEqual(own, [['hold', -quoted]], `entries of ${id}`);
    byOrder.delete(id);
  }
  const without = [...byOrder.keys()].filter((id) => !id.startsWith('crd_'));
  assert.deepEqual(without, [], 'entries without their order');
}

/** A batch makes each of its orders once, at the price that it was quoted, and tells in the end what became of them. */
function judgeBatch(batch: BatchFact, { orders }: Facts): void {
  const { id, status } = batch;
  const own = orders.filter(({ batch_id }) => batch_id === id);
  const sumOf = (of: (order: OrderFact) => number) => own.reduce((sum, order) => sum + of(order), 0);
  assert.deepEqual([own.length, sumOf(({ price }) => price)], [batch.placed, batch.placed_amount], `orders of ${id}`);
  if (batch.placed === batch.orders) assert.equal(batch.placed_amount, batch.quoted, `${id} costs what it was quoted`);
  if (status === 'processing') return;
  assert.equal(own.length, batch.orders, `${id} has ended without all of its orders`);
  const countOf = (ended: OrderFact['status']) => own.filter((order) => order.status === ended).length;
  const counts = Object.entries(JSON.parse(batch.counts_json!) as Record<OrderFact['status'], number>);
  for (const [ended, count] of counts) assert.equal(count, countOf(ended as OrderFact['status']), `${ended} of ${id}`);
  assert.equal(countOf('queued') + countOf('processing'), 0, `${id} has ended with open orders`);
  assert.equal(
    batch.charged,
    sumOf(({ charged }) => charged ?? 0),
    `charges of ${id}`,
  );
}

/** The account keeps within its credit and the key within its limits, and what is counted equals a slow recount. */
function judgeLimits(
  { orders, batches, entries, spent, isLimited }: Facts,
  { plan, customers }: Pick<Outside, 'plan' | 'customers'>,
): void {
  const credited = customers.credited();
  const balance = entries.reduce((sum, { amount }) => sum + amount, 0);
  const costs = [
    ...orders.map((order) => ({ at: order.created_at, cost: costOf(order), endUser: order.end_user })),
    ...batches.map((batch) => ({ at: batch.created_at, cost: batch.quoted - batch.placed_amount, endUser: null })),
  ];
  const sumOf = (some: typeof costs) => some.reduce((sum, { cost }) => sum + cost, 0);
  const ofOrders = -sumOf(costs);
  assert.ok(balance - ofOrders <= credited, `${balance - ofOrders} were credited, expected at most ${credited}`);
  // A key is counted from its first order with a limit on.
  if (spent !== null || isLimited) {
    const within = (window: 'day' | 'month') => costs.filter(({ at }) => daysOf(at)[window] === spent?.[window]);
    const counted = [spent?.day_used, spent?.month_used, spent?.total_used].map((used) => used ?? 0);
    assert.deepEqual(counted, [sumOf(within('day')), sumOf(within('month')), sumOf(costs)], 'what the key spends');
  }
  const inWindow = ({ at }: { readonly at: number }) => ({ ...daysOf(at), total: 0 })[plan.spendWindow];
  for (const [window, some] of Map.groupBy(costs, inWindow)) {
    assert.ok(sumOf(some) <= customers.limits.spend, `the key spends ${sumOf(some)} in ${plan.spendWindow} ${window}`);
    for (const [user, own] of Map.groupBy(some, ({ endUser }) => endUser))
      if (user !== null) assert.ok(sumOf(own) <= customers.limits.endUser, `${user} spends ${sumOf(own)}`);
  }
}

/** Judges what holds once nothing runs any more. */
export function judgeEnd(facts: Facts, { plan, restored, receiver, customers, batches }: Outside): void {
  const open = facts.orders.filter(({ status }) => !isFinal(status)).map(({ id }) => id);
  assert.deepEqual(open, [], 'orders that did not end');
  const byId = new Map(facts.orders.map((order) => [order.id, order]));
  customers.judgeAnswers(byId);
  batches.judgeAnswers(facts.batches);
  judgeEvents(byId, facts.batches, receiver, plan.copies ? restored : null);
}

/** An order that was deleted, or whose time is over, says nothing of what it was. */
export function judgeErased({ orders }: Facts, read: (id: string) => string): void {
  for (const { id, erased_at } of orders)
    if (erased_at !== null) assert.ok(!read(id).includes('prompt of'), `${id} is erased and still says what it was`);
}

/**
 * The receiver is told each end at least once, and nothing that did not happen. A copy tells no end of an order or a
 * batch of its original.
 */
function judgeEvents(
  orders: ReadonlyMap<string, OrderFact>,
  batches: readonly BatchFact[],
  { told }: Receiver,
  copied: Restored | null,
): void {
  const isOfOriginal = ({ created_at: at }: OrderFact | BatchFact) => at <= (copied?.since ?? 0);
  const byId = new Map(batches.map((batch) => [batch.id, batch]));
  for (const { type, taskId, status, atMs } of told) {
    const subject = byId.get(taskId) ?? orders.get(taskId);
    assert.ok(subject !== undefined, `the receiver was told of ${taskId}, which does not exist`);
    const isOnlyRefunded = type === 'task.refunded';
    if (!isOnlyRefunded && atMs > (copied?.atMs ?? 0))
      assert.ok(!isOfOriginal(subject), `a copy told ${type} of ${taskId}, as its original does`);
    const order = orders.get(taskId);
    if (order === undefined) {
      assert.deepEqual([type, status], [`batch.${subject.status}`, subject.status], `told of ${taskId}`);
      continue;
    }
    assert.equal(status, order.status, `the receiver was told that ${taskId} is ${status}`);
    if (isOnlyRefunded) assert.ok((order.refunded ?? 0) > 0, `${taskId} was not refunded`);
    else assert.equal(type, `task.${order.status}`, `the receiver was told ${type} of ${taskId}`);
  }
  const heard = new Set(told.map(({ type, taskId }) => `${type} ${taskId}`));
  for (const batch of batches) {
    const isHeard = isOfOriginal(batch) || heard.has(`batch.${batch.status} ${batch.id}`);
    assert.ok(isHeard, `nobody was told of the end of ${batch.id}`);
  }
  for (const order of orders.values()) {
    // What was deleted before it was told stays untold.
    if (order.webhook_url === null || order.deleted_at !== null || isOfOriginal(order)) continue;
    assert.ok(heard.has(`task.${order.status} ${order.id}`), `nobody was told of the end of ${order.id}`);
    if ((order.refunded ?? 0) > 0) assert.ok(heard.has(`task.refunded ${order.id}`), `refund of ${order.id} not told`);
  }
}

function moneyOf({ charged, refunded }: OrderFact): { readonly charged: number; readonly refunded: number } {
  return { charged: charged ?? 0, refunded: refunded ?? 0 };
}

/** What an order costs now: its hold, and later its charge. */
function costOf(order: OrderFact): number {
  return isFinal(order.status) ? (order.charged ?? 0) : order.price;
}
