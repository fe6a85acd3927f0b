import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createIdFactory, ServiceError } from '@darkroom-service/contract';
import fc from 'fast-check';
import { forEachDatabase } from '../../test/helpers/databases.ts';
import { holdWrites } from '../../test/helpers/hold-writes.ts';
import { commitEnding } from '../../test/helpers/task-commits.ts';
import { insertKey, openTestServices } from '../../test/helpers/task-services.ts';
import type { OrderingKey } from '../accounts/api-key.ts';
import { issueKey } from '../accounts/api-keys.ts';
import { creditAccount } from '../accounts/credits.ts';
import { findKeyById } from '../accounts/keyring.ts';
import { balanceOf } from '../accounts/ledger.ts';
import { spentIn } from '../accounts/spend-limits.ts';
import type { Database } from '../database/database.ts';
import { settleTask } from '../tasks/settle-task.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import { cancelTask } from './cancel-task.ts';
import { createTask } from './create-task.ts';

const PRICE = 5_000;

/** Acts that processes carry out at the same time. */
interface Step {
  readonly orders: readonly { readonly process: number; readonly isLimited: boolean }[];
  readonly settled: readonly { readonly process: number; readonly task: number; readonly charge: number }[];
  readonly canceled: readonly number[];
  readonly credit: number;
}

const process = fc.nat({ max: 1 });
const nth = fc.nat({ max: 30 });
const step: fc.Arbitrary<Step> = fc.record({
  orders: fc.array(fc.record({ process, isLimited: fc.boolean() }), { maxLength: 6 }),
  settled: fc.array(fc.record({ process, task: nth, charge: fc.constantFrom(0, 2_000, PRICE) }), { maxLength: 3 }),
  canceled: fc.array(nth, { maxLength: 1 }),
  credit: fc.constantFrom(0, 0, 0, 3_000, 2 * PRICE, -PRICE),
});

async function order(services: TaskServices, key: OrderingKey): Promise<string | null> {
  const body = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' };
  const call = { type: 'image', path: '/v1/images', idempotencyKey: null, simulate: null } as const;
  try {
    return (await createTask(services, key, { ...call, body })).task.task_id;
  } catch (error) {
    const codes = ['insufficient_balance', 'spend_limit_reached'];
    assert.ok(error instanceof ServiceError && codes.includes(error.code), String(error));
    return null;
  }
}

async function settle(services: TaskServices, taskId: string, charge: number): Promise<void> {
  const { read } = services.database;
  const row = await read.first(read.builder.selectFrom('tasks').selectAll().where('id', '=', taskId));
  assert.ok(row !== undefined);
  const ending = { status: 'succeeded', outputs: [], keep: null, charge: { amount: charge, lines: [] } } as const;
  assert.equal(await commitEnding(services, 'test_end', row, ending), true);
}

/** A handle that passes these writes on once all of them are there, in this order, so that one transaction has them. */
function inOneGroup(database: Database, names: readonly string[]): Database {
  const gathered = new Map<number, () => void>();
  return {
    ...database,
    write: (name, unit, options) =>
      new Promise((resolve, reject) => {
        const send = () => void database.write(name, unit, options).then(resolve, reject);
        const place = names.findIndex((one, index) => one === name && !gathered.has(index));
        if (place === -1) return send();
        gathered.set(place, send);
        if (gathered.size === names.length) for (const index of names.keys()) gathered.get(index)?.();
      }),
  };
}

