import { readBalances } from '@darkroom-service/addition-common/upstream-balances';
import { formatMicros, isoTime, sleep } from '@darkroom-service/contract';
import type { Kernel } from '@darkroom-service/darkroom/kernel';
import { wordsOf } from '@darkroom-service/darkroom/kernel-views';
import { sql } from 'kysely';
import type { AlertKind, Condition } from './condition.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Duration from which on an outage is a condition: upstreams fail for seconds every day. */
const OUTAGE_AFTER_MS = 2 * MINUTE_MS;
const MOST_ENGINES = 1_000;
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
  { what: 'balances', kinds: ['upstream_balance_low'], find: lowBalances },
];

/** Findings of one watch, or the reason why it failed. */
export type Sight = Pick<Watch, 'what' | 'kinds'> &
  ({ readonly found: readonly Condition[] } | { readonly reason: string });

/** Finds the conditions of the whole service, from live orders only. */
export async function findConditions(
  watched: Watched,
  now: number,
  limits: ConditionLimits,
  watches: readonly Watch[] = [...WATCHES, ...watched.checks.parts.map(watchOf)],
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

/** Watches a part that the core looks at. Its problems are conditions. */
function watchOf({ what, kinds, look }: Kernel['checks']['parts'][number]): Watch {
  return {
    what,
    kinds,
    find: async () => (await look()).map(({ kind, subject, found }) => ({ kind, subject, summary: found })),
  };
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
