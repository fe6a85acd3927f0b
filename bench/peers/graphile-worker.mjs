import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import { Pool } from 'pg';
import { CONCURRENCY, fetchResult, PRICE_MICROS, runsOrders, serve, submit, tell } from './hand-made.mjs';

/**
 * Orders on Graphile Worker, as its documentation has it: the order and its job are entered by one statement, so that
 * there is never one without the other; the order's id is the job key; failed attempts are repeated with a growing
 * pause. Jobs are deleted when they are done, so the orders have a table.
 */
const connectionString = process.env.PEER_DATABASE;
const pool = new Pool({ connectionString, max: 10 });
pool.on('error', (error) => console.error(error.message));
const logger = new Logger(() => (level, message) => {
  if (level === 'error') console.error(message);
});
const utils = await makeWorkerUtils({ connectionString, logger });
await utils.migrate();
await pool.query(`
  create table if not exists orders (
    id text primary key, status text not null, prompt text not null, webhook_url text, upstream_job text, file text
  );
  create table if not exists money (order_id text primary key, amount bigint not null, at timestamptz not null default now())`);
const GROUP = 1_000;
const ACCEPT = `
  with accepted as (
    insert into orders (id, status, prompt, webhook_url) values ($1, 'queued', $2, $3) on conflict do nothing returning id
  )
  select graphile_worker.add_job('order', json_build_object('id', id), job_key := id, max_attempts := 10) from accepted`;
const SETTLE = `
  with paid as (insert into money (order_id, amount) values ($1, $2) on conflict do nothing)
  update orders set status = 'succeeded', file = $3 where id = $1`;

await serve({ accept, find, fill });
if (runsOrders) {
  await freeJobs();
  await run({
    connectionString,
    maxPoolSize: 10,
    logger,
    concurrency: CONCURRENCY,
    noHandleSignals: true,
    taskList: { order: runOrder },
  });
}

async function accept({ id, prompt, webhook_url }) {
  await pool.query({ name: 'accept', text: ACCEPT, values: [id, prompt, webhook_url] });
}

async function find(id) {
  const text = 'select id, status, prompt, file from orders where id = $1';
  return (await pool.query({ name: 'find', text, values: [id] })).rows[0] ?? null;
}

async function fill(count) {
  const ids = [];
  for (let done = 0; done < count; done += GROUP) {
    const { rows } = await pool.query(
      `insert into orders (id, status, prompt)
        select gen_random_uuid()::text, 'queued', 'a red fox in the snow' from generate_series(1, ${GROUP}) returning id`,
    );
    await utils.addJobs(rows.map(({ id }) => ({ identifier: 'order', payload: { id }, jobKey: id })));
    ids.push(rows[0].id);
  }
  return ids;
}

/** The jobs of a process that was killed stay locked for four hours otherwise. This is the only process. */
async function freeJobs() {
  const { rows } = await pool.query(
    'select distinct locked_by as id from graphile_worker.jobs where locked_by is not null',
  );
  await utils.forceUnlockWorkers(rows.map(({ id }) => id));
}

async function runOrder({ id }) {
  const { rows } = await pool.query('select * from orders where id = $1', [id]);
  const order = rows[0];
  if (order.upstream_job === null) {
    order.upstream_job = await submit(order);
    await pool.query('update orders set upstream_job = $2 where id = $1', [id, order.upstream_job]);
  }
  const file = await fetchResult(id, order.upstream_job);
  await pool.query(SETTLE, [id, PRICE_MICROS, file]);
  await tell(order, 'succeeded');
}
