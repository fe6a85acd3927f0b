import { sql } from 'kysely';
import { windowStart } from '../accounts/spend-windows.ts';
import type { Micros } from '../base/money.ts';
import type { Session } from '../database/database.ts';
import { IN_FLIGHT } from '../tasks/in-flight.ts';
import { liveQueueOf, partsOf } from '../tasks/queue-names.ts';

/** What the live orders of an instance cost its operator. */
export interface InstanceSpend {
  readonly day: Micros;
  readonly month: Micros;
}

/** Younger entries may be committed in another order than that of their times and numbers, so they are read again. */
const SETTLED_AFTER_MS = 120_000;
const DAY_MS = 86_400_000;
const ENTRIES_AT_ONCE = 5_000;

type Sums = Map<string, { day: Micros; month: Micros }>;
interface Part {
  readonly engine: string;
  readonly amount: Micros;
}

/**
 * Sums what the orders of some instances cost in this UTC day and month, by the time of their end: what the upstream
 * told, or else what the catalog expects, or else the order's own price. Orders that are submitted and have not ended
 * count with their price. Sums of settled orders are kept, so that each is read once.
 */
export function createInstanceSpend(engines: readonly string[]): {
  /** @param now by the clock of the services */
  read(session: Session, now: number): Promise<ReadonlyMap<string, InstanceSpend>>;
} {
  const queues = engines.map(liveQueueOf);
  let month = -1;
  let day = -1;
  let kept: Sums = new Map();
  let costsFrom = 0;
  let entriesFrom = 0;

  async function read(session: Session, now: number) {
    const monthStart = windowStart('month', now);
    const dayStart = windowStart('day', now);
    if (monthStart !== month) {
      month = monthStart;
      day = dayStart;
      kept = new Map();
      costsFrom = monthStart;
      entriesFrom = await firstEntryAt(session, monthStart);
    }
    if (dayStart !== day) {
      day = dayStart;
      for (const sum of kept.values()) sum.day = 0;
    }
    await keepCosts(session, now - SETTLED_AFTER_MS);
    await keepEntries(session, now - SETTLED_AFTER_MS);
    const sums: Sums = new Map([...kept].map(([engine, sum]) => [engine, { ...sum }]));
    for (const from of new Set([monthStart, dayStart])) {
      const young = [
        ...(await costsBetween(session, Math.max(from, costsFrom), Number.MAX_SAFE_INTEGER)),
        ...(await entriesFromId(session, entriesFrom, from)),
      ];
      for (const part of young) add(sums, part, { isDay: from === dayStart, isMonth: from === monthStart });
    }
    for (const part of await inFlight(session)) add(sums, part, { isDay: true, isMonth: true });
    return sums;
  }

  /** Day by day, so that no statement reads a whole month. */
  async function keepCosts(session: Session, until: number): Promise<void> {
    while (costsFrom < until) {
      const to = Math.min(until, windowStart('day', costsFrom) + DAY_MS);
      const isDay = costsFrom >= day;
      for (const part of await costsBetween(session, costsFrom, to)) add(kept, part, { isDay, isMonth: true });
      costsFrom = to;
    }
  }

  async function keepEntries(session: Session, until: number): Promise<void> {
    const end = await firstEntryAt(session, until, entriesFrom);
    while (entriesFrom < end) {
      const to = Math.min(end, entriesFrom + ENTRIES_AT_ONCE);
      for (const { isDay, ...part } of await chargesBetween(session, entriesFrom, to))
        add(kept, part, { isDay, isMonth: true });
      entriesFrom = to;
    }
  }

  async function costsBetween(session: Session, from: number, to: number): Promise<Part[]> {
    return await session.all(
      session.builder
        .selectFrom('task_costs')
        .select(['engine', sql<number>`sum(coalesce(told, expected, charged))`.as('amount')])
        .where('settled_at', '>=', from)
        .where('settled_at', '<', to)
        .where('engine', 'in', engines)
        .groupBy('engine'),
    );
  }

  /** Charges of orders without a known cost. */
  async function chargesBetween(session: Session, from: number, to: number) {
    const rows = await session.all(
      charges(session)
        .select(sql<number>`case when ledger.created_at >= ${day} then 1 else 0 end`.as('today'))
        .where('ledger.id', '>=', from)
        .where('ledger.id', '<', to)
        .groupBy(['tasks.queue', 'today']),
    );
    return rows.map(({ queue, amount, today }) => ({ engine: partsOf(queue).engine, amount, isDay: today === 1 }));
  }

  async function entriesFromId(session: Session, id: number, since: number): Promise<Part[]> {
    const rows = await session.all(
      charges(session).where('ledger.id', '>=', id).where('ledger.created_at', '>=', since).groupBy('tasks.queue'),
    );
    return rows.map(({ queue, amount }) => ({ engine: partsOf(queue).engine, amount }));
  }

  function charges({ builder }: Session) {
    return builder
      .selectFrom('ledger')
      .innerJoin('tasks', 'tasks.id', 'ledger.task_id')
      .leftJoin('task_costs', 'task_costs.task_id', 'ledger.task_id')
      .select(['tasks.queue', sql<number>`-sum(ledger.amount)`.as('amount')])
      .where('ledger.kind', '=', 'charge')
      .where('ledger.mode', '=', 'live')
      .where('tasks.queue', 'in', queues)
      .where('task_costs.task_id', 'is', null);
  }

  async function inFlight(session: Session): Promise<Part[]> {
    const rows = await session.all(
      session.builder
        .selectFrom('tasks')
        .select(['queue', sql<number>`sum(price)`.as('amount')])
        .where('queue', 'in', queues)
        .where(IN_FLIGHT)
        .where('step', 'in', ['submitting', 'running', 'collecting'])
        .groupBy('queue'),
    );
    return rows.map(({ queue, amount }) => ({ engine: partsOf(queue).engine, amount }));
  }

  return { read };
}

function add(sums: Sums, { engine, amount }: Part, { isDay, isMonth }: { isDay: boolean; isMonth: boolean }): void {
  const sum = sums.get(engine) ?? { day: 0, month: 0 };
  sums.set(engine, {
    day: sum.day + (isDay ? Number(amount) : 0),
    month: sum.month + (isMonth ? Number(amount) : 0),
  });
}

/**
 * Finds the first ledger entry that is not older than a time by halving, since entries are in the order of their time.
 */
async function firstEntryAt(session: Session, time: number, from = 0): Promise<number> {
  const { builder } = session;
  const last = await session.first(builder.selectFrom('ledger').select((e) => e.fn.max<number | null>('id').as('id')));
  let [low, high] = [from, Number(last?.id ?? 0) + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const entry = await session.first(
      builder.selectFrom('ledger').select(['id', 'created_at']).where('id', '>=', middle).orderBy('id').limit(1),
    );
    if (entry === undefined || entry.created_at >= time) high = middle;
    else low = Number(entry.id) + 1;
  }
  return low;
}
