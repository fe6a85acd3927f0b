import { type Micros, windowStart } from '@darkroom-service/contract';
import { sql } from 'kysely';
import type { Session } from '../../database/database.ts';
import { IN_FLIGHT } from '../../queue/in-flight.ts';
import { liveQueueOf, partsOf } from '../../queue/queue-names.ts';

/** The costs of an instance's live orders to its operator. */
export interface InstanceSpend {
  readonly day: Micros;
  readonly month: Micros;
}

/** Age until which entries may not be committed yet, so they are read again. */
const COMMITTED_AFTER_MS = 120_000;
/** Span of the books that is read at once. Spans end with a day. */
const PART_MS = 3_600_000;

type Sums = Map<string, { day: Micros; month: Micros }>;
interface Part {
  readonly engine: string;
  readonly amount: Micros;
}

/**
 * Sums the costs of some instances' orders in this UTC day and month, by the time of their end: the cost that the
 * upstream reported, or else the catalog's expected cost, or else the catalog's price, which is not the customer's
 * price. Orders that are submitted and have not ended count with their own price.
 *
 * Costs are *kept* once they are certainly committed, so that each is read once (`#keepParts`). *Young* ones are read
 * each time. With a new month (`#beginMonth`) or day the kept sums begin again.
 */
export class InstanceSpends {
  readonly #engines: readonly string[];
  readonly #queues: readonly string[];
  #month = -1;
  #day = -1;
  #kept: Sums = new Map();
  #keptUntil = 0;

  constructor(engines: readonly string[]) {
    this.#engines = engines;
    this.#queues = engines.map(liveQueueOf);
  }

  /** @param now by the clock of the services */
  async read(session: Session, now: number): Promise<ReadonlyMap<string, InstanceSpend>> {
    const month = windowStart('month', now);
    const day = windowStart('day', now);
    if (month !== this.#month) this.#beginMonth(month, day);
    if (day !== this.#day) this.#beginDay(day);
    await this.#keepParts(session, now - COMMITTED_AFTER_MS);
    const sums: Sums = new Map([...this.#kept].map(([engine, sum]) => [engine, { ...sum }]));
    for (const from of new Set([month, day])) {
      const young = await this.#partsBetween(session, Math.max(from, this.#keptUntil), Number.MAX_SAFE_INTEGER);
      for (const part of young) add(sums, part, { isDay: from === day, isMonth: from === month });
    }
    for (const part of await inFlight(session, this.#queues)) add(sums, part, { isDay: true, isMonth: true });
    return sums;
  }

  #beginMonth(month: number, day: number): void {
    this.#month = month;
    this.#day = day;
    this.#kept = new Map();
    this.#keptUntil = month;
  }

  #beginDay(day: number): void {
    this.#day = day;
    for (const sum of this.#kept.values()) sum.day = 0;
  }

  async #keepParts(session: Session, until: number): Promise<void> {
    while (this.#keptUntil < until) {
      const to = Math.min(until, this.#keptUntil - (this.#keptUntil % PART_MS) + PART_MS);
      const isDay = this.#keptUntil >= this.#day;
      const parts = await this.#partsBetween(session, this.#keptUntil, to);
      for (const part of parts) add(this.#kept, part, { isDay, isMonth: true });
      this.#keptUntil = to;
    }
  }

  async #partsBetween(session: Session, from: number, to: number): Promise<Part[]> {
    return [
      ...(await costsBetween(session, this.#engines, from, to)),
      ...(await chargesBetween(session, this.#queues, from, to)),
    ];
  }
}

async function costsBetween(session: Session, engines: readonly string[], from: number, to: number): Promise<Part[]> {
  return await session.all(
    session.builder
      .selectFrom('task_costs')
      .select(['engine', sql<number>`sum(coalesce(told, expected, assumed, charged))`.as('amount')])
      .where('settled_at', '>=', from)
      .where('settled_at', '<', to)
      .where('engine', 'in', engines)
      .groupBy('engine'),
  );
}

/** Sums the charges of orders without a known cost. */
async function chargesBetween(session: Session, queues: readonly string[], from: number, to: number): Promise<Part[]> {
  const rows = await session.all(
    session.builder
      .selectFrom('ledger')
      .innerJoin('tasks', 'tasks.id', 'ledger.task_id')
      .leftJoin('task_costs', 'task_costs.task_id', 'ledger.task_id')
      .select(['tasks.queue', sql<number>`-sum(ledger.amount)`.as('amount')])
      .where('ledger.created_at', '>=', from)
      .where('ledger.created_at', '<', to)
      .where('ledger.kind', '=', 'charge')
      .where('ledger.mode', '=', 'live')
      .where('tasks.queue', 'in', queues)
      .where('task_costs.task_id', 'is', null)
      .groupBy('tasks.queue'),
  );
  return rows.map(({ queue, amount }) => ({ engine: partsOf(queue).engine, amount }));
}

async function inFlight(session: Session, queues: readonly string[]): Promise<Part[]> {
  const rows = await session.all(
    session.builder
      .selectFrom('tasks')
      .select(['queue', sql<number>`sum(price)`.as('amount')])
      .where('queue', 'in', queues)
      .where(IN_FLIGHT)
      .where('step', 'in', ['submitting', 'running'])
      .groupBy('queue'),
  );
  return rows.map(({ queue, amount }) => ({ engine: partsOf(queue).engine, amount }));
}

function add(sums: Sums, { engine, amount }: Part, { isDay, isMonth }: { isDay: boolean; isMonth: boolean }): void {
  const sum = sums.get(engine) ?? { day: 0, month: 0 };
  sums.set(engine, {
    day: sum.day + (isDay ? Number(amount) : 0),
    month: sum.month + (isMonth ? Number(amount) : 0),
  });
}
