import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { forEachDatabase } from '../../test/helpers/databases.ts';
import { ManualClock } from '../../test/helpers/task-services.ts';
import { auditBalances } from '../service/doctor/audit-ledger.ts';
import { advanceCheckpoint } from './balance-checkpoints.ts';
import { addCredit, balanceOf, hold, settle } from './ledger.ts';
import { lockBalance, RecentBalances } from './recent-balances.ts';

const WRITERS = 3;
/** The longest that a transaction is open: shorter than the time that a checkpoint leaves for it. */
const LONGEST_OPEN_MS = 110_000;

type Step =
  | { readonly does: 'credit'; readonly writer: number; readonly amount: number; readonly openForMs: number }
  | { readonly does: 'order' | 'settle'; readonly writer: number; readonly openForMs: number }
  /** Then one whose connection is free moves the checkpoint. */
  | { readonly does: 'wait'; readonly ms: number };

const writer = fc.nat({ max: WRITERS - 1 });
const openForMs = fc.constantFrom(0, 1, LONGEST_OPEN_MS);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ does: fc.constant('credit' as const), writer, amount: fc.integer({ min: -50, max: 50 }), openForMs }),
  fc.record({ does: fc.constantFrom('order' as const, 'settle' as const), writer, openForMs }),
  fc.record({ does: fc.constant('wait' as const), ms: fc.constantFrom(1, 105_000, 130_000) }),
);
/** How many entries a checkpoint moves past at least and at most. */
const portion = fc.record({ least: fc.constantFrom(1, 3), most: fc.constantFrom(3, 5, 1_000) });

forEachDatabase((kind, open) => {
  test('whatever the order in which writers date and commit entries, and whenever one moves the checkpoint, a balance is the sum of the committed entries', async (t) => {
    // The database has one clock; that of each writer is wrong in its own way and counts for nothing.
    const clock = new ManualClock();
    const { database, openAnother } = await open(t, { clock });
    const databases = [database, await openAnother({ clock }), await openAnother({ clock })];
    const recent = databases.map(() => new RecentBalances());
    let accounts = 0;
    let entries = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25, size: 'max' }), portion, async (steps, part) => {
        const accountId = `acc_${accounts++}`;
        const subject = (taskId: string) => ({ accountId, apiKeyId: 'key', mode: 'live' as const, taskId });
        const held: { readonly taskId: string; readonly price: number }[] = [];
        let balance = 0;
        /** Units that are written and not committed, with the time at which they commit. */
        let open: { readonly at: number; readonly isBy: number; readonly commit: () => Promise<void> }[] = [];
        /** A process has one connection that writes, and SQLite one writer in all. */
        const isBusy = (at: number) => open.some(({ isBy }) => isBy === at || kind === 'sqlite');
        const commitDue = async (now: number) => {
          const due = open.filter(({ at }) => at <= now);
          open = open.filter(({ at }) => at > now);
          for (const { commit } of due) await commit();
        };
        /** Only settlements may be entered beside others: orders and credits hold the lock of their account. */
        const enter = async (at: number, forMs: number, amount: number, work: (trx: Writer) => Promise<void>) => {
          const [isWritten, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
          const done = databases[at]!.write('enter', async (trx) => {
            await work(trx);
            // Its answer means that what was sent before it is dated.
            await trx.first(trx.builder.selectFrom('ledger').select('kind').limit(1));
            isWritten.resolve();
            await mayCommit.promise;
          });
          await isWritten.promise;
          const commit = async () => {
            mayCommit.resolve();
            await done;
            balance += amount;
          };
          if (forMs === 0) await commit();
          else open.push({ at: clock.now() + forMs, isBy: at, commit });
        };
        for (const one of steps) {
          if (one.does === 'wait') {
            for (const until = clock.now() + one.ms; clock.now() < until; ) {
              const next = Math.min(until, ...open.map(({ at }) => at));
              clock.advance(next - clock.now());
              await commitDue(clock.now());
            }
            const free = databases.find((_, index) => !isBusy(index));
            const advance = () => free?.write('checkpoint', (trx) => advanceCheckpoint(trx, accountId, 'live', part));
            for (let parts = 0; await advance(); parts++) assert.ok(parts < steps.length);
            continue;
          }
          const at = one.writer;
          if (isBusy(at)) continue;
          if (one.does === 'settle') {
            const order = held.shift();
            if (order === undefined) continue;
            await enter(at, one.openForMs, order.price - 1, async (trx) =>
              settle(trx, subject(order.taskId), order.price, 1),
            );
          } else {
            const id = `img_${String(entries++).padStart(26, '0')}`;
            if (one.does === 'credit')
              await enter(at, 0, one.amount, async (trx) => {
                await lockBalance(trx, accountId);
                await addCredit(trx, { id, accountId, amount: one.amount, note: null });
              });
            else {
              const account = { id: accountId, creditLimit: 1_000_000 } as Parameters<
                RecentBalances['assertCanPay']
              >[1];
              await enter(at, 0, -10, async (trx) => {
                await recent[at]!.assertCanPay(trx, account, 'live', 10);
                hold(trx, subject(id), 10);
              });
              held.push({ taskId: id, price: 10 });
            }
          }
          for (const each of databases) assert.equal(await balanceOf(each.read, accountId, 'live'), balance);
          // What an order is judged by is at most the balance: an amount that it lacks is refused everywhere.
          for (const [index, each] of databases.entries()) {
            if (isBusy(index)) continue;
            const judged = { id: accountId, creditLimit: 0 } as Parameters<RecentBalances['assertCanPay']>[1];
            const pay = (price: number) =>
              each.write('judge', (trx) => recent[index]!.assertCanPay(trx, judged, 'live', price));
            if (balance > 0) await pay(balance);
            await assert.rejects(pay(Math.max(0, balance) + 1), { code: 'insufficient_balance' });
          }
        }
        await commitDue(Number.POSITIVE_INFINITY);
        assert.equal(await balanceOf(database.read, accountId, 'live'), balance);
        assert.deepEqual((await auditBalances(database.read)).faults, []);
      }),
      { numRuns: kind === 'sqlite' ? 60 : 40 },
    );
  });
});

type Writer = Parameters<typeof hold>[0];
