import { Pool } from 'pg';
import { PgBoss } from 'pg-boss';
import { CONCURRENCY, fetchResult, PRICE_MICROS, runsOrders, serve, submit, tell } from './hand-made.mjs';

/**
 * Orders on pg-boss, as its documentation has it: the job's id makes an order idempotent, failed attempts are repeated
 * with a growing pause, and heartbeats find the jobs of a process that was killed. Beside the queue there is a table of
 * what was reached, and one of money.
 */
const connectionString = process.env.PEER_DATABASE;
const pool = new Pool({ connectionString, max: 10 });
await pool.query(`
  create table if not exists progress (id uuid primary key, upstream_job text not null, file text);
  create table if not exists money (order_id uuid primary key, amount bigint not null, at timestamptz not null default now())`);
const boss = new PgBoss({ connectionString, max: 10, monitorIntervalSeconds: 10, superviseIntervalSeconds: 10 });
boss.on('error', (error) => console.error(error.message));
await boss.start();
await boss.createQueue('orders', {
  ...{ retryLimit: 10, retryDelay: 1, retryBackoff: true, retryDelayMax: 10 },
  // The least that is possible: a killed process is noticed after ten seconds.
  heartbeatSeconds: 10,
});
const STATES = { completed: 'succeeded', failed: 'failed', cancelled: 'failed', active: 'processing' };
const GROUP = 1_000;

await serve({ accept, find, fill });
if (runsOrders)
  await boss.work('orders', { localConcurrency: CONCURRENCY, pollingIntervalSeconds: 0.5 }, async ([job]) => run(job));

async function accept({ id, ...data }) {
  await boss.send('orders', data, { id });
}

async function find(id) {
  const [job] = await boss.findJobs('orders', { id });
  if (job === undefined) return null;
  return { id, status: STATES[job.state] ?? 'queued', prompt: job.data.prompt, file: job.output?.file ?? null };
}

async function fill(count) {
  const ids = [];
  for (let done = 0; done < count; done += GROUP) {
    const jobs = Array.from({ length: GROUP }, () => ({ id: crypto.randomUUID(), data: { prompt: 'a red fox' } }));
    await boss.insert('orders', jobs);
    ids.push(jobs[0].id);
  }
  return ids;
}

async function run({ id, data }) {
  const { rows } = await pool.query('select upstream_job from progress where id = $1', [id]);
  const upstreamJob = rows[0]?.upstream_job ?? (await submit(data));
  if (rows.length === 0)
    await pool.query('insert into progress (id, upstream_job) values ($1, $2) on conflict do nothing', [
      id,
      upstreamJob,
    ]);
  const file = await fetchResult(id, upstreamJob);
  await pool.query('insert into money (order_id, amount) values ($1, $2) on conflict do nothing', [id, PRICE_MICROS]);
  await tell({ ...data, id }, 'succeeded');
  return { file };
}
