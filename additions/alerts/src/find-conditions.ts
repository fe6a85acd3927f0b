import { readBalances } from '@darkroom-service/addition-common/upstream-balances';
import { formatMicros, isoTime, type ProcessView, sleep } from '@darkroom-service/contract';
import type { Kernel } from '@darkroom-service/darkroom/kernel';
import { wordsOf } from '@darkroom-service/darkroom/kernel-views';
import { sql } from 'kysely';
import type { AlertKind, Condition } from './condition.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Duration from which on an outage is a condition: upstreams fail for seconds every day. */
const OUTAGE_AFTER_MS = 2 * MINUTE_MS;
const MOST_ENGINES = 1_000;
/**
 * Lag of a standby from which on an alert begins: about 7,000 orders. A standby that keeps up lags by a thousandth of
 * it.
 */
const STANDBY_BYTES = 64 * 2 ** 20;
/** Timeout of reading the backlog: 200,000 orders take seconds. */
const PATIENCE_MS = 60_000;

export interface ConditionLimits {
  readonly waitingMs: number;
  /** The configured engines: valves of others stay shut for ever. */
  readonly engineNames: readonly string[];
  /** The balance at an upstream below which an alert begins, by engine. */
  readonly balances: Readonly<Record<string, number>>;
}

/** A part that is checked for all processes. If it fails, the others are still checked. */
interface Watch {
  /** Text for operators: "could not check …". */
  readonly what: string;
  readonly kinds: readonly AlertKind[];
  find(watched: Watched, now: number, limits: ConditionLimits): Promise<readonly Condition[]>;
}

interface Watched {
  readonly store: Pick<Kernel['store'], 'read' | 'reports'>;
  readonly engines: Pick<Kernel['engines'], 'ofQueue'>;
  readonly checks: Omit<Kernel['checks'], 'waits' | 'models' | 'routes' | 'isSold'>;
}

type Backlog = Awaited<ReturnType<Watched['checks']['backlog']>>;

const WATCHES: readonly Watch[] = [
  { what: 'circuits', kinds: ['circuit_open', 'upstream_credit'], find: shutValves },
  { what: 'open orders', kinds: ['unknown_outcomes', 'oldest_waiting'], find: ordersInTrouble },
  { what: 'margins', kinds: ['margin_below_zero'], find: belowZero },
  { what: 'prices', kinds: ['below_cost', 'unknown_cost'], find: costlyRoutes },
  { what: 'ends of models', kinds: ['model_ends'], find: endingRoutes },
  { what: 'balances', kinds: ['upstream_balance_low'], find: lowBalances },
  { what: 'processes', kinds: ['process_silent', 'process_apart'], find: processesInTrouble },
  { what: 'standbys', kinds: ['standby_behind', 'standby_asynchronous'], find: standbyConditions },
  { what: 'hold and sweep', kinds: ['held', 'sweep_stopped'], find: installationConditions },
];

/** Findings of one watch, or the reason why it failed. */
export type Sight = Pick<Watch, 'what' | 'kinds'> &
  ({ readonly found: readonly Condition[] } | { readonly reason: string });

/** Finds the conditions of the whole service, from live orders only. */
export async function findConditions(
  watched: Watched,
  now: number,
  limits: ConditionLimits,
  watches: readonly Watch[] = WATCHES,
): Promise<Sight[]> {
  return await Promise.all(
    watches.map(async ({ what, kinds, find }) => {
      try {
        return { what, kinds, found: await inTime(find(watched, now, limits)) };
      } catch (error) {
        return { what, kinds, reason: wordsOf(error) };
      }
    }),
  );
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  const patience = new AbortController();
  const late = sleep(PATIENCE_MS, { ref: false, signal: patience.signal }).then(() => {
    throw new Error(`no answer within ${PATIENCE_MS / 1000} s`);
  });
  late.catch(() => {});
  return await Promise.race([work, late]).finally(() => patience.abort());
}

async function ordersInTrouble(
  { checks, engines }: Watched,
  now: number,
  limits: ConditionLimits,
): Promise<Condition[]> {
  const { groups, unknown } = await checks.backlog();
  return [
    ...[...unknown].map(([engine, { count, money }]): Condition => {
      const orders = count === 1 ? 'order has' : 'orders have';
      const summary = `${count} live ${orders} an unknown outcome at ${engine} (${formatMicros(money)} USD).`;
      return { kind: 'unknown_outcomes', subject: engine, summary };
    }),
    ...waitTooLong(engines, groups, now, limits.waitingMs),
  ];
}

async function processesInTrouble({ checks }: Watched): Promise<Condition[]> {
  const processes = await checks.processes();
  const apart = processes
    // A process that has just started has not tried everything yet.
    .filter(({ started_at, heard_at }) => Date.parse(heard_at) - Date.parse(started_at) >= MINUTE_MS)
    .flatMap(({ role, host, faults, differences }): Condition[] => {
      if (faults.length === 0) return [];
      return [{ kind: 'process_apart', subject: `${role} at ${host}`, summary: [...faults, ...differences].join(' ') }];
    });
  return [...silentProcesses(processes), ...apart];
}

function silentProcesses(processes: readonly ProcessView[]): Condition[] {
  return processes.flatMap(({ missing, process_id: subject, role, host, heard_at: heardAt }): Condition[] => {
    if (!missing) return [];
    const summary = `The process ${subject} (${role} at ${host}) was last heard of at ${heardAt}; none of its role was started in its place.`;
    return [{ kind: 'process_silent', subject, summary }];
  });
}

