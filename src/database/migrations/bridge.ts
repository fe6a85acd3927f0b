import type { Migration } from '@darkroom-service/store';
import { JOINED } from './joined-tables.ts';
import { spending } from './spending.ts';
import { creationOf, rebuild } from './statements.ts';

/**
 * The steps from the schema of commit b9a24459 (version 52) to the initial one. They need every process to be stopped.
 */

/** By what an order was priced, and how its result differs from it. */
const asOrdered: Migration = {
  version: 53,
  name: 'as-ordered',
  statements: () => [
    ...creationOf('price_lists'),
    'alter table tasks add column price_list text',
    'alter table tasks add column warnings_json text',
    'alter table task_costs add column is_short bigint not null default 0',
  ],
};

/** How waiting orders begin after a pause, and what each process knows for itself. */
const slowBegins = altering(54, 'slow-begins', [
  'circuits add column at_once bigint',
  'processes add column facts text',
]);

/** Takes orders of unknown outcome out of the costs of days, and counts again what was added later than the days. */
const unknownApart: Migration = {
  version: 55,
  name: 'unknown-apart',
  statements: () =>
    rebuild(
      'cost_days',
      {
        cost: 'cost - coalesce(counted_unknown_cost, 0)',
        without_amount: 'without_amount - coalesce(counted_unknown, 0)',
        revenue_without_amount: 'coalesce(counted_revenue, revenue_without_amount)',
        unknown_cost: 'coalesce(counted_unknown_cost, 0)',
      },
      `left join (select settled_at / 86400000 as counted_day, account_id as counted_account,
          model_id as counted_model, engine as counted_engine,
          cast(sum(case when outcome = 'unknown' then coalesce(told, expected, 0) else 0 end) as bigint)
            as counted_unknown_cost,
          sum(case when outcome = 'unknown' and coalesce(told, expected) is null then 1 else 0 end) as counted_unknown,
          cast(sum(case when outcome <> 'unknown' and coalesce(told, expected) is null then charged else 0 end) as bigint)
            as counted_revenue
        from task_costs group by 1, 2, 3, 4) as counted
        on counted_day = day and counted_account = account_id and counted_model = model_id and counted_engine = engine`,
    ),
};

/** Which process owes the answer of a call of an OpenAI client. */
const answeringProcess = altering(56, 'answering-process', ['openai_calls add column process text']);

/** What an order of unknown cost counts with in the spend limit of its instance. */
const assumedCosts = altering(57, 'assumed-costs', ['task_costs add column assumed bigint']);

/** Says in a column why an upstream gets no orders, which the message told. */
const circuitKinds: Migration = {
  version: 58,
  name: 'circuit-kinds',
  statements: () => [
    "alter table circuits add column kind text not null default 'outage'",
    `update circuits set kind = case
        when at_once is not null then 'slow_begin'
        when fault = 'rate_limited' and openings = 0 then 'pause'
        when fault = 'billing' and message like 'the operator''s spend limit of this upstream is reached%' then 'spend_limit'
        when engine like '%/%' and message like '% makes % and no %' then 'not_loaded'
        else 'outage' end`,
  ],
};

/** Names on each order who wants to know what becomes of it: 1 = webhooks, 2 = delivery, 4 = origins, until it ends. */
const followers: Migration = {
  version: 59,
  name: 'followers',
  statements: () => [
    'alter table tasks add column followed bigint not null default 0',
    `update tasks set followed =
        case when webhook_url is null then 0 else 1 end + case when deliver_json is null then 0 else 2 end
        + case when step = 'final' then 0 else 4 end
      where step <> 'final' or webhook_url is not null or deliver_json is not null`,
  ],
};

const MOVE_TABLES = ['account_moves', 'account_changes', 'moved_keys', 'moved_ids'];
/** Triggers on the tables of a cell that accounts have left wrote to the tables of moves. */
const DROP_MOVE_TRIGGERS = `do $$
  declare
    found regprocedure;
  begin
    for found in select oid::regprocedure from pg_proc
      where proname like 'darkroom\\_move\\_%' and pronamespace = current_schema()::regnamespace
    loop
      execute format('drop function %s cascade', found);
    end loop;
  end $$`;

