import type { Client } from 'pg';
import { acceptedName } from '../../accounts/signing-secrets.ts';
import { CommandFault } from '../../cli/command-fault.ts';
import { type Move, withinMove } from './ends.ts';
import { NOW } from './fence.ts';
import type { OwnedTable } from './owned-tables.ts';
import { dropStage, stagedName } from './stage.ts';

/** The facts of the source that the target needs to open the account. */
export interface Left {
  /** The clocks of its queues, by name. */
  readonly clocks: Readonly<Record<string, number>>;
  /** The day before which the sums of days are stored there, by what is summed. */
  readonly closedDays: Readonly<Record<string, number>>;
  /** The secrets that the source signs with. */
  readonly secrets: readonly { readonly name: string; readonly value: string }[];
}

const DAY_MS = 86_400_000;
/** By what the sums of days are dated, and from which rows they are made. */
const SUMMED = { usage: ['tasks', 'created_at'], costs: ['task_costs', 'settled_at'] } as const;

/** Reads the facts of the source that the target needs. Call it once nothing of the account can be written any more. */
export async function readLeft(source: Client): Promise<Left> {
  const clocks = await source.query<{ name: string; clock: number }>('select name, clock from queues');
  const days = await source.query<{ name: string; before_day: number }>('select name, before_day from closed_days');
  const secrets = await source.query<{ name: string; value: string }>(
    `select name, value from secrets where name in ('file_signature', 'client_tokens')`,
  );
  return {
    clocks: Object.fromEntries(clocks.rows.map(({ name, clock }) => [name, clock])),
    closedDays: Object.fromEntries(days.rows.map(({ name, before_day: day }) => [name, day])),
    secrets: secrets.rows,
  };
}

/**
 * Makes the staged rows those of the target, in one commit: from then on it works for the account. Does nothing if that
 * was done.
 */
export async function openAccount(move: Move, tables: readonly OwnedTable[], left: Left): Promise<void> {
  await withinMove(move, 'target', 'update', async (target, { state }) => {
    if (state !== 'copying') return;
    await reopenDays(target, left);
    await target.query(
      `update ${stagedName({ name: 'tasks' })} t set worker = null, fence = fence + 1,
        next_at = case when worker is null or next_at is null then next_at else coalesce(started_at, created_at) end,
        rank = case when rank < 0 then rank else greatest(rank - coalesce(($1::json ->> queue)::double precision, 0), 0)
          + coalesce((select clock from queues where name = t.queue), 0) end
        where step <> 'final' or worker is not null`,
      [JSON.stringify(left.clocks)],
    );
    await target.query(`update ${stagedName({ name: 'work' })} set due_at = entered_at, fence = 0 where fence > 0`);
    for (const owned of tables)
      await target.query(
        `insert into ${owned.table} select * from ${stagedName(owned)}${owned.isShared ? ' on conflict do nothing' : ''}`,
      );
    await acceptSecrets(target, left);
    // It may have left this cell before.
    await target.query(`delete from account_moves where account_id = $1 and role = 'source'`, [move.account]);
    for (const table of ['moved_keys', 'moved_ids'])
      await target.query(`delete from ${table} where account_id = $1`, [move.account]);
    await dropStage(target, tables);
    await target.query(
      `update account_moves set state = 'moved', changed_at = ${NOW} where account_id = $1 and role = 'target'`,
      [move.account],
    );
  });
}

/** Makes the target accept what the source has signed. It does so some seconds later. */
export async function acceptSecrets(target: Client, { secrets }: Pick<Left, 'secrets'>): Promise<void> {
  for (const { name, value } of secrets)
    await target.query('insert into secrets (name, value) values ($1, $2) on conflict do nothing', [
      acceptedName(name, value),
      JSON.stringify({ value, acceptedUntil: null }),
    ]);
}

/**
 * Days that the source had not summed yet are summed here, where they may have been summed without this account.
 * @throws CommandFault if rows of such a day may have been removed here, so that its sums cannot be made anew
 */
async function reopenDays(target: Client, left: Left): Promise<void> {
  for (const [name, [table, column]] of Object.entries(SUMMED)) {
    const from = (left.closedDays[name] ?? 0) * DAY_MS;
    const { rows } = await target.query<{ day: number | null }>(
      `select min(${column}) / ${DAY_MS} as day from ${stagedName({ name: table })} where ${column} >= $1`,
      [from],
    );
    const day = rows[0]?.day ?? null;
    await target.query(
      `update closed_days set revision = revision + 1, before_day = least(before_day, coalesce($2, before_day))
        where name = $1`,
      [name, day],
    );
  }
}

/**
 * Checks that the target can sum the account's days.
 * @throws CommandFault where `openAccount` could not sum days anew
 */
export async function checkDays(source: Client, target: Client, account: string): Promise<void> {
  const { closedDays } = await readLeft(source);
  const { rows } = await target.query<{ name: keyof typeof SUMMED; removed: number | null }>(
    'select name, removed_before_day as removed from closed_days',
  );
  for (const { name, removed } of rows) {
    const [table, column] = SUMMED[name];
    const { rows: found } = await source.query(
      `select 1 from ${table} where account_id = $1 and ${column} >= $2 and ${column} < $3 limit 1`,
      [account, (closedDays[name] ?? 0) * DAY_MS, (removed ?? 0) * DAY_MS],
    );
    if (found.length > 0)
      throw new CommandFault(
        `This cell has not summed days of '${account}' whose rows the other may have removed. Wait until it has: it does so within a day.`,
      );
  }
}
