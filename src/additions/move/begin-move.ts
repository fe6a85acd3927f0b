import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { CommandFault } from '../../cli/command-fault.ts';
import { GONE, type Move, type MoveState, within } from './ends.ts';
import { NOW } from './fence.ts';
import type { OwnedTable } from './owned-tables.ts';
import { makeStage } from './stage.ts';

/** How far the clocks of the two servers may be apart: times in rows are compared with both. */
const CLOCKS_MS = 10_000;

/** A cell in the view of another cell. */
export interface Cell {
  readonly name: string;
  /** The address at which the other cell reaches this one's processes. */
  readonly url: string;
}

/** Both ends of a move. */
interface Ends {
  readonly account: string;
  readonly source: Client;
  readonly target: Client;
}

/**
 * Enters the move at both ends, or takes it over from an earlier run.
 * @returns the run, and how far the move is at the source
 * @throws CommandFault if the account cannot move
 */
export async function beginMove(
  ends: Ends,
  cells: { readonly from: Cell; readonly to: Cell },
  tables: readonly OwnedTable[],
): Promise<{ readonly move: Move; readonly state: MoveState }> {
  const { account, source, target } = ends;
  const found = await readMove(source, account, 'source');
  if (found === null) await checkAccount(ends);
  await checkServers(ends);
  const { fence, state, move_id: id } = await within(source, () => enterSource(source, account, cells.to));
  await within(target, async () => {
    const known = await readMove(target, account, 'target', 'for update');
    if (known?.move_id === id) {
      if (known.fence >= fence) throw new CommandFault(`Another run of this command has taken over.`);
      await target.query(`update account_moves set fence = $2, url = $3 where account_id = $1 and role = 'target'`, [
        account,
        fence,
        cells.from.url,
      ]);
      return;
    }
    if (GONE.includes(state))
      throw new CommandFault(`'${account}' has left for ${cells.to.name}, and that database does not know of it.`);
    const { rows: others } = await target.query(
      `select account_id from account_moves where role = 'target' and state = 'copying' and account_id <> $1`,
      [account],
    );
    if (others.length > 0)
      throw new CommandFault(
        `${cells.to.name} gets the account '${others[0].account_id}' at the moment. Finish or cancel that move first.`,
      );
    await makeStage(target, tables);
    await target.query(`delete from account_moves where account_id = $1 and role = 'target'`, [account]);
    await insertMove(target, { account, role: 'target', id, fence, cell: cells.from });
  });
  return { move: { ...ends, fence }, state };
}

interface Found {
  readonly state: MoveState;
  readonly move_id: string;
  readonly cell: string;
  readonly fence: number;
}

export async function readMove(
  client: Client,
  account: string,
  role: 'source' | 'target',
  lock = '',
): Promise<Found | null> {
  const { rows } = await client.query<Found>(
    `select state, move_id, cell, fence from account_moves where account_id = $1 and role = $2 ${lock}`,
    [account, role],
  );
  return rows[0] ?? null;
}

async function enterSource(source: Client, account: string, to: Cell): Promise<Found> {
  const found = await readMove(source, account, 'source', 'for update');
  if (found === null) {
    // Where it came from once.
    await source.query(`delete from account_moves where account_id = $1 and role = 'target' and state = 'moved'`, [
      account,
    ]);
    const id = randomUUID();
    await insertMove(source, { account, role: 'source', id, fence: 1, cell: to });
    return { state: 'copying', move_id: id, cell: to.name, fence: 1 };
  }
  if (found.cell !== to.name)
    throw new CommandFault(
      `'${account}' is on its way to ${found.cell}, or there already. Finish or cancel that move first.`,
    );
  await source.query(`update account_moves set fence = fence + 1, url = $2 where account_id = $1 and role = 'source'`, [
    account,
    to.url,
  ]);
  return { ...found, fence: found.fence + 1 };
}

async function insertMove(
  client: Client,
  row: { account: string; role: 'source' | 'target'; id: string; fence: number; cell: Cell },
): Promise<void> {
  await client.query(
    `insert into account_moves
      (account_id, role, state, move_id, cell, url, fence, held_until, closed_until, changed_at)
      values ($1, $2, 'copying', $3, $4, $5, $6, 0, 0, ${NOW})`,
    [row.account, row.role, row.id, row.cell.name, row.cell.url, row.fence],
  );
}

const REASONS: readonly (readonly [query: string, reason: string])[] = [
  [
    `select 1 from api_keys where account_id = $1 and mode = 'admin' and revoked_at is null`,
    'has an admin key, which belongs to the cell. Revoke it first',
  ],
  [
    `select 1 from memberships where account_id = $1 union all select 1 from person_keys where account_id = $1
      union all select 1 from invitations where account_id = $1`,
    'has members who sign in to the console of this cell, and they cannot move',
  ],
];

async function checkAccount({ account, source, target }: Ends): Promise<void> {
  const { rows } = await source.query('select 1 from accounts where id = $1', [account]);
  if (rows.length === 0) throw new CommandFault(`There is no account '${account}' in this cell.`);
  const { rows: taken } = await target.query('select 1 from accounts where id = $1', [account]);
  if (taken.length > 0) throw new CommandFault(`The other cell has an account '${account}' already.`);
  for (const [query, reason] of REASONS) {
    const { rows: found } = await source.query(`${query} limit 1`, [account]);
    if (found.length > 0) throw new CommandFault(`The account '${account}' ${reason}.`);
  }
}

async function checkServers({ source, target }: Ends): Promise<void> {
  const ask = async (client: Client) => {
    const { rows } = await client.query<{ version: number; id: string | null; now: number }>(
      `select (select max(version) from schema_migrations) as version, (select id from installation) as id, ${NOW} as now`,
    );
    return rows[0]!;
  };
  const [here, there] = await Promise.all([ask(source), ask(target)]);
  if (here.version !== there.version)
    throw new CommandFault('The two cells have different versions of Darkroom. Start the same version in both first.');
  if (here.id === null || there.id === null)
    throw new CommandFault('A cell was never started. Start both with this version first.');
  if (here.id === there.id) throw new CommandFault('Both addresses lead to the same installation.');
  if (Math.abs(here.now - there.now) > CLOCKS_MS)
    throw new CommandFault(
      `The clocks of the two database servers are ${Math.round(Math.abs(here.now - there.now) / 1000)} s apart. Set them first.`,
    );
}