forEachDatabase((kind) => {
  test('however orders, settlements and credits of one account coincide in two processes, it is never overdrawn, what it can pay is accepted, and its sums are right', async (t) => {
    const { services, clock, openAnother } = await openTestServices(t, kind);
    const fleet = [services, await openAnother()] as const;
    const by = { actor: 'test', now: clock.now(), createId: createIdFactory(() => clock.now()) };
    const { database } = services;
    await fc.assert(
      fc.asyncProperty(
        fc.record({ credit: fc.constantFrom(0, 3, 6), spend: fc.constantFrom(4, 9, 40) }),
        fc.array(step, { maxLength: 12 }),
        async (limits, steps) => {
          const creditLimit = limits.credit * PRICE;
          const spendLimit = limits.spend * PRICE;
          const key = await insertKey(services, {
            creditLimit,
            spendLimits: { day: null, month: spendLimit, total: spendLimit },
          });
          const { key_id: otherId } = await issueKey(database, by, { accountId: key.account.id, mode: 'live' });
          const other = (await findKeyById(database.read, otherId)) as OrderingKey;
          const open = new Map<string, boolean>();
          let balance = 0;
          let spent = 0;
          const place = async (wanted: Step['orders']) => {
            let placed = 0;
            const one = async ({ process: at, isLimited }: Step['orders'][number]) => {
              const id = await order(fleet[at]!, isLimited ? key : other);
              if (id === null) return;
              open.set(id, isLimited);
              placed++;
              balance -= PRICE;
              if (isLimited) spent += PRICE;
            };
            await Promise.all(wanted.map(one));
            return placed;
          };
          for (const { orders: wanted, settled, canceled, credit } of steps) {
            const ended: Promise<unknown>[] = [];
            const release = (
              at: number,
              charge: number,
              endIt: (id: string, isLimited: boolean) => Promise<unknown>,
            ) => {
              const [id, isLimited] = [...open][at % Math.max(1, open.size)] ?? [];
              if (id === undefined || isLimited === undefined) return;
              open.delete(id);
              released += PRICE - charge;
              if (isLimited) unspent += PRICE - charge;
              ended.push(endIt(id, isLimited));
            };
            let released = 0;
            let unspent = 0;
            for (const { process: at, task, charge } of settled)
              release(task, charge, (id) => settle(fleet[at]!, id, charge));
            for (const task of canceled)
              release(task, 0, (id, isLimited) => cancelTask(services, isLimited ? key : other, 'image', id));
            if (credit !== 0) ended.push(creditAccount(database, by, key.account.id, { amount: credit }));
            const before = { left: balance + creditLimit, spend: spendLimit - spent, spent };
            const [placed] = await Promise.all([place(wanted), ...ended]);
            const ofLimited = (spent - before.spent) / PRICE;
            balance += released + credit;
            spent -= unspent;
            const most = Math.max(0, before.left + released + Math.max(0, credit));
            assert.ok(placed * PRICE <= most, `${placed} orders were placed with ${most} left`);
            assert.ok(ofLimited * PRICE <= Math.max(0, before.spend + unspent), `${ofLimited} of ${before.spend} left`);
            const least = Math.floor(Math.min(before.spend, before.left + Math.min(0, credit)) / PRICE);
            assert.ok(
              placed >= Math.min(wanted.length, least),
              `${placed} of ${wanted.length} orders with ${least} left`,
            );
            assert.equal(await balanceOf(database.read, key.account.id, 'live'), balance);
            for (const window of ['month', 'total'] as const)
              assert.equal(await spentIn(database.read, key.id, window, clock.now()), spent);
            // Whichever process is asked next knows what the others did.
            for (const at of [0, 1]) {
              const fits = Math.min(balance + creditLimit, spendLimit - spent) >= PRICE;
              assert.equal(await place([{ process: at, isLimited: true }]), fits ? 1 : 0);
            }
          }
        },
      ),
      { numRuns: kind === 'sqlite' ? 40 : 15 },
    );
  });

  test('of an order, a settlement with a charge and an order in one commit, the second order has what the charge left', async (t) => {
    const { services } = await openTestServices(t, kind);
    const { database } = services;
    const key = await insertKey(services, { creditLimit: 2 * PRICE });
    const first = await order(services, key);
    assert.ok(first !== null);
    const row = await database.read.first(
      database.read.builder.selectFrom('tasks').selectAll().where('id', '=', first),
    );
    assert.ok(row !== undefined);
    const together = { ...services, database: inOneGroup(database, ['create_task', 'test_settle', 'create_task']) };
    const charge = { amount: PRICE, lines: [] };
    const [one, settled, other] = await Promise.all([
      order(together, key),
      // Alone among the units of its group: so the first order is judged before it, and the second one after it.
      together.database.write('test_settle', (trx) =>
        settleTask(services, trx, row, { status: 'succeeded', outputs: [], keep: null, charge }),
      ),
      order(together, key),
    ]);
    assert.equal(settled, true);
    assert.deepEqual([one, other].filter((id) => id !== null).length, 1);
    assert.equal(await balanceOf(database.read, key.account.id, 'live'), -2 * PRICE);
  });

  // SQLite has one writer, so that entries are committed in the order of their dates.
  if (kind === 'postgres')
    test('an order is accepted for money of a settlement that was entered before, and committed after, another order', async (t) => {
      const { services, openAnother } = await openTestServices(t, kind);
      const other = await openAnother();
      const key = await insertKey(services, { creditLimit: 3 * PRICE });
      const first = await order(services, key);
      assert.ok(first !== null);
      const { read } = services.database;
      const row = await read.first(read.builder.selectFrom('tasks').selectAll().where('id', '=', first));
      assert.ok(row !== undefined);
      using held = holdWrites(other.database);
      const settling = held.database.write('test_settle', (trx) => settleTask(other, trx, row, { status: 'canceled' }));
      await held.entered;
      // The second of them reads the entry of the first, which has a later date.
      for (let orders = 0; orders < 2; orders++) assert.notEqual(await order(services, key), null);
      assert.equal(await order(services, key), null);
      held.commit();
      await settling;
      assert.notEqual(await order(services, key), null);
    });
});
