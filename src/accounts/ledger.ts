import { sql } from 'kysely';
import type { Micros } from '../base/money.ts';
import type { Session, Transaction } from '../database/database.ts';
import { prepare } from '../database/prepared.ts';

/**
 * The ledger of accounts: append-only entries, whose sum per account and mode is the balance.
 * `credit` +, `hold` −p, `release` +p, `charge` −m. A task has at most one entry of each kind, which a unique index
 * ensures.
 */

export type LedgerMode = 'live' | 'test';

export interface LedgerSubject {
  readonly accountId: string;
  readonly apiKeyId: string;
  readonly mode: LedgerMode;
  readonly taskId: string;
}

interface EntryArguments {
  account: string;
  key: string | null;
  mode: LedgerMode;
  task: string | null;
  kind: 'credit' | 'hold' | 'release' | 'charge';
  amount: number;
  now: number;
  note: string | null;
}

const insertEntry = prepare<EntryArguments, unknown>('ledger_insert', (builder, argument) =>
  builder.insertInto('ledger').values({
    account_id: argument('account'),
    api_key_id: argument('key'),
    mode: argument('mode'),
    task_id: argument('task'),
    kind: argument('kind'),
    amount: argument('amount'),
    created_at: argument('now'),
    note: argument('note'),
  }),
);

/** Both entries of a success in one statement. */
const insertSettlement = prepare<
  Omit<EntryArguments, 'kind' | 'amount' | 'note'> & { released: number; charged: number },
  unknown
>('ledger_settle', (builder, argument) => {
  const entry = (kind: EntryArguments['kind'], amount: 'released' | 'charged') => ({
    account_id: argument('account'),
    api_key_id: argument('key'),
    mode: argument('mode'),
    task_id: argument('task'),
    kind: sql.lit(kind),
    amount: argument(amount),
    created_at: argument('now'),
    note: null,
  });
  return builder.insertInto('ledger').values([entry('release', 'released'), entry('charge', 'charged')]);
});

const selectCheckpoint = prepare<{ account: string; mode: LedgerMode }, { ledger_id: number; balance: number }>(
  'ledger_checkpoint',
  (builder, argument) =>
    builder
      .selectFrom('ledger_checkpoints')
      .select(['ledger_id', 'balance'])
      .where('account_id', '=', argument('account'))
      .where('mode', '=', argument('mode')),
);

const sumSince = prepare<
  { account: string; mode: LedgerMode; since: number },
  { total: number | null; last: number | null }
>('ledger_sum_since', (builder, argument) =>
  builder
    .selectFrom('ledger')
    .select((expression) => [
      expression.fn.sum<number | null>('amount').as('total'),
      expression.fn.max<number | null>('id').as('last'),
    ])
    .where('account_id', '=', argument('account'))
    .where('mode', '=', argument('mode'))
    .where('id', '>', argument('since')),
);

const SETTLED_AFTER_MS = 120_000;
const WORTH_A_CHECKPOINT = 1_000;

/**
 * Sums the entries up to the last one that is old enough. Newer entries with lower numbers are included: they are
 * committed by then too.
 */
const sumSettled = prepare<
  { account: string; mode: LedgerMode; since: number; before: number },
  { total: number | null; last: number | null }
>('ledger_sum_settled', (builder, argument) =>
  builder
    .selectFrom('ledger')
    .select((expression) => [
      expression.fn.sum<number | null>('amount').as('total'),
      expression.fn.max<number | null>('id').as('last'),
    ])
    .where('account_id', '=', argument('account'))
    .where('mode', '=', argument('mode'))
    .where('id', '>', argument('since'))
    .where('id', '<=', (select) =>
      select
        .selectFrom('ledger')
        .select((expression) => expression.fn.max<number>('id').as('last_settled'))
        .where('account_id', '=', argument('account'))
        .where('mode', '=', argument('mode'))
        .where('id', '>', argument('since'))
        .where('created_at', '<=', argument('before')),
    ),
);

/** Holds a task's price, in the transaction that inserts the task. */
export function hold(trx: Transaction, subject: LedgerSubject, price: Micros, now: number): void {
  enter(trx, subject, 'hold', -price, now);
}

/** Releases the hold and, on success, charges the task's cost, in the transaction that ends the task. */
export function settle(trx: Transaction, subject: LedgerSubject, price: Micros, charged: Micros, now: number): void {
  if (charged > price)
    throw new RangeError(`task ${subject.taskId}: a charge of ${charged} exceeds its hold of ${price}`);
  if (charged === 0) {
    enter(trx, subject, 'release', price, now);
    return;
  }
  const { accountId: account, apiKeyId: key, mode, taskId: task } = subject;
  trx.send(insertSettlement, { account, key, mode, task, released: price, charged: -charged, now });
  groupBalanceOf(trx, account, mode).entered += price - charged;
}

