import type { Micros } from '@darkroom-service/contract';
import { type Selectable, sql } from 'kysely';
import type { Session, Transaction } from '../database/database.ts';
import { prepare, prepareWithClock } from '../database/prepared.ts';
import type { Schema } from '../database/schema.ts';

/**
 * The ledger of accounts: append-only entries, whose sum per account and mode is the balance.
 * `credit` +, `correction` − the credit, `hold` −p, `release` +p, `charge` −m, `refund` +m. A task, and a credit, has
 * at most one entry of each kind: the two are the primary key. The database dates the entries, so that their order
 * depends on no clock of a process and on no sequence.
 */

export type LedgerMode = 'live' | 'test';

interface LedgerSubject {
  readonly accountId: string;
  readonly apiKeyId: string;
  readonly mode: LedgerMode;
  readonly taskId: string;
}

interface EntryArguments {
  account: string;
  key: string | null;
  mode: LedgerMode;
  task: string;
  kind: Selectable<Schema['ledger']>['kind'];
  amount: number;
  note: string | null;
}

const insertEntry = prepareWithClock<EntryArguments, unknown>('ledger_insert', (builder, now, argument) =>
  builder.insertInto('ledger').values({
    account_id: argument('account'),
    api_key_id: argument('key'),
    mode: argument('mode'),
    task_id: argument('task'),
    kind: argument('kind'),
    amount: argument('amount'),
    created_at: now,
    note: argument('note'),
  }),
);

/** Both entries of a success in one statement. */
const insertSettlement = prepareWithClock<
  Omit<EntryArguments, 'kind' | 'amount' | 'note'> & { released: number; charged: number },
  unknown
>('ledger_settle', (builder, now, argument) => {
  const entry = (kind: EntryArguments['kind'], amount: 'released' | 'charged') => ({
    account_id: argument('account'),
    api_key_id: argument('key'),
    mode: argument('mode'),
    task_id: argument('task'),
    kind: sql.lit(kind),
    amount: argument(amount),
    created_at: now,
    note: null,
  });
  return builder.insertInto('ledger').values([entry('release', 'released'), entry('charge', 'charged')]);
});

/** The sum of an account's entries that are dated before `until`, in milliseconds of the database's time. */
export interface SummedBalance {
  readonly until: number;
  readonly balance: Micros;
}

const selectCheckpoint = prepare<{ account: string; mode: LedgerMode }, SummedBalance>(
  'ledger_checkpoint',
  (builder, argument) =>
    builder
      .selectFrom('ledger_checkpoints')
      .select(['until', 'balance'])
      .where('account_id', '=', argument('account'))
      .where('mode', '=', argument('mode')),
);

interface SumArguments {
  account: string;
  mode: LedgerMode;
  since: number;
}

/** `before`: the sum without the entries of this millisecond, which may still get more entries. */
const sumSince = prepareWithClock<SumArguments, { total: number | null; before: number | null; now: number }>(
  'ledger_sum_since',
  (builder, now, argument) =>
    builder
      .selectFrom('ledger')
      .select((expression) => [
        expression.fn.sum<number | null>('amount').as('total'),
        sql<number | null>`sum(case when created_at < ${now} then amount else 0 end)`.as('before'),
        now.as('now'),
      ])
      .where('account_id', '=', argument('account'))
      .where('mode', '=', argument('mode'))
      .where('created_at', '>=', argument('since')),
);

/** Holds a task's price, in the transaction that inserts the task. */
export function hold(trx: Transaction, subject: LedgerSubject, price: Micros): void {
  enter(trx, subject, 'hold', -price);
}

/** Releases the hold and, on success, charges the task's cost, in the transaction that ends the task. */
export function settle(trx: Transaction, subject: LedgerSubject, price: Micros, charged: Micros): void {
  if (charged > price)
    throw new RangeError(`task ${subject.taskId}: a charge of ${charged} exceeds its hold of ${price}`);
  if (charged === 0) {
    enter(trx, subject, 'release', price);
    return;
  }
  const { accountId: account, apiKeyId: key, mode, taskId: task } = subject;
  trx.send(insertSettlement(trx), { account, key, mode, task, released: price, charged: -charged });
  groupBalanceOf(trx, account, mode).entered += price - charged;
}

