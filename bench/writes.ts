import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Compilable, type RawBuilder, sql } from 'kysely';
import type { Database } from '../src/database/database.ts';
import { openScaleService, type ScaleService } from './scale-service.ts';
import { heading, printTable } from './table.ts';

/**
 * What an order writes, from create to settled: `node bench/writes.ts [--orders 1000] [--only postgres,polled]`. Orders
 * that are done at once, and orders of an upstream that works for nine seconds and tells its progress at every check.
 */
const { values: options } = parseArgs({
  options: { orders: { type: 'string', default: '1000' }, only: { type: 'string', default: '' } },
});
const ORDERS = Number(options.orders);
const AT_ONCE = 32;
const GIVES_UP_AFTER_MS = 300_000;
const KINDS = { postgres: ['api', 'worker'], sqlite: ['all'] } as const;
const LOADS = { 'done at once': 'bench-idle', polled: 'bench-polled' } as const;

interface Written {
  /** PostgreSQL: of the write-ahead log; SQLite: what its process wrote to files and connections. */
  readonly bytes: number;
  readonly pageImages: number;
  readonly tables: ReadonlyMap<string, Changes>;
}

interface Changes {
  readonly inserted: number;
  readonly updated: number;
  readonly hot: number;
  readonly deleted: number;
}

heading(`${new Date().toISOString()}, Node ${process.version}, ${ORDERS} orders each`);
const rows: string[][] = [];
for (const [kind, roles] of Object.entries(KINDS) as [keyof typeof KINDS, readonly ('api' | 'worker' | 'all')[]][]) {
  for (const [load, model] of Object.entries(LOADS)) {
    if (options.only !== '' && !options.only.split(',').every((word) => `${kind} ${load}`.includes(word))) continue;
    const service = await openScaleService(kind);
    try {
      rows.push([kind, load, ...(await measure(service, kind, roles, model))]);
    } finally {
      await service.close();
    }
  }
}
printTable(
  'Writes of an order',
  ['database', 'orders', 'a second', 'KB', 'of it page images', 'updates of its row', 'HOT', 'other changes'],
  rows,
);

async function measure(
  service: ScaleService,
  kind: Database['kind'],
  roles: readonly ('api' | 'worker' | 'all')[],
  model: string,
): Promise<string[]> {
  const { database } = service;
  const processes = [];
  for (const role of roles) processes.push(await service.start(role));
  const url = processes[0]?.url ?? '';
  await orderAll(url, service.key, model, 20);
  await untilSettled(database, 20);
  const pids = processes.map(({ pid }) => pid);
  // A page that is written for the first time after a checkpoint is written as a whole.
  if (kind === 'postgres') await database.read.run(raw(database, sql`checkpoint`));
  const before = await readWritten(database, pids);
  const begun = performance.now();
  await orderAll(url, service.key, model, ORDERS);
  await untilSettled(database, 20 + ORDERS);
  const seconds = (performance.now() - begun) / 1000;
  // The server counts what a connection did only some seconds later, unless the connection ends.
  const after = kind === 'sqlite' ? await readWritten(database, pids) : null;
  for (const process of processes) await process.stop();
  const written = after ?? (await readWritten(database, []));
  const kilobytes = (written.bytes - before.bytes) / ORDERS / 1024;
  const cells = [(ORDERS / seconds).toFixed(0), kilobytes.toFixed(1)];
  if (kind === 'sqlite') return [...cells, '', '', '', ''];
  const pages = ((written.pageImages - before.pageImages) * 8) / ORDERS;
  const changes = [...written.tables].map(([table, now]) => ({ table, ...since(now, before.tables.get(table)) }));
  const task = changes.find(({ table }) => table === 'tasks');
  const others = changes
    .filter(({ table }) => table !== 'tasks')
    .map(({ table, inserted, updated, hot, deleted }) => ({
      text: `${table} ${perOrder(inserted)}/${perOrder(updated)} (${perOrder(hot)})/${perOrder(deleted)}`,
      all: inserted + updated + deleted,
    }))
    .filter(({ all }) => all > ORDERS / 20)
    .map(({ text }) => text);
  return [
    ...cells,
    `${pages.toFixed(1)} KB`,
    perOrder(task?.updated ?? 0),
    `${((100 * (task?.hot ?? 0)) / (task?.updated || 1)).toFixed(1)} %`,
    others.join(', '),
  ];
}

async function orderAll(url: string, key: string, model: string, count: number): Promise<void> {
  let left = count;
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ model_id: model, prompt: 'a red fox in the snow' });
  const client = async () => {
    while (left-- > 0) {
      const own = { ...headers, 'idempotency-key': crypto.randomUUID() };
      const response = await fetch(`${url}/v1/images`, { method: 'POST', headers: own, body });
      if (response.status !== 201) throw new Error(`${response.status}: ${await response.text()}`);
      await response.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
}

async function untilSettled({ read }: Database, all: number): Promise<void> {
  const count = read.builder.selectFrom('tasks').select((expression) => expression.fn.countAll<number>().as('count'));
  for (const end = performance.now() + GIVES_UP_AFTER_MS; ; await sleep(100)) {
    const settled = (await read.first(count.where('step', '=', 'final')))?.count ?? 0;
    if (settled >= all) return;
    if (performance.now() > end) throw new Error(`${settled} of ${all} tasks were settled within five minutes`);
  }
}

async function readWritten(database: Database, pids: readonly number[]): Promise<Written> {
  if (database.kind === 'sqlite') {
    const texts = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/io`, 'utf8')));
    const bytes = texts.reduce((sum, text) => sum + Number(/^wchar: (\d+)/m.exec(text)?.[1] ?? 0), 0);
    return { bytes, pageImages: 0, tables: new Map() };
  }
  const { read } = database;
  const log = await read.all(
    raw<{ bytes: number; images: number }>(
      database,
      sql`select (pg_current_wal_lsn() - '0/0')::bigint as bytes, (select wal_fpi from pg_stat_wal) as images`,
    ),
  );
  const tables = await read.all(
    raw<Changes & { name: string }>(
      database,
      sql`select relname as name, n_tup_ins as inserted, n_tup_upd as updated, n_tup_hot_upd as hot,
          n_tup_del as deleted from pg_stat_user_tables`,
    ),
  );
  return {
    bytes: Number(log[0]?.bytes),
    pageImages: Number(log[0]?.images),
    tables: new Map(tables.map(({ name, ...changes }) => [name, changes])),
  };
}

function since(now: Changes, before: Changes | undefined): Changes {
  const less = (field: keyof Changes) => Number(now[field]) - Number(before?.[field] ?? 0);
  return { inserted: less('inserted'), updated: less('updated'), hot: less('hot'), deleted: less('deleted') };
}

function perOrder(changes: number): string {
  return (changes / ORDERS).toFixed(1);
}

function raw<R>({ read }: Database, query: RawBuilder<R>): Compilable<R> {
  return { compile: () => query.compile(read.builder) } as Compilable<R>;
}