/** Removes what the moves of accounts between cells kept. An account that is in both cells must arrive first. */
const withoutMoves: Migration = {
  version: 60,
  name: 'without-moves',
  refusal: {
    rows: `select 1 from account_moves
      where not (role = 'source' and state = 'left') and not (role = 'target' and state = 'moved')`,
    advice:
      'An account is on its way to another cell, and this version moves none. Start the version that ran before, and finish or cancel its move with that version.',
  },
  statements: (kind) => [
    ...(kind === 'postgres' ? [DROP_MOVE_TRIGGERS] : []),
    "delete from secrets where name like 'file\\_signature:of:%' escape '\\' or name like 'client\\_tokens:of:%' escape '\\'",
    ...MOVE_TABLES.map((table) => `drop table if exists ${table}`),
  ],
};

/** Says in one column what an order waits for before it may be claimed: 4 = its references, which must be fetched. */
const gates: Migration = {
  version: 61,
  name: 'gates',
  statements: () => [
    'alter table tasks add column gates bigint not null default 0',
    "update tasks set gates = 4 where unfetched = 1 and step <> 'final'",
    'alter table tasks drop column unfetched',
  ],
};

/** Lets the orders that wait for an open one follow it, with 8. */
const followingChildren: Migration = {
  version: 62,
  name: 'following-children',
  statements: () => [
    "update tasks set followed = followed + 8 where awaited = 1 and step <> 'final'",
    'alter table tasks drop column awaited',
  ],
};

/**
 * Says in the same column that an order waits for others, with 1, which was a step, or until its batch lets it in, with
 * 2, which was a rank. One that waits for others has its turn in its batch as its rank.
 */
const gatesOfPlaces: Migration = {
  version: 63,
  name: 'gates-of-places',
  statements: (kind) => [
    `update tasks set rank = ${kind === 'sqlite' ? "json_extract(waiting_json, '$.rank')" : "cast(cast(waiting_json as json) ->> 'rank' as double precision)"}
      where step = 'blocked' and batch_id is not null`,
    "update tasks set gates = gates + 1, step = 'waiting' where step = 'blocked'",
    "update tasks set gates = gates + 2 where status = 'queued' and batch_id is not null and rank < 0",
    'create index tasks_held on tasks (batch_id, rank) where (gates & 3) = 2',
  ],
};

/** Says in the same column that an order is looked at again later, since its upstream model could not be ordered: 8. */
const gatesOfRoutes: Migration = {
  version: 64,
  name: 'gates-of-routes',
  statements: () => [
    `update tasks set gates = 8
      where step = 'waiting' and gates = 0 and claimable = 0 and (next_at < deadline_at or worker is not null)`,
  ],
};

/** Says where it is kept for whom an order waits, and how many wait one behind the other up to it. */
const placesOfParents: Migration = {
  version: 65,
  name: 'places-of-parents',
  statements: (kind) => {
    const [depth, listed] =
      kind === 'sqlite'
        ? ["json_extract(waiting_json, '$.depth')", "json_each(waiting_json, '$.for') as listed"]
        : [
            "cast(cast(waiting_json as json) ->> 'depth' as bigint)",
            "json_array_elements_text(cast(waiting_json as json) -> 'for') with ordinality as listed(value, key)",
          ];
    return [
      'delete from task_waits where child_id not in (select id from tasks where (gates & 1) <> 0)',
      'alter table task_waits add column position bigint',
      'alter table task_waits add column depth bigint not null default 1',
      `update task_waits set
          position = (select listed.key from tasks, ${listed} where tasks.id = child_id and listed.value = parent_id),
          depth = coalesce((select ${depth} from tasks where tasks.id = child_id), 1)`,
      'alter table tasks drop column waiting_json',
    ];
  },
};

/** Lets the orders of batches, as far as they have begun to be tasks, wake their batches with 16. */
const followingBatches: Migration = {
  version: 66,
  name: 'following-batches',
  statements: () => ["update tasks set followed = followed + 16 where batch_id is not null and step <> 'final'"],
};

