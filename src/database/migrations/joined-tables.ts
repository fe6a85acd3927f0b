import type { Migration } from '@darkroom-service/store';

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

/** Steps that keep in one table what was in two. */
export const JOINED: readonly Migration[] = [webhooks, erasures];
