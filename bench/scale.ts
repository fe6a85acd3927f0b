import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../src/database/database.ts';
import { type LoadOrder, sendLoad } from './load.ts';
import { measureListeners } from './measure-listeners.ts';
import { openScaleService, type ScaleService } from './scale-service.ts';
import { median, printTable } from './table.ts';

const CONNECTIONS = 64;
const SECONDS = 4;
const BACKLOG = 4_000;
const SLOW_TASKS = 10_000;
const AT_REST = 40;
/** A machine that is too slow for a part is told so, and does not hang. */
const GIVES_UP_AFTER_MS = 300_000;

/**
 * Measures the service with many processes: `npm run bench -- --scale`. Engines cost nothing, so that only the
 * service's own work counts.
 * @param only words of the titles of those parts that are wanted; empty = all.
 */
export async function measureScale(only = ''): Promise<void> {
  for (const [title, measure] of PARTS) {
    if (!title.includes(only)) continue;
    console.error(`measuring: ${title}`);
    await measure(title);
  }
}

const PARTS: readonly [string, (title: string) => Promise<void>][] = [
  ['Requests a second on PostgreSQL, by API processes', measureRequests],
  ['Tasks a second from a backlog to settled on PostgreSQL, by workers', measureWorkers],
  ['Tasks a second from create to settled, while orders come in', measureThrough],
  [`${SLOW_TASKS} tasks in flight at a slow upstream, one worker on PostgreSQL`, measureInFlight],
  ['From create to the engine at rest', measureWakeUp],
  ['1,000 listening clients on one process', measureListening],
];

async function on(kind: 'sqlite' | 'postgres', measure: (service: ScaleService) => Promise<void>): Promise<void> {
  const service = await openScaleService(kind);
  try {
    await measure(service);
  } finally {
    await service.close();
  }
}

function creates(url: string, key: string, model: string, seconds: number): LoadOrder {
  return {
    url,
    method: 'POST',
    paths: ['/v1/images'],
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model_id: model, prompt: 'a red fox in the snow' }),
    idempotent: true,
    expected: 200,
    connections: CONNECTIONS,
    seconds,
  };
}

async function measureRequests(title: string): Promise<void> {
  const rows: string[][] = [];
  await on('postgres', async (service) => {
    const processes = [await service.start('api'), await service.start('api'), await service.start('api')];
    const [first] = processes;
    if (first === undefined) return;
    await sendLoad(creates(first.url, service.key, 'bench-idle', 1));
    const [task] = await service.database.read.all(
      service.database.read.builder.selectFrom('tasks').select('id').limit(1),
    );
    const read = (url: string, path: string): LoadOrder => ({
      ...creates(url, service.key, 'bench-idle', SECONDS),
      method: 'GET',
      paths: [path],
      body: null,
      idempotent: false,
    });
    const loads: [string, (url: string) => LoadOrder][] = [
      ['create', (url) => creates(url, service.key, 'bench-idle', SECONDS)],
      ['retrieve', (url) => read(url, `/v1/images/${task?.id}`)],
      ['list 20', (url) => read(url, '/v1/images?limit=20')],
    ];
    for (const [name, order] of loads) {
      for (const count of [1, 3]) {
        const used = processes.slice(0, count);
        const answers = await Promise.all(
          used.map(({ url }) => sendLoad({ ...order(url), connections: Math.ceil(CONNECTIONS / count) })),
        );
        const perSecond = answers.reduce((total, { answered, seconds }) => total + answered / seconds, 0);
        const p99 = Math.max(...answers.map((answer) => answer.p99));
        rows.push([name, String(count), perSecond.toFixed(0), `${p99} ms`]);
      }
    }
  });
  printTable(title, ['load', 'processes', 'a second', 'p99'], rows);
}

async function measureWorkers(title: string): Promise<void> {
  const rows: string[][] = [];
  for (const count of [1, 3, 6]) {
    await on('postgres', async (service) => {
      const api = await service.start('api');
      while ((await countTasks(service.database)).all < BACKLOG)
        await sendLoad(creates(api.url, service.key, 'bench-idle', 1));
      await api.stop();
      const { all } = await countTasks(service.database);
      await Promise.all(Array.from({ length: count }, () => service.start('worker')));
      const begun = { at: performance.now(), settled: (await countTasks(service.database)).settled };
      await untilSettled(service.database, all);
      const seconds = (performance.now() - begun.at) / 1_000;
      rows.push([String(count), String(all), ((all - begun.settled) / seconds).toFixed(0)]);
    });
  }
  printTable(title, ['workers', 'tasks', 'a second'], rows);
}

