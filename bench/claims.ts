import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { Client } from 'pg';
import type { Database, Transaction } from '../src/database/database.ts';
import { insertTask } from '../src/orders/draft-task.ts';
import type { TaskRow } from '../src/record/task.ts';
import { claimDue, claimWaiting, createClaimer } from '../src/worker/claim-tasks.ts';
import { advanceClock } from '../src/worker/queue-clocks.ts';
import { copyTask } from '../test/helpers/copy-task.ts';
import { openPostgres } from '../test/helpers/open-postgres.ts';
import { type LoadAnswer, sendLoad } from './load.ts';
import { openScaleService, type ScaleService } from './scale-service.ts';
import { median, printTable } from './table.ts';

/**
 * How many processes claim from one queue at once: `node bench/claims.ts`. Eight claimers, each with its own
 * connections to one PostgreSQL, in turns: as the service claims; the bare statements with `skip locked` on eight
 * queues that have nothing to do with each other, and on one; and all claims of a queue one after the other, by a lock
 * until the commit. Meanwhile an API process takes orders for another queue.
 */
const { values: options } = parseArgs({
  options: {
    claimers: { type: 'string', default: '8' },
    orders: { type: 'string', default: '8' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '4' },
    backlog: { type: 'string', default: '24000' },
  },
});
const CLAIMERS = Number(options.claimers);
const ORDERS = Number(options.orders);
const SECONDS = Number(options.seconds);
const BACKLOG = Number(options.backlog);
const CONNECTIONS = 4;
const SAMPLE_MS = 5;
const CAPACITY = 1_000_000;

/** Claims once for a claimer from the queue that it is given. @returns the claimed orders */
type ClaimOnce = (queue: string) => Promise<number>;
interface Way {
  readonly name: string;
  /** Whether each claimer has a queue of its own. */
  readonly apart: boolean;
  readonly open: (database: Database, worker: string) => ClaimOnce;
}

const WAYS: readonly Way[] = [
  {
    name: 'one queue, as the service claims',
    apart: false,
    open(database, worker) {
      const claimer = createClaimer(database, worker);
      return async (name) => {
        const { tasks, isBusy } = await claimer.claim({ queues: [{ name, capacity: CAPACITY }], limit: ORDERS });
        // As the runner does.
        if (tasks.length === 0 && isBusy) await sleep(10 + Math.random() * 10);
        return tasks.length;
      };
    },
  },
  {
    name: 'unrelated queues, bare `skip locked`',
    apart: true,
    open: (database, worker) => (queue) =>
      database.write('bench_claim', async (trx) => (await claimBare(trx, queue, worker)).length),
  },
  {
    name: 'one queue, bare `skip locked`',
    apart: false,
    open: (database, worker) => (queue) =>
      database.write('bench_claim', async (trx) => (await claimBare(trx, queue, worker)).length),
  },
  {
    name: 'one queue, one lock until the commit',
    apart: false,
    open: (database, worker) => (queue) =>
      database.write('bench_claim', async (trx) => {
        await trx.lock(`queue:${queue}`);
        const rows = await claimBare(trx, queue, worker);
        if (rows.length > 0) trx.send(advanceClock, { queue, rank: rows[rows.length - 1]!.rank });
        return rows.length;
      }),
  },
];

interface Figures {
  readonly ordersASecond: number;
  /** The part of the claimers' time in which they waited for a lock. */
  readonly lockWaits: number;
  readonly creates: LoadAnswer;
}