/** Records an operator's credit to an account; a negative amount reduces the balance. */
export async function addCredit(
  trx: Transaction,
  credit: { readonly accountId: string; readonly amount: Micros; readonly note: string | null; readonly now: number },
): Promise<void> {
  await trx.run(insertEntry, {
    account: credit.accountId,
    key: null,
    mode: 'live',
    task: null,
    kind: 'credit',
    amount: credit.amount,
    now: credit.now,
    note: credit.note,
  });
  groupBalanceOf(trx, credit.accountId, 'live').entered += credit.amount;
}

/** The sum of an account's entries up to one of them. */
export interface SummedBalance {
  readonly ledgerId: number;
  readonly balance: Micros;
}

/** Returns the sum of the account's entries, starting from the last checkpoint. */
export async function balanceOf(session: Session, accountId: string, mode: LedgerMode): Promise<Micros> {
  return (await sumFrom(session, accountId, mode, await checkpointOf(session, accountId, mode))).balance;
}

/** The balance of an account within a transaction. */
interface GroupBalance {
  read: Promise<SummedBalance> | null;
  /** Whether it was summed from the checkpoint. */
  isWhole: boolean;
  /** What the transaction has entered since it was read. */
  entered: Micros;
}

/**
 * Returns the same for the units of a transaction that has locked the account: it is read once, and then changed by the
 * entries of the transaction itself.
 * @param options.from where to begin to sum; null = the last checkpoint.
 * @param options.whole sums it from the checkpoint, unless that was done.
 * @param options.remember gets what was read, and whether it was summed from the checkpoint.
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
    // The sum includes what was entered before it.
    group.entered = 0;
    group.read = sumFrom(trx, accountId, mode, from);
    options.remember(await group.read, group.isWhole);
  }
  return (await group.read).balance + group.entered;
}

function groupBalanceOf(trx: Transaction, accountId: string, mode: LedgerMode): GroupBalance {
  return trx.once<GroupBalance>(`balance ${mode} ${accountId}`, () => ({ read: null, isWhole: false, entered: 0 }));
}

async function checkpointOf(session: Session, accountId: string, mode: LedgerMode): Promise<SummedBalance> {
  const checkpoint = await session.first(selectCheckpoint, { account: accountId, mode });
  return { ledgerId: checkpoint?.ledger_id ?? 0, balance: checkpoint?.balance ?? 0 };
}

async function sumFrom(
  session: Session,
  accountId: string,
  mode: LedgerMode,
  from: SummedBalance,
): Promise<SummedBalance> {
  const since = await session.first(sumSince, { account: accountId, mode, since: from.ledgerId });
  return { ledgerId: since?.last ?? from.ledgerId, balance: from.balance + (since?.total ?? 0) };
}

/**
 * Moves an account's checkpoint to entries two minutes old, so that a balance stays a short sum. It must not go
 * further: when several processes write, an entry may be committed after one with a higher number, and a later
 * checkpoint would miss it. No transaction is open that long.
 * @param now milliseconds, by the clock that dates the entries.
 * @param least how many entries it must move past to move at all.
 */
export async function advanceCheckpoint(
  trx: Transaction,
  accountId: string,
  mode: LedgerMode,
  now: number,
  least = WORTH_A_CHECKPOINT,
): Promise<void> {
  await trx.lock(`checkpoint:${accountId}`);
  const checkpoint = await trx.first(selectCheckpoint, { account: accountId, mode });
  const from = checkpoint?.ledger_id ?? 0;
  const since = await trx.first(sumSettled, { account: accountId, mode, since: from, before: now - SETTLED_AFTER_MS });
  if (since?.last === undefined || since.last === null || since.last - from < least) return;
  const balance = (checkpoint?.balance ?? 0) + (since.total ?? 0);
  await trx.run(
    trx.builder
      .insertInto('ledger_checkpoints')
      .values({ account_id: accountId, mode, ledger_id: since.last, balance })
      .onConflict((conflict) =>
        conflict.columns(['account_id', 'mode']).doUpdateSet({ ledger_id: since.last!, balance }),
      ),
  );
}

function enter(
  trx: Transaction,
  subject: LedgerSubject,
  kind: EntryArguments['kind'],
  amount: Micros,
  now: number,
): void {
  trx.send(insertEntry, {
    account: subject.accountId,
    key: subject.apiKeyId,
    mode: subject.mode,
    task: subject.taskId,
    kind,
    amount,
    now,
    note: null,
  });
  groupBalanceOf(trx, subject.accountId, subject.mode).entered += amount;
}
