import { world } from '@darkroom-service/contract';
import { type Log, prepare, type Session, type Transaction } from '@darkroom-service/darkroom/kernel';
import './trace-tables.ts';

/** The request that placed an order. */
export interface OrderTrace {
  readonly traceId: string;
  readonly spanId: string;
}

/** Half of the number of remembered tasks. */
const GENERATION = 5_000;
/** Tasks per query. It is padded to this number, so that one statement is prepared. */
const READ_AT_ONCE = 32;
/** Time that an order waits for its trace; afterwards it continues without. */
const PATIENCE_MS = 1_000;
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-/;

interface Kept {
  readonly task: string;
  readonly traceparent: string;
  readonly now: number;
}

const insert = prepare<Kept, unknown>('keep_order_trace', (builder, argument) =>
  builder
    .insertInto('order_traces')
    .values({ task_id: argument('task'), traceparent: argument('traceparent'), created_at: argument('now') }),
);

const select = prepare<Record<string, string>, { task_id: string; traceparent: string }>(
  'order_traces',
  (builder, argument) =>
    builder
      .selectFrom('order_traces')
      .select(['task_id', 'traceparent'])
      .where(
        'task_id',
        'in',
        Array.from({ length: READ_AT_ONCE }, (_, place) => argument(`id${place}`)),
      ),
);

type Found = (trace: OrderTrace | null) => void;

/** The traces of orders that are sampled, as the database keeps them. */
export class OrderTraces {
  readonly #read: Session;
  readonly #log: Log;
  /**
   * Traces of the latest tasks of this process; null = not sampled. The older half is dropped at once: removing the
   * first entry of a large map again and again costs more than all else here.
   */
  #known = new Map<string, OrderTrace | null>();
  #older = new Map<string, OrderTrace | null>();
  #asked = new Map<string, Found[]>();

  constructor(read: Session, log: Log) {
    this.#read = read;
    this.#log = log;
  }

  /** Stores the trace with an order that is being placed; null = it is not sampled. */
  keep(trx: Transaction, taskId: string, trace: OrderTrace | null, now: number): void {
    if (trace === null) {
      this.#remember(taskId, null);
      return;
    }
    trx.send(insert, { task: taskId, traceparent: traceparentOf(trace), now });
    trx.afterCommit(() => this.#remember(taskId, trace));
  }

  /** Returns the trace of an order that is known without a query; undefined = not known. */
  known(taskId: string): OrderTrace | null | undefined {
    const latest = this.#known.get(taskId);
    return latest === undefined ? this.#older.get(taskId) : latest;
  }

  /** Finds the trace of an order. Queries of the same moment are combined. Never throws. */
  find(taskId: string): OrderTrace | null | Promise<OrderTrace | null> {
    const known = this.known(taskId);
    if (known !== undefined) return known;
    if (this.#asked.size === 0) world.setImmediate(() => void this.#readAsked());
    return new Promise((found) => {
      this.#asked.set(taskId, [...(this.#asked.get(taskId) ?? []), found]);
    });
  }

  async #readAsked(): Promise<void> {
    const asked = this.#asked;
    this.#asked = new Map();
    const answer = (taskId: string, trace: OrderTrace | null) => {
      for (const found of asked.get(taskId) ?? []) found(trace);
    };
    const giveUp = world.setTimeout(() => {
      for (const id of asked.keys()) answer(id, null);
    }, PATIENCE_MS);
    try {
      const ids = [...asked.keys()];
      for (let first = 0; first < ids.length; first += READ_AT_ONCE) {
        const part = ids.slice(first, first + READ_AT_ONCE);
        const padded = Array.from({ length: READ_AT_ONCE }, (_, place) => [`id${place}`, part[place] ?? part[0]!]);
        const rows = await this.#read.all(select, Object.fromEntries(padded));
        const traces = new Map(rows.map((row) => [row.task_id, readTraceparent(row.traceparent)]));
        for (const id of part) {
          const trace = traces.get(id) ?? null;
          this.#remember(id, trace);
          answer(id, trace);
        }
      }
    } catch (error) {
      this.#log.warn({ err: error }, 'could not read the traces of orders; they go on without');
      for (const id of asked.keys()) answer(id, null);
    } finally {
      world.clearTimeout(giveUp);
    }
  }

  #remember(taskId: string, trace: OrderTrace | null): void {
    this.#known.set(taskId, trace);
    if (this.#known.size < GENERATION) return;
    this.#older = this.#known;
    this.#known = new Map();
  }
}

/** Returns the header of a sampled trace. */
export function traceparentOf({ traceId, spanId }: OrderTrace): string {
  return `00-${traceId}-${spanId}-01`;
}

function readTraceparent(text: string): OrderTrace | null {
  const [, traceId, spanId] = TRACEPARENT.exec(text) ?? [];
  return traceId === undefined || spanId === undefined ? null : { traceId, spanId };
}
