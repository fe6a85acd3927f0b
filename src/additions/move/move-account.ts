import { setTimeout as pause } from 'node:timers/promises';
import type { Storage } from '@darkroom-service/media/storage';
import { loadPostgres } from '@darkroom-service/store';
import type { Client } from 'pg';
import { CommandFault } from '../../cli/command-fault.ts';
import { beginMove, type Cell } from './begin-move.ts';
import { type Move, type MoveState, withinMove } from './ends.ts';
import { installFence, isFenced, NOW } from './fence.ts';
import { leaveAccount } from './leave-account.ts';
import { copyFiles, isSameStorage } from './move-files.ts';
import { acceptSecrets, checkDays, openAccount, readLeft } from './open-account.ts';
import type { OwnedTable } from './owned-tables.ts';
import { areAllChanges, copyAnew, copyChanges, copyTables, findConflict, findDifference } from './stage.ts';

/** The settings of a move: both cells and the account. */
export interface MoveOptions {
  readonly account: string;
  readonly from: Cell & { readonly client: Client; readonly storage: Storage };
  readonly to: Cell & { readonly client: Client; readonly storage: Storage };
  readonly tables: readonly OwnedTable[];
  /** How long it waits for orders whose outcome is open. */
  readonly drainMs: number;
  /** Told of each step once it is done. If it throws, the move stops there, and a later run continues. */
  readonly onStep: (step: string) => void | Promise<void>;
  /** How long processes may take to learn who has left; longer than they do, and than they remember a key. */
  readonly knownMs?: number;
}

/** How long the account stays closed if the command dies. */
const CLOSED_MS = 60_000;
/** The same for the claims of its orders. */
const PAUSED_MS = 30_000;
const LOOK_EVERY_MS = 200;
const KNOWN_MS = 5_000;

/** How often one run goes on after the database ended one of its transactions because of a deadlock. */
const MOST_DEADLOCKS = 5;

/**
 * Moves an account from one cell to the other while it is in use. A run that is killed at any moment is continued by
 * the next one.
 * @throws CommandFault if it cannot move now; it then works where it was
 */
export async function moveAccount(options: MoveOptions): Promise<void> {
  for (let deadlocks = 0; ; )
    try {
      return await continueMove(options);
    } catch (error) {
      const { isDeadlock } = await loadPostgres();
      if (!isDeadlock(error) || ++deadlocks > MOST_DEADLOCKS) throw error;
    }
}

async function continueMove(options: MoveOptions): Promise<void> {
  const { account, from, to, tables, onStep } = options;
  const ends = { account, source: from.client, target: to.client };
  const { move, state } = await beginMove(ends, { from, to }, tables);
  await onStep('entered');
  const isSame = await isSameStorage(from.storage, to.storage);
  if (state === 'copying' || state === 'closed') await bring(move, options, { isSame, state });
  if (state !== 'left') {
    await openAccount(move, tables, await readLeft(from.client));
    await markOpen(move);
    await onStep('open');
    // Until every process knows it, it looks for the account's keys in the rows.
    await pause(options.knownMs ?? KNOWN_MS);
  }
  await leaveAccount(move, tables, isSame ? null : from.storage);
  await onStep('removed');
}

/** Copies all of the account, until it is the other cell's. */
async function bring(
  move: Move,
  options: MoveOptions,
  { isSame, state }: { readonly isSame: boolean; readonly state: MoveState },
): Promise<void> {
  const { account, from, to, tables, onStep, drainMs } = options;
  const files = async () => void (isSame || (await copyFiles(move, from.storage, to.storage)));
  if (state === 'closed') await reopen(move);
  await checkDays(from.client, to.client, account);
  await fence(move, tables);
  await acceptSecrets(to.client, await readLeft(from.client));
  await onStep('fenced');
  await copyTables(move, tables, async (name) => await onStep(`copied ${name}`));
  await catchUp(move, tables);
  await files();
  await catchUp(move, tables);
  await files();
  const conflict = await findConflict(move, tables);
  if (conflict !== null)
    throw new CommandFault(`The other cell has a row of the table ${conflict} with the id of one of '${account}'.`);
  await onStep('copied');
  try {
    await drain(move, tables, drainMs);
    await onStep('closed');
    await catchUp(move, tables);
    await files();
    const different = await findDifference(move, tables);
    if (different !== null) {
      await copyAnew(move, different);
      throw new CommandFault(
        `The copies of the table ${different} differ. '${account}' works on in this cell. Run the command again.`,
      );
    }
    await onStep('compared');
    await leave(move);
  } catch (error) {
    // It works on as before, also if this does not arrive: both end by themselves.
    await reopen(move).catch(() => {});
    throw error;
  }
  await onStep('moved');
}

