import type { Client } from 'pg';
import { ACCOUNT_CLOSED } from '../../database/open-database.ts';
import { keyJson, type OwnedTable } from './owned-tables.ts';

/**
 * Triggers of the database that an account leaves. They note every row of it that is written, and once it is closed
 * they refuse to write any: to every process, whatever it remembers of the account. A write and the closing wait for
 * each other by the row in `account_moves`. Databases that no account has left have no triggers.
 */

const TRIGGER = 'darkroom_move';
const LOCK_WAIT = '10s';

/** Statement that lets a transaction write rows of an account that has left, to remove them. */
export const MOVER = `select set_config('darkroom.mover', 'on', true)`;
/** Milliseconds since 1970 UTC by the clock of the server, which moves on within a transaction. */
export const NOW = '(extract(epoch from clock_timestamp()) * 1000)::bigint';

/** Two kinds of rows that are not worth an error: a claim that finds nothing, and a line of the request log. */
const SKIPPED: Readonly<Record<string, string>> = { work: "tg_op = 'UPDATE'", request_log: 'true' };

/**
 * Makes the triggers. When it returns, no transaction is open that began before the account's row was there and writes
 * without noting it.
 */
export async function installFence(client: Client, tables: readonly OwnedTable[]): Promise<void> {
  for (const owned of tables) {
    if (owned.isShared) continue;
    const { table } = owned;
    await client.query(`begin; set local lock_timeout = '${LOCK_WAIT}'`);
    try {
      await client.query(
        functionOf(
          owned,
          tables.filter((one) => one.isShared && one.table === table),
        ),
      );
      await client.query(
        `create or replace trigger ${TRIGGER} before insert or update or delete on ${table}
          for each row execute function ${TRIGGER}_${table}()`,
      );
      await client.query('commit');
    } catch (error) {
      await client.query('rollback');
      throw error;
    }
  }
}

/** Tells whether all triggers are there. */
export async function isFenced(client: Client, tables: readonly OwnedTable[]): Promise<boolean> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_trigger join pg_class on pg_class.oid = tgrelid
      where tgname = '${TRIGGER}' and relnamespace = current_schema()::regnamespace`,
  );
  const fenced = new Set(rows.map(({ name }) => name));
  return tables.every(({ table }) => fenced.has(table));
}

/** Removes the triggers if no account is on its way or has left. */
export async function removeFence(client: Client, tables: readonly OwnedTable[]): Promise<void> {
  const { rows } = await client.query(`select 1 from account_moves where role = 'source' limit 1`);
  if (rows.length > 0) return;
  for (const { table, isShared } of tables)
    if (!isShared) await client.query(`drop function if exists ${TRIGGER}_${table}() cascade`);
}

function functionOf(owned: OwnedTable, shared: readonly OwnedTable[]): string {
  const { name, table, account } = owned;
  const note = (rows: string) => `insert into account_changes (account_id, name, row_key, changes) ${rows}
    on conflict (account_id, name, row_key) do update set changes = account_changes.changes + 1;`;
  const notedShared = shared.map(
    (one) => `if ${one.where.replace("and $1 <> ''", '')} then
      ${note(`select account_id, '${one.name}', ${keyJson(one, 'r')}, 1 from account_moves
        where role = 'source' and state in ('copying', 'closed') order by account_id`)}
    end if;`,
  );
  return `create or replace function ${TRIGGER}_${table}() returns trigger language plpgsql as $fence$
    declare
      r ${table}%rowtype;
      whose text;
      found_state text;
      open_again bigint;
    begin
      if tg_op = 'DELETE' then r := old; else r := new; end if;
      if current_setting('darkroom.mover', true) = 'on' then return r; end if;
      ${notedShared.join('\n')}
      whose := ${account};
      if whose is null then return r; end if;
      select state, closed_until into found_state, open_again from account_moves
        where account_id = whose and role = 'source' for share;
      if not found then return r; end if;
      if found_state in ('moved', 'open', 'left') or found_state = 'closed' and open_again > ${NOW} then
        ${SKIPPED[table] === undefined ? '' : `if ${SKIPPED[table]} then return null; end if;`}
        raise exception 'account % is moving to another cell', whose using errcode = '${ACCOUNT_CLOSED}';
      end if;
      ${note(`values (whose, '${name}', ${keyJson(owned, 'r')}, 1)`)}
      return r;
    end $fence$`;
}
