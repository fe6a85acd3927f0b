import type { Database } from '../../src/database/database.ts';
import { execute } from './version-52.ts';

/** Makes the tables what they were in version 72, before some were joined. */
export async function beforeJoins(database: Database): Promise<void> {
  for (const table of ['tasks', 'files']) await execute(database, `alter table ${table} drop column end_user_sent`);
  await execute(database, 'alter table api_keys drop column timezone');
  await execute(database, 'drop table usage_quarters');
  for (const column of [
    'zone',
    ...['day', 'day_end', 'day_used', 'month', 'month_used', 'total'].map((of) => `zone_${of}`),
  ])
    await execute(database, `alter table spending drop column ${column}`);
  await execute(database, 'alter table webhook_secrets drop column mode');
  await execute(
    database,
    'create table webhook_test_secrets (account_id text, secret text, created_at bigint, valid_until bigint)',
  );
  await execute(database, 'alter table webhook_deliveries drop column data_json');
  await execute(database, 'create table webhook_data (delivery_id text, data_json text)');
  await execute(database, 'alter table data_requests drop column uploads');
  await execute(database, 'create table erasure_choices (erasure_id text, account_id text, uploads bigint)');
  await execute(database, 'drop table shares');
  await execute(
    database,
    `create table shares (id text, api_key_id text, task_id text, shows_prompt bigint, created_at bigint,
      expires_at bigint)`,
  );
  await execute(database, 'create table share_tasks (share_id text, position bigint, task_id text)');
  await execute(database, 'delete from schema_migrations');
  await execute(database, "insert into schema_migrations values (72, 'batch-orders', 0)");
}
