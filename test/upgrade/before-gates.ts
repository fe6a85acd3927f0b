import type { Database } from '../../src/database/database.ts';
import { beforeJoins } from './before-joins.ts';
import { execute } from './version-52.ts';

/** The table of accounts on their way between cells, which a step drops. */
export const MOVES = 'create table account_moves (account_id text not null, role text not null, state text not null)';

/** Makes the tables what they were before orders had gates, and upstreams had valves and instances. */
export async function beforeGates(database: Database): Promise<void> {
  await beforeJoins(database);
  await execute(database, 'drop table instances');
  await execute(database, 'create table engine_limits (engine text, concurrency bigint, changed_at bigint)');
  await execute(
    database,
    'create table upstream_balances (engine text, amount text, unit text, told_at bigint, asked_at bigint, error text)',
  );
  await execute(database, 'create table local_engines (engine text, worker text, concurrency bigint, seen_at bigint)');
  await execute(database, 'drop table valves');
  await execute(database, 'create table switches (kind text, name text, paused_at bigint, reason text)');
  await execute(
    database,
    `create table circuits (engine text, kind text, fault text, call text, message text, openings bigint,
      opened_at bigint, retry_at bigint, trial_until bigint, at_once bigint)`,
  );
  for (const index of ['tasks_by_scope', 'tasks_open_by_scope']) await execute(database, `drop index ${index}`);
  await execute(database, 'alter table tasks drop column scope');
  await execute(database, 'alter table tasks add column erased_end_user text');
  await execute(database, 'drop table spending');
  await execute(
    database,
    'create table removed_spending (api_key_id text, erased_end_user text, created_at bigint, charged bigint)',
  );
  for (const name of ['at', 'day', 'month', 'total'])
    await execute(database, `alter table end_users add column closed_${name} bigint`);
  await execute(database, 'alter table tasks add column unfetched bigint not null default 0');
  for (const column of ['batch_id', 'batch_name'])
    await execute(database, `alter table tasks add column ${column} text`);
  await execute(database, 'update tasks set batch_id = (select batch_id from batch_orders where task_id = tasks.id)');
  await execute(database, 'drop table batch_orders');
  await execute(database, 'drop index tasks_queued_by_key');
  await execute(database, 'alter table tasks drop column line');
  await execute(database, 'alter table tasks drop column gates');
  await execute(database, 'alter table tasks add column awaited bigint not null default 0');
  await execute(database, 'alter table tasks add column waiting_json text');
  for (const column of ['position', 'depth']) await execute(database, `alter table task_waits drop column ${column}`);
}