/** Refunds a task's charge. */
export function refund(trx: Transaction, subject: LedgerSubject, charged: Micros): void {
  enter(trx, subject, 'refund', charged);
}

/**
 * Records an operator's credit to an account, or its correction; a negative amount reduces the balance.
 * @param credit.id id of the credit, `crd_…`: it is stored instead of a task's
 */
export async function addCredit(
  trx: Transaction,
  credit: {
    readonly id: string;
    readonly accountId: string;
    readonly amount: Micros;
    readonly note: string | null;
    readonly kind?: 'credit' | 'correction';
  },
): Promise<void> {
  const { id: task, accountId: account, amount, note, kind = 'credit' } = credit;
  await trx.run(insertEntry(trx), { account, key: null, mode: 'live', task, kind, amount, note });
  groupBalanceOf(trx, account, 'live').entered += amount;
}

/** Returns the sum of the account's entries, starting from the last checkpoint. */
export async function balanceOf(session: Session, accountId: string, mode: LedgerMode): Promise<Micros> {
  return (await sumFrom(session, accountId, mode, await checkpointOf(session, accountId, mode))).balance;
}

/** The balance of an account within a transaction. */
interface GroupBalance {
  read: Promise<ReadBalance> | null;
  /** Whether it was summed from the checkpoint. */
  isWhole: boolean;
  /** Sum of the amounts that the transaction has entered since the read. */
  entered: Micros;
}

/**
 * Returns the balance of an account that the transaction has locked. It is read once and then changed by the entries of
 * the transaction itself.
 * @param options.from start of the sum; null = the last checkpoint.
 * @param options.whole sums from the checkpoint, unless that was done.
 * @param options.remember gets the part that no holder of the lock can change any more, and whether it was summed from
 * the checkpoint.
 */
export async function balanceWithin(
  trx: Transaction,
  accountId: string,
  mode: LedgerMode,
  options: {
    readonly from: SummedBalance | null;
    readonly whole: boolean;
    readonly remember: (summed: SummedBalance, isWhole: boolean) => void;
  },
): Promise<Micros> {
  const group = groupBalanceOf(trx, accountId, mode);
  if (group.read === null || (options.whole && !group.isWhole)) {
    const from = options.from ?? (await checkpointOf(trx, accountId, mode));
    group.isWhole = options.from === null;
    // The sum already includes earlier entries of this transaction.
    group.entered = 0;
    group.read = sumFrom(trx, accountId, mode, from);
    options.remember((await group.read).summed, group.isWhole);
  }
  return (await group.read).balance + group.entered;
}

function groupBalanceOf(trx: Transaction, accountId: string, mode: LedgerMode): GroupBalance {
  return trx.once<GroupBalance>(`balance ${mode} ${accountId}`, () => ({ read: null, isWhole: false, entered: 0 }));
}

/** Returns the last checkpoint of an account; the beginning of its ledger if it has none. */
export async function checkpointOf(session: Session, accountId: string, mode: LedgerMode): Promise<SummedBalance> {
  return (await session.first(selectCheckpoint, { account: accountId, mode })) ?? { until: 0, balance: 0 };
}

interface ReadBalance {
  readonly balance: Micros;
  /** The part of the balance that is dated before the millisecond in which it was read. */
  readonly summed: SummedBalance;
}

async function sumFrom(
  session: Session,
  account: string,
  mode: LedgerMode,
  { until: since, balance }: SummedBalance,
): Promise<ReadBalance> {
  const row = await session.first(sumSince(session), { account, mode, since });
  return {
    balance: balance + (row?.total ?? 0),
    summed: { until: Math.max(since, row?.now ?? 0), balance: balance + (row?.before ?? 0) },
  };
}

function enter(trx: Transaction, subject: LedgerSubject, kind: EntryArguments['kind'], amount: Micros): void {
  const { accountId: account, apiKeyId: key, mode, taskId: task } = subject;
  trx.send(insertEntry(trx), { account, key, mode, task, kind, amount, note: null });
  groupBalanceOf(trx, account, mode).entered += amount;
}
