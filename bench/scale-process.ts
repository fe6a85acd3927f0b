import type { Engine } from '@darkroom-service/engines';
import { limitHeapGrowth } from '../src/base/heap.ts';
import { createLog } from '../src/base/log.ts';
import { loadConfig } from '../test/helpers/load-config.ts';

/**
 * The service in a process of its own with engines that cost nothing, so that only its own work is measured: started by
 * `scale-service.ts`.
 */
export interface ScaleFigures {
  readonly megabytes: number;
  /**
   * How long each result of the slow engine waited until it was fetched, beside how long it took to be made;
   * milliseconds.
   */
  readonly collected: readonly { readonly waitedMs: number; readonly madeInMs: number }[];
}

/** What films take: from one minute to three. */
const SLOW_LEAST_MS = 60_000;
const SLOW_MOST_MS = 180_000;
const POLLED_MS = 9_000;

const collected: ScaleFigures['collected'][number][] = [];
const idle: Engine = {
  name: 'bench-idle',
  concurrency: 100_000,
  start: async () => ({ done: { outputs: [] } }),
  check: async () => ({ status: 'pending' }),
};
const slow: Engine = {
  name: 'bench-slow',
  concurrency: 100_000,
  async start() {
    const startedAt = Date.now();
    const readyAt = startedAt + SLOW_LEAST_MS + Math.random() * (SLOW_MOST_MS - SLOW_LEAST_MS);
    return { operation: { startedAt, readyAt } };
  },
  async check(operation) {
    const { startedAt, readyAt } = operation as { startedAt: number; readyAt: number };
    const now = Date.now();
    if (now < readyAt) return { status: 'pending' };
    collected.push({ waitedMs: now - readyAt, madeInMs: readyAt - startedAt });
    return { status: 'succeeded', delivery: { outputs: [] } };
  },
};
/** Tells at every check how far it has come. */
const polled: Engine = {
  name: 'bench-polled',
  concurrency: 100_000,
  start: async () => ({ operation: { startedAt: Date.now() } }),
  async check(operation) {
    const { startedAt } = operation as { startedAt: number };
    const part = (Date.now() - startedAt) / POLLED_MS;
    if (part >= 1) return { status: 'succeeded', delivery: { outputs: [] } };
    return { status: 'pending', progress: part * 100, estimatedSeconds: ((1 - part) * POLLED_MS) / 1000 };
  },
};
const quick: Engine = {
  name: 'bench-quick',
  concurrency: 100_000,
  start: async () => ({ operation: { readyAt: Date.now() + 2_000 }, checkAfterMs: 2_000 }),
  check: async () => ({ status: 'succeeded', delivery: { outputs: [] } }),
};

const loaded = loadConfig(JSON.parse(process.argv[2] ?? '{}') as Record<string, string>);
const config = { ...loaded, budgets: { ...loaded.budgets, streams: 1_000 } };
const { startService } = await import('../src/service/service.ts');
const service = await startService(config, { log: createLog(config.logLevel), engines: [idle, slow, polled, quick] });
process.on('disconnect', () => process.exit(0));
process.on('SIGTERM', () => void service.stop({ now: true }).then(() => process.exit(0)));
process.on('message', () => {
  const figures: ScaleFigures = { megabytes: Math.round(process.memoryUsage().rss / 2 ** 20), collected };
  process.send?.(figures);
});
limitHeapGrowth();
process.send?.('ready');