/** @throws CommandFault if rows were written that nothing noted */
async function fence(move: Move, tables: readonly OwnedTable[]): Promise<void> {
  // An upgrade makes tables anew, without triggers.
  const wasFenced = await isFenced(move.source, tables);
  await installFence(move.source, tables);
  if (!wasFenced) for (const { name } of tables) await copyAnew(move, name);
}

async function catchUp(move: Move, tables: readonly OwnedTable[]): Promise<void> {
  while (!areAllChanges(await copyChanges(move, tables)));
}

const OPEN_OUTCOMES = `select count(*) as orders from tasks
  where api_key_id in (select id from api_keys where account_id = $1) and step in ('preparing', 'submitting')`;
/** Work that a process has claimed and not ended, and people's data that are being erased. */
const OPEN_WORK = `select
  (select count(*) from work r where fence > 0 and due_at > ${NOW} and (owner = $1
    or owner in (select id from api_keys where account_id = $1)))
  + (select count(*) from data_requests where account_id = $1 and kind = 'erasure' and completed_at is null) as work`;

/**
 * Stops the claims, waits until no outcome is open, and closes the account.
 * @throws CommandFault if it takes too long
 */
async function drain(move: Move, tables: readonly OwnedTable[], drainMs: number): Promise<void> {
  const { source, account } = move;
  const end = performance.now() + drainMs;
  let pausedUntil = 0;
  for (;;) {
    if (performance.now() >= pausedUntil - PAUSED_MS / 2) {
      pausedUntil = performance.now() + PAUSED_MS;
      await pauseClaims(move);
    }
    await catchUp(move, tables);
    const { rows: orders } = await source.query<{ orders: number }>(OPEN_OUTCOMES, [account]);
    const { rows: work } = await source.query<{ work: number }>(OPEN_WORK, [account]);
    const open = orders[0]!.orders + work[0]!.work;
    if (open === 0 && (await close(move))) return;
    if (performance.now() >= end)
      throw new CommandFault(
        `After ${drainMs / 1000} s the outcome of ${open} orders, deliveries or erasures of '${account}' is open. It works on in this cell. Run the command again later, or with a longer --wait.`,
      );
    await pause(LOOK_EVERY_MS);
  }
}

async function pauseClaims(move: Move): Promise<void> {
  await withinMove(move, 'source', 'update', (source) =>
    source.query(
      `update account_moves set held_until = ${NOW} + ${PAUSED_MS} where account_id = $1 and role = 'source'`,
      [move.account],
    ),
  );
}

/** Closes the account unless the outcome of an order is open by now. @returns whether it is closed */
async function close(move: Move): Promise<boolean> {
  return await withinMove(move, 'source', 'update', async (source) => {
    const { rows } = await source.query<{ orders: number }>(OPEN_OUTCOMES, [move.account]);
    if (rows[0]!.orders > 0) return false;
    await source.query(
      `update account_moves set state = 'closed', closed_until = ${NOW} + ${CLOSED_MS},
        held_until = ${NOW} + ${CLOSED_MS}, changed_at = ${NOW} where account_id = $1 and role = 'source'`,
      [move.account],
    );
    return true;
  });
}

async function reopen(move: Move): Promise<void> {
  await withinMove(move, 'source', 'update', async (source, { state }) => {
    if (state !== 'copying' && state !== 'closed') return;
    await source.query(
      `update account_moves set state = 'copying', held_until = 0, closed_until = 0 where account_id = $1 and role = 'source'`,
      [move.account],
    );
  });
}

/** From here on the source passes on what arrives for the account. */
async function markOpen(move: Move): Promise<void> {
  await withinMove(move, 'source', 'update', (source) =>
    source.query(
      `update account_moves set state = 'open', changed_at = ${NOW}
        where account_id = $1 and role = 'source' and state = 'moved'`,
      [move.account],
    ),
  );
}

/** The account is the other cell's from here on. @throws CommandFault if it was not closed all the time */
async function leave(move: Move): Promise<void> {
  await withinMove(move, 'source', 'update', async (source, { state, closedForMs }) => {
    const { rows } = await source.query(
      `select 1 from account_changes where account_id = $1 and name <> 'expired_keys' limit 1`,
      [move.account],
    );
    if (state !== 'closed' || closedForMs <= 0 || rows.length > 0)
      throw new CommandFault(
        `The last rows of '${move.account}' took longer than ${CLOSED_MS / 1000} s. It works on in this cell. Run the command again when less is written.`,
      );
    await source.query(
      `insert into moved_keys (key_id, account_id, hash, previous_hash)
        select id, account_id, hash, previous_hash from api_keys where account_id = $1 on conflict do nothing`,
      [move.account],
    );
    await source.query(
      `update account_moves set state = 'moved', held_until = ${Number.MAX_SAFE_INTEGER}, changed_at = ${NOW}
        where account_id = $1 and role = 'source'`,
      [move.account],
    );
  });
}
