import { type Clock, MICROS_PER_DOLLAR, world } from '@darkroom-service/contract';
import type { Checks, Store } from '@darkroom-service/darkroom/kernel';
import { Gauge, type Registry } from 'prom-client';

/** Timeout of a scrape's database read, in milliseconds. */
const PATIENCE_MS = 1_000;
/** Pause after a read, in multiples of its duration. */
const REST_FACTOR = 10;
const REST_AT_LEAST_MS = 500;

type Backlog = Awaited<ReturnType<Checks['backlog']>>;

/**
 * Registers the metrics that are read from the database. A scrape starts a read and waits at most a second for it.
 * After that, and while the database cannot be reached, it gets the last known values with their age.
 */
export function registerBacklogMetrics(
  registry: Registry,
  store: Pick<Store, 'read'>,
  options: { readonly checks: Pick<Checks, 'backlog'>; readonly clock: Clock; readonly patienceMs?: number },
): void {
  const { checks, clock, patienceMs = PATIENCE_MS } = options;
  let known: { readonly backlog: Backlog; readonly at: number } | null = null;
  let up = true;
  let reading: Promise<void> | null = null;
  let restUntil = 0;
  let answered: Promise<void> | null = null;

  /** Returns the current backlog. The gauges of one scrape share one wait. */
  const current = async (): Promise<Backlog | null> => {
    answered ??= within(patienceMs, read()).finally(() => {
      answered = null;
    });
    await answered;
    return known?.backlog ?? null;
  };
  const read = (): Promise<void> => {
    if (reading !== null || world.monotonic() < restUntil) return reading ?? Promise.resolve();
    const began = world.monotonic();
    reading = readOnce().finally(() => {
      reading = null;
      restUntil = world.monotonic() + Math.max(REST_AT_LEAST_MS, REST_FACTOR * (world.monotonic() - began));
    });
    return reading;
  };
  async function readOnce(): Promise<void> {
    try {
      const backlog = await checks.backlog();
      known = { backlog, at: world.monotonic() };
    } catch {
      // Metrics and log already report the outage.
    }
  }
  async function ping(): Promise<void> {
    up = false;
    const answer = store.read.first(store.read.builder.selectFrom('schema_migrations').select('version').limit(1));
    await within(
      patienceMs,
      answer.then(
        () => {
          up = true;
        },
        () => {},
      ),
    );
  }
  const gauge = <Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    values: (backlog: Backlog) => readonly (readonly [Record<Label, string>, number])[],
  ) =>
    new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        const backlog = await current();
        if (backlog === null) return;
        this.reset();
        for (const [labels, value] of values(backlog)) this.set(labels, value);
      },
    });

  new Gauge({
    name: 'darkroom_database_up',
    help: '1 while the database answers this process within a second, 0 otherwise.',
    registers: [registry],
    async collect() {
      await ping();
      this.set(up ? 1 : 0);
    },
  });
  new Gauge({
    name: 'darkroom_backlog_age_seconds',
    help: 'How old the values are that were read from the database: queues, money, outcomes, work.',
    registers: [registry],
    async collect() {
      await current();
      this.set(known === null ? Number.POSITIVE_INFINITY : (world.monotonic() - known.at) / 1000);
    },
  });
  const secondsSince = (at: number) => Math.max(0, (clock.now() - at) / 1000);
  gauge(
    'darkroom_queue_tasks',
    'Tasks that are not final, by fair queue and step, over all processes.',
    ['queue', 'step'],
    (backlog) => backlog.groups.map(({ queue, step, tasks }) => [{ queue, step }, tasks]),
  );
  gauge(
    'darkroom_queue_oldest_seconds',
    'Age of the oldest task of a queue at a step, since its order. For an order that waited for others or for its batch: since it entered the queue.',
    ['queue', 'step'],
    (backlog) => backlog.groups.map(({ queue, step, oldestAt }) => [{ queue, step }, secondsSince(oldestAt)]),
  );
  const counts = (amounts: Backlog['held']) => [...amounts].map(([engine, { count }]) => [{ engine }, count] as const);
  const dollars = (amounts: Backlog['held']) =>
    [...amounts].map(([engine, { money }]) => [{ engine }, money / MICROS_PER_DOLLAR] as const);
  gauge(
    'darkroom_held_dollars',
    'Money held for live orders in the queues and at engines. Orders that wait for others or for their batch are not counted yet.',
    ['engine'],
    ({ held }) => dollars(held),
  );
  gauge(
    'darkroom_overdue_tasks',
    'Live orders that an engine has had past the soft deadline without progress.',
    ['engine'],
    ({ overdue }) => counts(overdue),
  );
  gauge(
    'darkroom_overdue_dollars',
    'What those orders cost: the engine may bill them and deliver nothing.',
    ['engine'],
    ({ overdue }) => dollars(overdue),
  );
  gauge(
    'darkroom_unknown_outcomes_open',
    'Live orders of unknown outcome that nobody has resolved.',
    ['engine'],
    ({ unknown }) => counts(unknown),
  );
  gauge('darkroom_unknown_outcomes_open_dollars', 'What those orders would have cost.', ['engine'], ({ unknown }) =>
    dollars(unknown),
  );
  gauge(
    'darkroom_reconciliation_open',
    'Live orders of unknown outcome, late results and broken outputs that nobody has resolved yet.',
    [],
    ({ toReconcile }) => [[{}, toReconcile]],
  );
  gauge(
    'darkroom_work_pending',
    'What waits to be done or is being done beside the orders, such as webhook deliveries, by kind; 10,000 at most.',
    ['kind'],
    ({ work }) => work.map(({ kind, pending }) => [{ kind }, pending]),
  );
  gauge('darkroom_work_oldest_seconds', 'Age of the oldest of them, 0 where there is none.', ['kind'], ({ work }) =>
    work.map(({ kind, oldestAt }) => [{ kind }, oldestAt === null ? 0 : secondsSince(oldestAt)]),
  );
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = world.setTimeout(resolve, ms);
  });
  await Promise.race([work, timeout]).finally(() => world.clearTimeout(timer));
}
