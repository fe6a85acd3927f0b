import { sql } from 'kysely';
import type { Database, Transaction } from '../database/database.ts';
import { prepareWithClock } from '../database/prepared.ts';
import { checkpointOf, type LedgerMode } from './ledger.ts';

/** Milliseconds after its date by which an entry is committed: no transaction is open longer. */
const COMMITTED_AFTER_MS = 120_000;
const WORTH_A_CHECKPOINT = 1_000;
/** Maximum number of entries that a checkpoint moves past at a time, since SQLite sums them on the event loop. */
const SUMMED_AT_ONCE = 2_000;
const LOOKED_AT_TOGETHER = 100;

interface SumArguments {
  account: string;
  mode: LedgerMode;
  since: number;
  most: number;
}

/** Sums the oldest entries since a time: about `most`, and all further ones of the last entry's millisecond. */
const sumCommitted = prepareWithClock<SumArguments, { entries: number; total: number | null; until: number | null }>(
  'ledger_sum_committed',
  (builder, now, argument) => {
    const committed = sql<number>`${now} - ${sql.lit(COMMITTED_AFTER_MS)}`;
    const afterMost = builder
      .selectFrom('ledger')
      .select(sql<number>`created_at + 1`.as('after'))
      .where('account_id', '=', argument('account'))
      .where('mode', '=', argument('mode'))
      .where('created_at', '>=', argument('since'))
      .where('created_at', '<', committed)
      .orderBy('created_at')
      .limit(1)
      .offset(sql<number>`${argument('most')} - 1`);
    return builder
      .with('part', (query) => query.selectNoFrom(sql<number>`coalesce((${afterMost}), ${committed})`.as('until')))
      .selectFrom('part')
      .innerJoin('ledger', (join) => join.onRef('ledger.created_at', '<', 'part.until'))
      .select(({ fn }) => [
        fn.countAll<number>().as('entries'),
        fn.sum<number | null>('amount').as('total'),
        fn.max<number | null>('part.until').as('until'),
      ])
      .where('account_id', '=', argument('account'))
      .where('mode', '=', argument('mode'))
      .where('created_at', '>=', argument('since'));
  },
);

interface DueArguments {
  first: string;
  last: string;
  mode: LedgerMode;
  least: number;
}

/** Selects the accounts from `first` to `last` that have at least `least` entries since their checkpoint. */
const selectDue = prepareWithClock<DueArguments, { id: string }>('ledger_due_checkpoints', (builder, now, argument) => {
  const since = builder
    .selectFrom('ledger_checkpoints')
    .select('until')
    .where('ledger_checkpoints.account_id', '=', sql.ref<string>('accounts.id'))
    .where('ledger_checkpoints.mode', '=', argument('mode'));
  const manyEntries = builder
    .selectFrom('ledger')
    .select('created_at')
    .where('ledger.account_id', '=', sql.ref<string>('accounts.id'))
    .where('mode', '=', argument('mode'))
    .where('created_at', '>=', sql<number>`coalesce((${since}), 0)`)
    .where('created_at', '<', sql<number>`${now} - ${sql.lit(COMMITTED_AFTER_MS)}`)
    .orderBy('created_at')
    .limit(1)
    .offset(sql<number>`${argument('least')} - 1`);
  return builder
    .selectFrom('accounts')
    .select('id')
    .where('id', '>=', argument('first'))
    .where('id', '<=', argument('last'))
    .where(({ exists }) => exists(manyEntries));
});

/** Moves the checkpoints of all accounts that have many entries since their last one, of both modes. */
export async function advanceCheckpoints(database: Database, signal: AbortSignal): Promise<void> {
  const { read, write } = database;
  for (let after = ''; !signal.aborted; ) {
    const accounts = await read.all(
      read.builder.selectFrom('accounts').select('id').where('id', '>', after).orderBy('id').limit(LOOKED_AT_TOGETHER),
    );
    const [first, last] = [accounts[0], accounts.at(-1)];
    if (first === undefined || last === undefined) return;
    for (const mode of ['live', 'test'] as const) {
      const range = { first: first.id, last: last.id, mode, least: WORTH_A_CHECKPOINT };
      // Each part is a separate commit, so that orders can run in between.
      for (const { id } of await read.all(selectDue(read), range))
        while (!signal.aborted && (await write('checkpoint', (trx) => advanceCheckpoint(trx, id, mode))));
    }
    after = last.id;
  }
}

/**
 * Moves an account's checkpoint past its oldest entries, up to a time two minutes ago, so that a balance stays a short
 * sum. It must not go further: an entry is dated before it is committed, and a later checkpoint would miss it.
 * @param least minimum number of entries to move past; with fewer, the checkpoint stays
 * @param most maximum number of entries to move past at a time, apart from others of the same millisecond
 * @returns whether there may be more entries to move past
 */
export async function advanceCheckpoint(
  trx: Transaction,
  accountId: string,
  mode: LedgerMode,
  { least = WORTH_A_CHECKPOINT, most = SUMMED_AT_ONCE }: { readonly least?: number; readonly most?: number } = {},
): Promise<boolean> {
  await trx.lock(`checkpoint:${accountId}`);
  const checkpoint = await checkpointOf(trx, accountId, mode);
  const since = await trx.first(sumCommitted(trx), { account: accountId, mode, since: checkpoint.until, most });
  if (since === undefined || since.until === null || since.entries < least) return false;
  const { until } = since;
  const balance = checkpoint.balance + (since.total ?? 0);
  await trx.run(
    trx.builder
      .insertInto('ledger_checkpoints')
      .values({ account_id: accountId, mode, until, balance })
      .onConflict((conflict) => conflict.columns(['account_id', 'mode']).doUpdateSet({ until, balance })),
  );
  return since.entries >= most;
}
