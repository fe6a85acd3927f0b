import { formatMicros, isoTime, ServiceError } from '@darkroom-service/contract';
import { inputOf, type Kernel, type OrderingKey, sql } from '@darkroom-service/darkroom/kernel';
import {
  isFinal,
  outputsOf,
  requestOf,
  routeOf,
  type ViewRow,
  viewModels,
} from '@darkroom-service/darkroom/kernel-views';
import type { BatchReceiptView, TaskReceiptView } from './receipt-wire.ts';

type Parts = Pick<Kernel, 'groups' | 'settings' | 'store' | 'tasks'>;

const PAGE = 500;

/**
 * Composes the receipt of an order from facts that are certain. It is the same each time until the order is erased or
 * its ledger gets another entry.
 * @throws ServiceError `task_not_found`, `task_expired`, `not_final`
 */
export async function composeTaskReceipt(
  { settings, store, tasks }: Parts,
  key: OrderingKey,
  type: 'image' | 'video',
  taskId: string,
): Promise<TaskReceiptView> {
  const { read } = store;
  const row = await tasks.row(key, type, taskId);
  if (!isFinal(row.status)) throw notFinal('task', row.id);
  const entries = await read.all(
    read.builder
      .selectFrom('ledger')
      .select(['kind', 'amount', 'created_at'])
      .where('task_id', '=', row.id)
      .orderBy('created_at')
      .orderBy('kind'),
  );
  const batch = (await tasks.groups(read, [row])).get(row.id);
  if (batch !== undefined && entries.some(({ kind }) => kind === 'release')) {
    // The batch holds the prices of all its orders in one entry, of which this is the order's part.
    const whole = await read.first(
      read.builder.selectFrom('ledger').select('created_at').where('task_id', '=', batch.id).where('kind', '=', 'hold'),
    );
    if (whole !== undefined) entries.unshift({ kind: 'hold', amount: -row.price, created_at: whole.created_at });
  }
  const [task] = await tasks.show(key, read, [row]);
  const { basis, basis_route: route, dearer, lines } = task!.cost;
  const { engine, model, tried = [], rule = null } = routeOf(row);
  const isErased = row.erased_at !== null;
  return {
    ...headOf(settings, key),
    task_id: row.id,
    batch_id: batch?.id ?? null,
    type: row.type,
    status: row.status,
    model_id: row.model_id,
    ...viewModels(row),
    action: row.action,
    parent_task_id: row.parent_task_id,
    route:
      row.started_at === null
        ? null
        : { engine, model, earlier: tried.map((one) => ({ engine: one.engine, model: one.model })), rule },
    input: isErased ? null : inputWithoutMedia(row),
    outputs: isErased
      ? null
      : outputsOf(row).map(({ sha256, contentType, bytes, width, height, durationSeconds }) => ({
          sha256,
          content_type: contentType,
          bytes,
          width,
          height,
          duration_seconds: durationSeconds,
        })),
    cost: {
      quoted: formatMicros(row.price),
      charged: formatMicros(row.charged ?? 0),
      currency: 'USD',
      basis,
      ...(route === undefined ? {} : { basis_route: route }),
      ...(dearer === undefined ? {} : { dearer }),
      lines,
      ledger: entries.map(({ kind, amount, created_at }) => ({
        kind,
        amount: formatMicros(amount),
        created_at: isoTime(created_at),
      })),
    },
    created_at: isoTime(row.created_at),
    started_at: isoTime(row.started_at),
    completed_at: isoTime(row.completed_at),
    erased_at: isoTime(row.erased_at),
  };
}

/** Composes the receipt of a batch. @throws ServiceError `not_found`, `not_final` */
export async function composeBatchReceipt(kernel: Parts, key: OrderingKey, batchId: string): Promise<BatchReceiptView> {
  const batch = await kernel.groups.find(key, batchId);
  if (batch === null) throw new ServiceError('not_found', 'This service places no batches.');
  if (batch.status === 'processing') throw notFinal('batch', batch.batch_id);
  const { quoted, charged, currency } = batch.cost;
  return {
    ...headOf(kernel.settings, key),
    batch_id: batch.batch_id,
    status: batch.status,
    orders: batch.orders,
    cost: { quoted, charged, currency },
    tasks: await tasksOf(kernel, batch.batch_id),
    created_at: batch.created_at,
    completed_at: batch.completed_at,
  };
}

async function tasksOf({ groups, store: { read } }: Parts, batchId: string): Promise<BatchReceiptView['tasks']> {
  const tasks: BatchReceiptView['tasks'][number][] = [];
  for (let after = ''; ; ) {
    const page = await read.all(
      read.builder
        .selectFrom(sql<{ task_id: string }>`(${groups.orders(batchId)})`.as('grouped'))
        .innerJoin('tasks', 'tasks.id', 'grouped.task_id')
        .select(['id', 'status', 'charged', 'outputs_json', 'erased_at'])
        .where('task_id', '>', after)
        .orderBy('task_id')
        .limit(PAGE),
    );
    for (const row of page)
      tasks.push({
        task_id: row.id,
        status: row.status,
        charged: formatMicros(row.charged ?? 0),
        sha256: row.erased_at === null ? outputsOf(row).map(({ sha256 }) => sha256) : null,
      });
    if (page.length < PAGE) return tasks;
    after = page.at(-1)?.id ?? after;
  }
}

/** Returns the head of a receipt. No signed text names a host that a request may choose. */
function headOf({ knownUrl }: Kernel['settings'], { account, mode }: OrderingKey) {
  return { issuer: knownUrl, account_id: account.id, mode };
}

function inputWithoutMedia(row: ViewRow): NonNullable<TaskReceiptView['input']> {
  const media = new Set(requestOf(row).media.map(({ field }) => field));
  return Object.fromEntries(Object.entries(inputOf(row)).filter(([name]) => !media.has(name)));
}

function notFinal(what: 'task' | 'batch', id: string): ServiceError {
  return new ServiceError('not_final', `The ${what} ${id} has not ended. Ask for its receipt when it has.`, {
    param: `${what}_id`,
  });
}
