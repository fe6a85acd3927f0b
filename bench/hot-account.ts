import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createIdFactory, MICROS_PER_DOLLAR } from '@darkroom-service/contract';
import { createAccount } from '../src/accounts/accounts.ts';
import { issueKey } from '../src/accounts/api-keys.ts';
import type { Database } from '../src/database/database.ts';
import { type LoadAnswer, sendLoad } from './load.ts';
import { openScaleService, type ScaleProcess } from './scale-service.ts';
import { median, printTable } from './table.ts';

/**
 * What one busy account takes, beside the same orders from many: `node bench/hot-account.ts`. All of them have a credit
 * limit and their keys spend limits, so that each order reads and writes the balance and the counters of its account.
 * Orders of both kinds come in turns to the same processes.
 */
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
  },
});
const ACCOUNTS = 64;
const CONNECTIONS = 64;
const MUCH = 1_000_000 * MICROS_PER_DOLLAR;
const GIVES_UP_AFTER_MS = 120_000;

const SETUPS = [
  { name: 'sqlite: all', kind: 'sqlite', roles: ['all'] },
  { name: 'postgres: api, worker', kind: 'postgres', roles: ['api', 'worker'] },
  { name: 'postgres: 2 api', kind: 'postgres', roles: ['api', 'api'] },
  { name: 'postgres: 2 api, worker', kind: 'postgres', roles: ['api', 'api', 'worker'] },
] as const;

interface Rates {
  readonly created: number;
  /** From the first create until all orders are settled. */
  readonly settled: number | null;
  readonly p99: number;
}

const rows: string[][] = [];
for (const setup of SETUPS) {
  if (!setup.name.includes(options.only)) continue;
  console.error(`measuring: ${setup.name}`);
  const service = await openScaleService(setup.kind);
  try {
    const keys = await issueKeys(service.database);
    const processes: ScaleProcess[] = [];
    for (const role of setup.roles) processes.push(await service.start(role));
    const apis = processes.filter((_, place) => setup.roles[place] !== 'worker').map(({ url }) => url);
    const settles = setup.roles.some((role) => role !== 'api');
    const rates: { one: Rates; many: Rates }[] = [];
    for (let round = -1; round < Number(options.rounds); round++) {
      const seconds = round < 0 ? 1 : Number(options.seconds);
      const measure = (used: readonly string[]) =>
        measureRound(service.database, apis, { keys: used, seconds, settles });
      // Whoever comes second finds larger tables.
      const isFirst = round % 2 === 0;
      const first = await measure(isFirst ? keys.slice(0, 1) : keys);
      const second = await measure(isFirst ? keys : keys.slice(0, 1));
      if (round >= 0) rates.push(isFirst ? { one: first, many: second } : { one: second, many: first });
    }
    rows.push([setup.name, ...columnsOf(rates)]);
  } finally {
    await service.close();
  }
}
printTable(
  `Orders a second of one account, and of ${ACCOUNTS} (${options.rounds} rounds of ${options.seconds} s each)`,
  ['processes', 'one: created', 'many', 'one of many', 'one: p99', 'many: p99', 'one: settled', 'many', 'one of many'],
  rows,
);

async function issueKeys(database: Database): Promise<string[]> {
  const by = { actor: 'bench', now: Date.now(), createId: createIdFactory(() => Date.now()) };
  const keys: string[] = [];
  for (let place = 0; place < ACCOUNTS; place++) {
    const id = `busy-${place}`;
    await createAccount(database, by, { id, name: id, creditLimit: MUCH });
    const { key } = await issueKey(database, by, {
      mode: 'live',
      accountId: id,
      queueLimit: 1_000_000,
      readsPerMinute: 0,
      spendLimits: { day: MUCH, month: MUCH, total: MUCH },
    });
    keys.push(key);
  }
  return keys;
}

async function measureRound(
  database: Database,
  urls: readonly string[],
  { keys, seconds, settles }: { readonly keys: readonly string[]; readonly seconds: number; readonly settles: boolean },
): Promise<Rates> {
  const before = await countTasks(database);
  const began = performance.now();
  const answers = await Promise.all(
    urls.map((url) => order(url, keys, { seconds, connections: CONNECTIONS / urls.length })),
  );
  const created = answers.reduce((total, { answered, seconds: took }) => total + answered / took, 0);
  const { all } = await countTasks(database);
  if (settles) await untilSettled(database, all);
  const took = (performance.now() - began) / 1_000;
  return {
    created,
    settled: settles ? (all - before.all) / took : null,
    p99: Math.max(...answers.map(({ p99 }) => p99)),
  };
}

function order(
  url: string,
  keys: readonly string[],
  { seconds, connections }: { readonly seconds: number; readonly connections: number },
): Promise<LoadAnswer> {
  return sendLoad({
    url,
    method: 'POST',
    paths: ['/v1/images'],
    headers: { 'content-type': 'application/json' },
    keys,
    body: JSON.stringify({ model_id: 'bench-idle', prompt: 'a red fox in the snow' }),
    idempotent: true,
    expected: 200,
    connections,
    seconds,
  });
}

async function countTasks({ read }: Database): Promise<{ all: number; settled: number }> {
  const counts = await read.all(
    read.builder
      .selectFrom('tasks')
      .select((expression) => ['step', expression.fn.countAll<number>().as('count')])
      .groupBy('step'),
  );
  const sum = (some: typeof counts) => some.reduce((total, { count }) => total + count, 0);
  return { all: sum(counts), settled: sum(counts.filter(({ step }) => step === 'final')) };
}

async function untilSettled(database: Database, all: number): Promise<void> {
  for (const end = performance.now() + GIVES_UP_AFTER_MS; ; await sleep(50)) {
    const { settled } = await countTasks(database);
    if (settled >= all) return;
    if (performance.now() > end) throw new Error(`${settled} of ${all} tasks were settled within two minutes`);
  }
}

function columnsOf(rates: readonly { readonly one: Rates; readonly many: Rates }[]): string[] {
  const created = (of: 'one' | 'many') => median(rates.map((round) => round[of].created)).toFixed(0);
  const p99 = (of: 'one' | 'many') => `${median(rates.map((round) => round[of].p99)).toFixed(0)} ms`;
  const settled = (of: 'one' | 'many') => {
    const known = rates.flatMap((round) => round[of].settled ?? []);
    return known.length === 0 ? '–' : median(known).toFixed(0);
  };
  const ratio = (ratios: readonly number[]) => (ratios.length === 0 ? '–' : `${Math.round(median(ratios) * 100)} %`);
  return [
    created('one'),
    created('many'),
    ratio(rates.map(({ one, many }) => one.created / many.created)),
    p99('one'),
    p99('many'),
    settled('one'),
    settled('many'),
    ratio(rates.flatMap(({ one, many }) => (one.settled === null ? [] : one.settled / (many.settled ?? 1)))),
  ];
}
