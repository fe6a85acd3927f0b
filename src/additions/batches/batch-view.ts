import { type BatchView, formatMicros, isoTime } from '@darkroom-service/contract';
import { type Selectable, sql } from 'kysely';
import { type Kernel, prepare, prepareTaskCount, type Schema, type Session, type TaskRow } from '../../kernel.ts';
import { metadataOf } from '../../kernel-views.ts';

export type BatchRow = Selectable<Schema['batches']>;

/** The tasks of a batch that have been inserted, by status. */
export interface BatchTally {
  readonly counts: Readonly<Record<TaskRow['status'], number>>;
  /** Sums in micro-dollars: the prices of final tasks, and their charges. */
  readonly settled: number;
  readonly charged: number;
}

interface TallyRow {
  state: Schema['batch_orders']['state'];
  tasks: number;
  price: number;
  charged: number | null;
}

/** Counts the orders by reading an index only. */
const countOrders = prepare<{ batch: string }, TallyRow>('batch_tally', (builder, argument) =>
  builder
    .selectFrom('batch_orders')
    .select([
      'state',
      (expression) => expression.fn.countAll<number>().as('tasks'),
      sql<number>`sum(price)`.as('price'),
      sql<number | null>`sum(charged)`.as('charged'),
    ])
    .where('batch_id', '=', argument('batch'))
    .groupBy('state'),
);

/**
 * Status of the task of an order. Not by a join: PostgreSQL might then read all tasks with that status, which are few
 * when it plans and many when it runs the plan.
 */
export const STATUS_OF_TASK = sql<
  TaskRow['status']
>`(select tasks.status from tasks where tasks.id = batch_orders.task_id)`;

const countBegun = prepareTaskCount<{ batch: string }, 'batch_orders'>('batch_begun', (builder, argument) =>
  builder
    .selectFrom('batch_orders')
    .select('task_id as id')
    .where('batch_id', '=', argument('batch'))
    .where('state', '=', 'open')
    .where(STATUS_OF_TASK, '=', 'processing'),
);

export async function tallyBatch(session: Session, batchId: string): Promise<BatchTally> {
  const rows = await session.all(countOrders, { batch: batchId });
  const counts = { queued: 0, processing: 0, succeeded: 0, failed: 0, canceled: 0 };
  let settled = 0;
  let charged = 0;
  for (const row of rows) {
    if (row.state === 'held' || row.state === 'open') {
      counts.queued += Number(row.tasks);
      continue;
    }
    counts[row.state] = Number(row.tasks);
    settled += Number(row.price);
    charged += Number(row.charged ?? 0);
  }
  const isBegun = rows.some(({ state }) => state === 'open');
  counts.processing = isBegun ? ((await session.first(countBegun, { batch: batchId }))?.count ?? 0) : 0;
  counts.queued -= counts.processing;
  return { counts, settled, charged };
}

/** Returns a batch in its current state. */
export async function viewBatch(
  { settings, store }: Pick<Kernel, 'settings' | 'store'>,
  row: BatchRow,
): Promise<BatchView> {
  const tally = storedTally(row) ?? (await tallyBatch(store.read, row.id));
  const self = `${settings.publicUrl}/v1/batches/${row.id}`;
  const { processing, succeeded, failed, canceled } = tally.counts;
  return {
    batch_id: row.id,
    status: row.status,
    orders: row.orders,
    // Orders whose tasks are not inserted yet are queued too.
    counts: { ...tally.counts, queued: row.orders - processing - succeeded - failed - canceled },
    cost: {
      quoted: formatMicros(row.quoted),
      charged: formatMicros(tally.charged),
      held: formatMicros(row.quoted - tally.settled),
      currency: 'USD',
    },
    max_parallel: row.max_parallel,
    metadata: metadataOf(row),
    mode: row.mode,
    created_at: isoTime(row.created_at),
    cancel_requested_at: isoTime(row.cancel_requested_at),
    completed_at: isoTime(row.completed_at),
    urls: {
      self,
      tasks: `${self}/tasks`,
      results: `${self}/results`,
      events: `${self}/events`,
      cancel: `${self}/cancel`,
    },
  };
}

/** Returns the tally of a batch that has ended; null before. */
function storedTally(row: BatchRow): BatchTally | null {
  const counts = countsOf(row);
  return counts === null ? null : { counts, settled: row.quoted, charged: row.charged ?? 0 };
}

/** Reads the counts of a batch that has ended; null before. */
function countsOf(row: Pick<BatchRow, 'counts_json'>): BatchTally['counts'] | null {
  return row.counts_json === null ? null : (JSON.parse(row.counts_json) as BatchTally['counts']);
}