const service = await openScaleService('postgres');
try {
  const api = await service.start('api');
  await create(api.url, 1);
  const pattern = await firstTask(service.database);
  const figures = new Map(WAYS.map(({ name }) => [name, [] as Figures[]]));
  const alone: LoadAnswer[] = [];
  for (let round = 0; round < Number(options.rounds); round++) {
    alone.push(await create(api.url, SECONDS));
    const order = round % 2 === 0 ? WAYS : WAYS.toReversed();
    for (const way of order) figures.get(way.name)?.push(await measure(way, service, api.url, pattern));
  }
  const rate = (name: string) => median((figures.get(name) ?? []).map(({ ordersASecond }) => ordersASecond));
  // Of the same round: on a shared machine rounds differ more than ways.
  const unrelated = (figures.get(WAYS[1]?.name ?? '') ?? []).map(({ ordersASecond }) => ordersASecond);
  const rows = WAYS.map(({ name }) => {
    const all = figures.get(name) ?? [];
    return [
      name,
      rate(name).toFixed(0),
      median(all.map(({ ordersASecond }, round) => ordersASecond / (unrelated[round] ?? 1))).toFixed(2),
      `${(100 * median(all.map(({ lockWaits }) => lockWaits))).toFixed(1)} %`,
      median(all.map(({ creates }) => creates.answered / creates.seconds)).toFixed(0),
      `${median(all.map(({ creates }) => creates.p99))} ms`,
    ];
  });
  const idle = ['no claims', '', '', '', median(alone.map((answer) => answer.answered / answer.seconds)).toFixed(0)];
  rows.push([...idle, `${median(alone.map(({ p99 }) => p99))} ms`]);
  printTable(
    `Orders claimed a second by ${CLAIMERS} claimers, ${ORDERS} a claim (${options.rounds} rounds of ${SECONDS} s)`,
    ['', 'orders a second', 'of unrelated', 'waits for locks', 'creates a second', 'creates p99'],
    rows,
  );
} finally {
  await service.close();
}

async function measure(way: Way, { database, url }: ScaleService, api: string, pattern: TaskRow): Promise<Figures> {
  if (url === null) throw new Error('a PostgreSQL database is expected');
  const queues = Array.from({ length: way.apart ? CLAIMERS : 1 }, (_, place) => `bench-claims-${place}`);
  await database.write('bench_fill', async (trx) => {
    await trx.run(trx.builder.deleteFrom('claim_permits'));
    await trx.run({ compile: () => sql`truncate tasks`.compile(trx.builder) } as never);
    insertTask(trx, { ...pattern, queue: 'bench-pattern' });
  });
  for (const [place, queue] of queues.entries()) {
    await copyTask(database, pattern.id, {
      count: BACKLOG / queues.length,
      changes: {
        id: sql`'img_' || ${sql.lit(place)} || lpad(cast(i as text), 25, '0')`,
        rank: sql`i / 8`,
        queue: sql`${queue}`,
      },
    });
  }
  const statements = new Client({ connectionString: url });
  await statements.connect();
  await statements.query('vacuum analyze tasks');
  const handles = await Promise.all(Array.from({ length: CLAIMERS }, () => openPostgres({ url, listen: false })));
  let claimed = 0;
  let [samples, waits] = [0, 0];
  const creating = create(api, SECONDS);
  // The load needs a moment to start.
  await sleep(300);
  const begun = performance.now();
  const isOver = () => performance.now() - begun > SECONDS * 1_000 - 600;
  await Promise.all([
    ...handles.map(async (handle, place) => {
      const claim = way.open(handle, `w${place}`);
      while (!isOver()) claimed += await claim(queues[place % queues.length]!);
    }),
    (async () => {
      for (; !isOver(); await sleep(SAMPLE_MS)) {
        const { rows } = await statements.query(`select count(*) as waits from pg_stat_activity
          where datname = current_database() and application_name = 'darkroom write' and wait_event_type = 'Lock'`);
        samples++;
        waits += Number(rows[0].waits);
      }
    })(),
  ]);
  const seconds = (performance.now() - begun) / 1_000;
  const creates = await creating;
  for (const handle of handles) await handle.close();
  await statements.end();
  if (claimed >= BACKLOG) throw new Error(`all ${BACKLOG} orders were claimed before the end: pass a larger --backlog`);
  return { ordersASecond: claimed / seconds, lockWaits: waits / samples / CLAIMERS, creates };
}

async function claimBare(trx: Transaction, queue: string, worker: string): Promise<TaskRow[]> {
  await trx.all(claimDue(trx), { worker, limit: ORDERS });
  return await trx.all(claimWaiting(trx), { queue, worker, limit: ORDERS });
}

async function create(url: string, seconds: number): Promise<LoadAnswer> {
  return await sendLoad({
    url,
    method: 'POST',
    paths: ['/v1/images'],
    headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model_id: 'bench-idle', prompt: 'a red fox in the snow' }),
    idempotent: true,
    expected: 200,
    connections: CONNECTIONS,
    seconds,
  });
}

async function firstTask({ read }: Database): Promise<TaskRow> {
  const row = await read.first(read.builder.selectFrom('tasks').selectAll().limit(1));
  if (row === undefined) throw new Error('no order was placed');
  return row;
}
