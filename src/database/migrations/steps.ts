import type { Migration } from '@darkroom-service/store';
import { modesOfDeliveries } from './modes-of-deliveries.ts';
import { respelledNames } from './respelled-names.ts';
import { creationOf } from './statements.ts';

/** Indexes equal calls: retries read only those that may lack their answer, equal requests those whose client left. */
const equalCalls: Migration = {
  version: 77,
  name: 'equal-calls',
  statements: () => [
    ...['repeated', 'equal', 'left'].map((index) => `drop index if exists openai_calls_${index}`),
    'create index openai_calls_equal on openai_calls (api_key_id, digest, delivered_at, created_at) where digest is not null',
    'create index openai_calls_left on openai_calls (api_key_id, digest, left_at) where left_at is not null',
  ],
};

/** Allows a time zone for limits of a day or a month; a row counts it besides UTC. */
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

/** Indexes open rows by owner, which skips ended rows, and lets a list skip tasks without reading their rows. */
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

/** Indexes the keys of persons, to find the person whose order a key placed. */
const ownersOfKeys: Migration = {
  version: 82,
  name: 'owners-of-keys',
  statements: () => ['create index person_keys_by_key on person_keys (key_id)'],
};

/** Lets a page of settled orders begin and end in the index. */
const costsByTime: Migration = {
  version: 83,
  name: 'costs-by-time',
  statements: () => [
    'drop index if exists task_costs_by_time',
    'create index task_costs_by_time on task_costs (settled_at, task_id)',
  ],
};

/**
 * Sums what accounts without a credit limit have entered, which nothing summed before: until housekeeping had, each
 * balance would read its whole ledger. Entries of the last minutes are left to it.
 */
const checkpoints: Migration = {
  version: 84,
  name: 'checkpoints',
  statements: () => [
    `insert into ledger_checkpoints (account_id, mode, until, balance)
      select account_id, mode, last.until, cast(sum(amount) as bigint)
        from ledger, (select max(created_at) - 120000 as until from ledger) as last
        where created_at < last.until group by account_id, mode, last.until
      on conflict (account_id, mode) do nothing`,
  ],
};

/** Indexes delivered orders that gave up their slots, so that a count of slots reads none of the others. */
const deliveredOrders: Migration = {
  version: 86,
  name: 'delivered-orders',
  statements: () => ["create index tasks_delivered on tasks (queue) where step = 'running' and claimable = 0"],
};

/** Indexes failed orders, so that a search for the failures of a day reads no other orders. */
const failedOrders: Migration = {
  version: 87,
  name: 'failed-orders',
  statements: () => ["create index tasks_failed on tasks (id) where status = 'failed'"],
};

/** Stores which bits of orders additions have. Followers of earlier versions declare theirs. */
const assignments: Migration = {
  version: 88,
  name: 'assignments',
  statements: () => creationOf('assignments'),
};

/** The steps from the schema of commit 9fd70113 (version 76) to the initial one. They need all processes stopped. */
export const STEPS: readonly Migration[] = [
  equalCalls,
  respelledNames,
  timeZones,
  usageQuarters,
  openRows,
  ownersOfKeys,
  costsByTime,
  checkpoints,
  modesOfDeliveries,
  deliveredOrders,
  failedOrders,
  assignments,
];
