import type { Selectable } from 'kysely';
import type { LedgerMode } from '../../src/accounts/ledger.ts';
import type { Schema } from '../../src/database/schema.ts';
import type { TaskRow } from '../../src/record/task.ts';
import type { SimulatedDisk } from './disk.ts';

/** An order as the database has it. */
export type OrderFact = Pick<
  TaskRow,
  | 'id'
  | 'status'
  | 'step'
  | 'price'
  | 'charged'
  | 'refunded'
  | 'revision'
  | 'webhook_url'
  | 'created_at'
  | 'deleted_at'
  | 'erased_at'
  | 'completed_at'
  | 'deadline_at'
  | 'error_json'
  | 'end_user'
> & {
  /** Null = it is in none. */
  readonly batch_id: string | null;
};

/** A batch as the database has it. */
export type BatchFact = Pick<
  Selectable<Schema['batches']>,
  'id' | 'status' | 'orders' | 'quoted' | 'placed' | 'placed_amount' | 'counts_json' | 'charged' | 'created_at'
>;

/** An entry of the ledger. */
export interface EntryFact {
  readonly task_id: string;
  readonly kind: string;
  readonly amount: number;
  readonly mode: LedgerMode;
}

/** The rows of the service that the judges know. */
export interface Facts {
  readonly orders: readonly OrderFact[];
  readonly batches: readonly BatchFact[];
  readonly entries: readonly EntryFact[];
  /** What the key spends, held amounts included; null = it is not counted. */
  readonly spent: Pick<
    Selectable<Schema['spending']>,
    'day' | 'day_used' | 'month' | 'month_used' | 'total_used'
  > | null;
  /** Whether the key has a limit now. */
  readonly isLimited: boolean;
  /** Webhooks that are still to be sent. */
  readonly pendingEvents: number;
  /** Orders that have ended and whose upstream may still make a result. */
  readonly lateResults: number;
}

/** A new entry, with the price of its order; null = it is about a batch or a credit. */
type NewEntry = Omit<EntryFact, 'mode'> & { readonly price: number | null };

/** The news of commits: what they have written. */
export interface News {
  /** Whether all was read again, since a power cut has undone some of it. */
  readonly isAnew: boolean;
  /** The new entries of the ledger. */
  readonly entries: readonly NewEntry[];
  /** How many orders have a slot of the key. */
  readonly atEngine: number;
}

/**
 * The condition of the index comes first, so that no order that has ended is read. A delivered order whose file cannot
 * be read holds no slot.
 */
const AT_ENGINE = `select count(*) as n from tasks
  where step in ('preparing', 'submitting', 'deferred', 'running')
    and (step = 'submitting' or (step = 'running' and claimable = 1))`;

/** Creates a reader of what was committed since its last call, flushed or not. It returns null if that is nothing. */
export function createNewsReader(disk: SimulatedDisk): () => News | null {
  let known = { generation: -1, commits: -1 };
  let last = 0;
  return () => {
    const { generation, commits } = disk.version();
    const isAnew = generation !== known.generation;
    if (!isAnew && commits === known.commits) return null;
    known = { generation, commits };
    if (isAnew) last = 0;
    const entries = disk.read<NewEntry & { readonly place: number }>(
      `select ledger.rowid as place, task_id, kind, amount, price from ledger left join tasks on id = task_id
        where ledger.rowid > ? order by ledger.rowid`,
      [last],
    );
    last = entries.at(-1)?.place ?? last;
    const [busy] = disk.read<{ n: number }>(AT_ENGINE);
    return { isAnew, entries, atEngine: busy!.n };
  };
}

const ORDERS = `select id, status, step, price, charged, refunded, revision, webhook_url, created_at, deleted_at,
  erased_at, completed_at, deadline_at, error_json, end_user,
  (select batch_id from batch_orders where task_id = tasks.id) as batch_id from tasks order by id`;
const BATCHES = `select id, status, orders, quoted, placed, placed_amount, counts_json, charged, created_at from batches`;

/** Creates a reader of what the judges judge. Nothing else of them knows a table. */
export function createFactsReader(disk: SimulatedDisk): () => Facts {
  let known: { readonly version: string; readonly facts: Facts } | null = null;
  return () => {
    const { generation, commits } = disk.version();
    const version = `${generation} ${commits}`;
    if (known?.version !== version) known = { version, facts: readFacts(disk) };
    return known.facts;
  };
}

function readFacts(disk: SimulatedDisk): Facts {
  return {
    orders: disk.read<OrderFact>(ORDERS),
    batches: disk.read<BatchFact>(BATCHES),
    entries: disk.read<EntryFact>('select task_id, kind, amount, mode from ledger'),
    spent:
      disk.read<NonNullable<Facts['spent']>>(
        "select day, day_used, month, month_used, total_used from spending where subject like 'key_%'",
      )[0] ?? null,
    isLimited:
      disk.read('select 1 from api_keys where coalesce(spend_day, spend_month, spend_total) is not null').length > 0,
    pendingEvents: disk.read<{ n: number }>("select count(*) as n from webhook_deliveries where status = 'pending'")[0]!
      .n,
    lateResults: disk.read<{ n: number }>(
      "select count(*) as n from tasks where step = 'final' and next_at is not null",
    )[0]!.n,
  };
}

/** Tells whether it is committed that an order is sent, or was. */
export function isSubmitted(disk: SimulatedDisk, id: string): boolean {
  return disk.read("select 1 from tasks where id = ? and step in ('waiting', 'preparing')", [id]).length === 0;
}

/** Tells whether an order is from before a time; one of a batch is dated like it. */
export function isPlacedUntil(disk: SimulatedDisk, id: string, until: number): boolean {
  return disk.read('select 1 from tasks where id = ? and created_at <= ?', [id, until]).length > 0;
}

/** Returns everything that the row of an order says, as text. */
export function readWholeOrder(disk: SimulatedDisk, id: string): string {
  return JSON.stringify(disk.read('select * from tasks where id = ?', [id]));
}

/** Returns how many orders there are and what they cost, by their rows and by the sums of closed days. */
export function readUsage(disk: SimulatedDisk): { readonly rows: object; readonly sums: object } {
  const [rows] = disk.read<object>('select count(*) as tasks, coalesce(sum(charged), 0) as charged from tasks');
  const [sums] = disk.read<object>(
    'select coalesce(sum(tasks), 0) as tasks, coalesce(sum(charged), 0) as charged from usage_days',
  );
  return { rows: rows!, sums: sums! };
}

/** Returns the orders of batches that were charged, flushed or not. */
export function readChargedOfBatches(disk: SimulatedDisk): string[] {
  const rows = disk.read<{ task_id: string }>('select task_id from batch_orders where charged > 0 order by task_id');
  return rows.map(({ task_id: id }) => id);
}