async function standbyConditions({ checks }: Watched): Promise<Condition[]> {
  const { found: standbys, areAsynchronous, areExpected } = await checks.standbys();
  const names = standbys.map(({ name }) => name).join(', ');
  const asynchronous: Condition = {
    kind: 'standby_asynchronous',
    subject: '',
    summary: `The database has no synchronous standby (connected: ${names}). If one of them takes over, the latest orders may be lost.`,
  };
  const none: Condition = {
    kind: 'standby_asynchronous',
    subject: '',
    summary:
      'No standby of the database is connected, or the role may not see them (pg_monitor), although DARKROOM_DATABASE_URL names several servers. If the server fails now, nothing can take over.',
  };
  return [
    ...(standbys.length === 0 && areExpected ? [none] : []),
    ...(areAsynchronous ? [asynchronous] : []),
    ...standbys.flatMap(({ name: subject, bytes }): Condition[] => {
      if (bytes < STANDBY_BYTES) return [];
      const summary = `The standby ${subject} has not replayed the last ${Math.round(bytes / 2 ** 20)} MiB of the database's log.`;
      return [{ kind: 'standby_behind', subject, summary }];
    }),
  ];
}

async function installationConditions({ checks }: Watched): Promise<Condition[]> {
  const { held, sweep } = await checks.stops();
  return [
    ...(held === null ? [] : [{ kind: 'held', subject: '', summary: `Nothing is sent. ${held}` } as const]),
    ...(sweep === null ? [] : [{ kind: 'sweep_stopped', subject: '', summary: sweep } as const]),
  ];
}

async function lowBalances(
  { store }: Watched,
  _now: number,
  { engineNames, balances }: ConditionLimits,
): Promise<Condition[]> {
  return [...(await readBalances(store.read))].flatMap(([engine, { amount, unit, told_at }]): Condition[] => {
    const least = balances[engine];
    if (least === undefined || amount === null || !engineNames.includes(engine) || Number(amount) >= least) return [];
    const summary = `The account at ${engine} had ${amount} ${unit} left at ${told_at}, less than ${least}.`;
    return [{ kind: 'upstream_balance_low', subject: engine, summary }];
  });
}

async function shutValves({ checks }: Watched, now: number, { engineNames }: ConditionLimits): Promise<Condition[]> {
  return (await checks.outages()).flatMap(({ subject, engine, kind, fault, message, since, lasts }): Condition[] => {
    if (kind === 'not_loaded' || !engineNames.includes(engine)) return [];
    if (!lasts && now - since < OUTAGE_AFTER_MS) return [];
    const summary = `${subject} has received no orders since ${isoTime(since)} (${fault}: ${message}).`;
    return [{ kind: fault === 'billing' ? 'upstream_credit' : 'circuit_open', subject, summary }];
  });
}

function waitTooLong(
  engines: Watched['engines'],
  groups: Backlog['groups'],
  now: number,
  limitMs: number,
): Condition[] {
  return groups.flatMap(({ queue, step, oldestAt, tasks }): Condition[] => {
    const { engine, mode } = engines.ofQueue(queue);
    if (mode !== 'live' || step !== 'waiting' || now - oldestAt <= limitMs) return [];
    const minutes = Math.floor((now - oldestAt) / MINUTE_MS);
    const summary = `The oldest of ${tasks} live orders that wait for ${engine} has waited for ${minutes} minutes.`;
    return [{ kind: 'oldest_waiting', subject: engine, summary }];
  });
}

/**
 * Compares revenue and cost of the orders that ended within a day. Orders of unknown outcome have no known cost and are
 * left out: `unknown_outcomes` reports them.
 */
async function belowZero({ store: { reports } }: Watched, now: number): Promise<Condition[]> {
  const cost = sql<number>`coalesce(told, expected)`;
  const rows = await reports.all(
    reports.builder
      .selectFrom('task_costs')
      .select(['engine', ({ fn }) => fn.countAll<number>().as('orders')])
      .select(({ fn }) => [fn.sum<number>('charged').as('revenue'), fn.sum<number>(cost).as('cost')])
      .where('settled_at', '>=', now - DAY_MS)
      .where('outcome', '<>', 'unknown')
      .where(cost, 'is not', null)
      .groupBy('engine')
      .orderBy('engine')
      .limit(MOST_ENGINES),
  );
  return rows.flatMap(({ engine, orders, ...sums }): Condition[] => {
    const [revenue, cost] = [Number(sums.revenue), Number(sums.cost)];
    if (revenue >= cost) return [];
    const summary = `${orders} live orders of known cost at ${engine} within a day earned ${formatMicros(revenue)} USD and cost ${formatMicros(cost)} USD.`;
    return [{ kind: 'margin_below_zero', subject: engine, summary }];
  });
}

/** Reports costly routes. A route that costs more than its price and therefore gets no orders loses nothing. */
async function costlyRoutes({ checks }: Watched): Promise<Condition[]> {
  const { losses, unknown } = await checks.margins();
  return [
    ...losses
      .filter(({ isSold }) => isSold)
      .map(({ engine, words }): Condition => ({ kind: 'below_cost', subject: engine, summary: sentence(words) })),
    ...[...unknown].map(([subject, words]): Condition => ({ kind: 'unknown_cost', subject, summary: sentence(words) })),
  ];
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

async function endingRoutes({ checks }: Watched): Promise<Condition[]> {
  return checks
    .ends()
    .map(({ modelId, engine, words }) => ({ kind: 'model_ends', subject: `${modelId} at ${engine}`, summary: words }));
}
