import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { CONCURRENCY, fetchResult, PRICE_MICROS, runsOrders, serve, submit, tell } from './hand-made.mjs';

/**
 * Orders on BullMQ, as its documentation has it: the job id makes an order idempotent, the data keep the step that was
 * reached ("process step jobs"), attempts are repeated with a growing pause, and a stalled job is run again.
 */
const connection = { host: '127.0.0.1', port: Number(process.env.PEER_REDIS_PORT), maxRetriesPerRequest: null };
const redis = new Redis(connection);
const queue = new Queue('orders', {
  connection,
  defaultJobOptions: {
    attempts: 5,
    backoff: { type: 'exponential', delay: 1_000 },
    removeOnComplete: { age: 7 * 24 * 3_600 },
    removeOnFail: false,
  },
});
/** Accepted in one packet. */
const GROUP = 1_000;

await serve({ accept, find, fill });
if (runsOrders) {
  // The default lets a job stall once. Ten kills may meet one job several times.
  const worker = new Worker('orders', run, { connection, concurrency: CONCURRENCY, maxStalledCount: 10 });
  worker.on('error', (error) => console.error(error.message));
  worker.on('failed', (job) => {
    if (job !== undefined && job.attemptsMade >= job.opts.attempts) void tell(job.data, 'failed');
  });
}

async function accept(order) {
  await queue.add('order', order, { jobId: `order-${order.id}` });
}

async function find(id) {
  const job = await queue.getJob(`order-${id}`);
  if (job === undefined) return null;
  return { id, status: statusOf(job), prompt: job.data.prompt, file: job.returnvalue?.file ?? null };
}

/** From the job itself: `getState` walks the list of waiting jobs. */
function statusOf({ finishedOn, processedOn, returnvalue }) {
  if (finishedOn) return returnvalue ? 'succeeded' : 'failed';
  return processedOn ? 'processing' : 'queued';
}

async function fill(count) {
  const ids = [];
  for (let done = 0; done < count; done += GROUP) {
    const orders = Array.from({ length: GROUP }, () => ({ prompt: 'a red fox in the snow', id: crypto.randomUUID() }));
    await queue.addBulk(orders.map((data) => ({ name: 'order', data, opts: { jobId: `order-${data.id}` } })));
    ids.push(orders[0].id);
  }
  return ids;
}

async function run(job) {
  if (job.data.upstreamJob === undefined) await job.updateData({ ...job.data, upstreamJob: await submit(job.data) });
  const file = await fetchResult(job.data.id, job.data.upstreamJob);
  await redis.hsetnx('money', job.data.id, JSON.stringify({ amount: PRICE_MICROS, at: Date.now() }));
  await tell(job.data, 'succeeded');
  return { file };
}