async function measureThrough(title: string): Promise<void> {
  const rows: string[][] = [];
  for (const [kind, roles] of [
    ['sqlite', ['all']],
    ['postgres', ['api', 'worker']],
  ] as const) {
    await on(kind, async (service) => {
      const processes = [];
      for (const role of roles) processes.push(await service.start(role));
      const url = processes[0]?.url ?? '';
      await sendLoad(creates(url, service.key, 'bench-idle', 1));
      await untilSettled(service.database, (await countTasks(service.database)).all);
      const before = await countTasks(service.database);
      const begun = performance.now();
      await sendLoad(creates(url, service.key, 'bench-idle', SECONDS));
      const { all } = await countTasks(service.database);
      await untilSettled(service.database, all);
      const seconds = (performance.now() - begun) / 1_000;
      rows.push([kind, roles.join(', '), ((all - before.all) / seconds).toFixed(0)]);
    });
  }
  printTable(title, ['database', 'processes', 'a second'], rows);
}

async function measureInFlight(title: string): Promise<void> {
  await on('postgres', async (service) => {
    const api = await service.start('api');
    while ((await countTasks(service.database)).all < SLOW_TASKS)
      await sendLoad(creates(api.url, service.key, 'bench-slow', 1));
    await api.stop();
    const worker = await service.start('worker');
    const { all } = await countTasks(service.database);
    let megabytes = 0;
    for (const end = performance.now() + GIVES_UP_AFTER_MS; performance.now() < end; ) {
      megabytes = Math.max(megabytes, (await worker.figures()).megabytes);
      if ((await countTasks(service.database)).settled === all) break;
      await sleep(500);
    }
    const { collected } = await worker.figures();
    const late = collected.filter(({ waitedMs, madeInMs }) => waitedMs > Math.max(2_000, madeInMs / 10));
    const waits = collected.map(({ waitedMs }) => waitedMs).sort((one, other) => one - other);
    printTable(
      title,
      ['', 'figure'],
      [
        ['tasks', String(all)],
        ['fetched within five minutes', String(collected.length)],
        ['most memory', `${megabytes} MB`],
        ['result fetched after it was ready, median', `${((waits[waits.length >> 1] ?? 0) / 1000).toFixed(2)} s`],
        ['the longest', `${((waits.at(-1) ?? 0) / 1000).toFixed(2)} s`],
        ['later than 2 s and a tenth of the time it took', String(late.length)],
      ],
    );
  });
}

async function measureWakeUp(title: string): Promise<void> {
  const rows: string[][] = [];
  for (const [kind, roles] of [
    ['sqlite', ['all']],
    ['postgres', ['api', 'worker']],
  ] as const) {
    await on(kind, async (service) => {
      const processes = [];
      for (const role of roles) processes.push(await service.start(role));
      const order = creates(processes[0]?.url ?? '', service.key, 'bench-idle', 0);
      for (let place = 0; place < AT_REST; place++) {
        const response = await fetch(`${order.url}/v1/images`, {
          method: 'POST',
          headers: order.headers,
          body: order.body,
        });
        await response.arrayBuffer();
        await sleep(150);
      }
      const { read } = service.database;
      const tasks = await read.all(read.builder.selectFrom('tasks').select(['created_at', 'started_at']).orderBy('id'));
      const waits = tasks.slice(5).map(({ created_at, started_at }) => (started_at ?? 0) - created_at);
      rows.push([kind, roles.join(', '), `${median(waits)} ms`, `${Math.max(...waits)} ms`]);
    });
  }
  printTable(title, ['database', 'processes', 'median', 'longest'], rows);
}

async function measureListening(title: string): Promise<void> {
  await on('postgres', async (service) => {
    const [api] = [await service.start('api'), await service.start('worker')];
    printTable(title, ['', 'figure'], await measureListeners(api.url, service.key));
  });
}

async function countTasks({ read }: Database): Promise<{ all: number; settled: number }> {
  const rows = await read.all(
    read.builder
      .selectFrom('tasks')
      .select((expression) => ['step', expression.fn.countAll<number>().as('count')])
      .groupBy('step'),
  );
  const sum = (counts: typeof rows) => counts.reduce((total, { count }) => total + count, 0);
  return { all: sum(rows), settled: sum(rows.filter(({ step }) => step === 'final')) };
}

async function untilSettled(database: Database, all: number): Promise<void> {
  for (const end = performance.now() + GIVES_UP_AFTER_MS; ; await sleep(50)) {
    const { settled } = await countTasks(database);
    if (settled >= all) return;
    if (performance.now() > end) throw new Error(`${settled} of ${all} tasks were settled within four minutes`);
  }
}