/** Says in which line of their key orders stand: 1 = that of its batches. */
const lines: Migration = {
  version: 67,
  name: 'lines',
  statements: () => [
    'alter table tasks add column line bigint not null default 0',
    'update tasks set line = 1 where batch_id is not null',
    'drop index if exists tasks_queued_by_key',
    "create index tasks_queued_by_key on tasks (api_key_id, line, queue, rank) where status = 'queued'",
  ],
};

/** Lets the ended orders of batches tell their batches of refunds. */
const refundsOfBatches: Migration = {
  version: 68,
  name: 'refunds-of-batches',
  statements: () => ['update tasks set followed = followed + 16 where batch_id is not null and (followed & 16) = 0'],
};

/** Keeps what holds orders back from engines and models in one table, a row for each cause. */
const valves: Migration = {
  version: 69,
  name: 'valves',
  statements: () => [
    ...creationOf('valves'),
    `insert into valves (subject, kind, since, retry_at, fault, call, message, times, trial_until, at_once)
      select engine, kind, opened_at, case when kind = 'slow_begin' then null else retry_at end,
        case when kind = 'slow_begin' then null else fault end, case when kind = 'slow_begin' then null else call end,
        message, openings, trial_until, at_once from circuits`,
    `insert into valves (subject, kind, since, message, times)
      select case when kind = 'model' then 'model:' || name else name end, 'switched_off', paused_at, reason, 1
      from switches`,
    'drop table circuits',
    'drop table switches',
  ],
};

/** Keeps the numbers of engines in one table: adaptive limits, balances, and what each process makes itself. */
const instances: Migration = {
  version: 70,
  name: 'instances',
  statements: () => [
    ...creationOf('instances'),
    "insert into instances (engine, worker, concurrency, changed_at) select engine, '', concurrency, changed_at from engine_limits",
    `insert into instances (engine, worker, amount, unit, told_at, asked_at, error)
      select engine, '', amount, unit, told_at, asked_at, error from upstream_balances where true
      on conflict (engine, worker) do update set amount = excluded.amount, unit = excluded.unit,
        told_at = excluded.told_at, asked_at = excluded.asked_at, error = excluded.error`,
    `insert into instances (engine, worker, concurrency, seen_at)
      select engine, worker, concurrency, seen_at from local_engines`,
    'drop table engine_limits',
    'drop table upstream_balances',
    'drop table local_engines',
  ],
};

/** Moves what orders have of their batches from their rows to a table of its own. */
const batchOrders: Migration = {
  version: 72,
  name: 'batch-orders',
  statements: () => [
    `create table batch_orders (
      task_id text not null, batch_id text not null, position bigint not null, name text, state text not null,
      price bigint not null, charged bigint, constraint batch_orders_pk primary key (task_id)
    )`,
    `insert into batch_orders (task_id, batch_id, position, name, state, price, charged)
      select tasks.id, batch_id, case when (gates & 2) <> 0 then cast(rank + orders as bigint) else 0 end, batch_name,
        case when step = 'final' then tasks.status when (gates & 2) <> 0 then 'held' else 'open' end, price,
        tasks.charged
      from tasks join batches on batches.id = batch_id`,
    'create index batch_orders_by_batch on batch_orders (batch_id, task_id)',
    'create index batch_orders_by_state on batch_orders (batch_id, state, position, price, charged)',
    'update tasks set rank = -1 where rank < -1',
    ...['tasks_by_batch', 'tasks_in_batch', 'tasks_held'].map((index) => `drop index if exists ${index}`),
    'alter table tasks drop column batch_id',
    'alter table tasks drop column batch_name',
  ],
};

export const BRIDGE: readonly Migration[] = [
  asOrdered,
  slowBegins,
  unknownApart,
  answeringProcess,
  assumedCosts,
  circuitKinds,
  followers,
  withoutMoves,
  gates,
  followingChildren,
  gatesOfPlaces,
  gatesOfRoutes,
  placesOfParents,
  followingBatches,
  lines,
  refundsOfBatches,
  valves,
  instances,
  spending,
  batchOrders,
  ...JOINED,
];

function altering(version: number, name: string, changes: readonly string[]): Migration {
  return { version, name, statements: () => changes.map((change) => `alter table ${change}`) };
}
