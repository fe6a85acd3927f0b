import type { Migration } from '@darkroom-service/store';
import { respelledNames } from './respelled-names.ts';
import { creationOf } from './statements.ts';

/** Says in a column of which mode a webhook secret is, and with a delivery what its event says. */
const webhooks: Migration = {
  version: 73,
  name: 'webhooks',
  statements: () => [
    "alter table webhook_secrets add column mode text not null default 'live'",
    `insert into webhook_secrets (account_id, secret, created_at, valid_until, mode)
      select account_id, secret, created_at, valid_until, 'test' from webhook_test_secrets`,
    'drop table webhook_test_secrets',
    'alter table webhook_deliveries add column data_json text',
    // It came with an addition, after the oldest version.
    'create table if not exists webhook_data (delivery_id text not null, data_json text not null)',
    `update webhook_deliveries set data_json =
        (select webhook_data.data_json from webhook_data where delivery_id = webhook_deliveries.id)
      where id in (select delivery_id from webhook_data)`,
    'drop table webhook_data',
  ],
};

/** Says in the row of an erasure what it was asked beyond its subject. */
const erasures: Migration = {
  version: 74,
  name: 'erasures',
  statements: () => [
    'alter table data_requests add column uploads bigint not null default 0',
    // It came with an addition, after the oldest version.
    'create table if not exists erasure_choices (erasure_id text not null, uploads bigint not null)',
    'update data_requests set uploads = 1 where id in (select erasure_id from erasure_choices where uploads = 1)',
    'drop table erasure_choices',
  ],
};

const SHARE_COLUMNS = 'id, api_key_id, task_id, shows_prompt, created_at, expires_at, position, is_list';

/** Gives a link to one task the rows of one to several: a row for each task, with what the link had beside them. */
const shares: Migration = {
  version: 75,
  name: 'shares',
  statements: () => [
    `create table rebuilt as select id, api_key_id, coalesce(share_tasks.task_id, shares.task_id) as task_id,
        shows_prompt, created_at, expires_at, coalesce(position, 0) as position,
        case when share_id is null then 0 else 1 end as is_list
      from shares left join share_tasks on share_id = id`,
    'drop table share_tasks',
    'drop table shares',
    `create table shares (
      id text not null, api_key_id text not null, task_id text not null, shows_prompt bigint not null,
      created_at bigint not null, expires_at bigint not null, position bigint not null, is_list bigint not null,
      constraint shares_pk primary key (id, position)
    )`,
    `insert into shares (${SHARE_COLUMNS}) select ${SHARE_COLUMNS} from rebuilt`,
    'drop table rebuilt',
    'create index shares_by_key on shares (api_key_id, id)',
    'create unique index shares_by_task on shares (task_id, id)',
  ],
};

/** Drops an index that no statement uses: the bytes that a key stores are a meter. */
const inputs: Migration = {
  version: 76,
  name: 'inputs',
  statements: () => ['drop index if exists tasks_inputs'],
};

/** Lets a retry read only equal calls that may lack their answer, and an equal request only those that were left. */
const equalCalls: Migration = {
  version: 77,
  name: 'equal-calls',
  statements: () => [
    ...['repeated', 'equal', 'left'].map((index) => `drop index if exists openai_calls_${index}`),
    'create index openai_calls_equal on openai_calls (api_key_id, digest, delivered_at, created_at) where digest is not null',
    'create index openai_calls_left on openai_calls (api_key_id, digest, left_at) where left_at is not null',
  ],
};

/** Lets limits of a day or a month be of a time zone, which a row counts beside those of UTC. */
const timeZones: Migration = {
  version: 79,
  name: 'time-zones',
  statements: () => [
    'alter table api_keys add column timezone text',
    'alter table spending add column zone text',
    ...['day', 'day_end', 'day_used', 'month', 'month_used', 'total'].map(
      (name) => `alter table spending add column zone_${name} bigint`,
    ),
  ],
};

/** Adds the sums of orders by the quarter of an hour and by end user, which housekeeping makes. */
const usageQuarters: Migration = {
  version: 80,
  name: 'usage-quarters',
  statements: () => creationOf('usage_quarters'),
};

/** Lets what is open be found by its owner among all that has ended, and a list skip tasks without their rows. */
const openRows: Migration = {
  version: 81,
  name: 'open-rows',
  statements: () => [
    ...['batches_open', 'webhook_deliveries_failed_of', 'reconciliation_open', 'tasks_by_key'].map(
      (index) => `drop index if exists ${index}`,
    ),
    "create index batches_open on batches (status, api_key_id, id) where status = 'processing'",
    "create index webhook_deliveries_failed_of on webhook_deliveries (status, account_id, id) where status = 'failed'",
    'create index reconciliation_open on reconciliation (id) where resolved_at is null',
    'create index tasks_by_key on tasks (api_key_id, type, id, deleted_at)',
  ],
};

/** Steps that keep in one table what was in two, drop what is not used, and find what is open. */
export const JOINED: readonly Migration[] = [
  webhooks,
  erasures,
  shares,
  inputs,
  equalCalls,
  respelledNames,
  timeZones,
  usageQuarters,
  openRows,
];
