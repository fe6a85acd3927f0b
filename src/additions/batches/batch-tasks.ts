import type { TaskView } from '@darkroom-service/contract';
import type { Kernel, OrderingKey, TaskRow } from '../../kernel.ts';
import { VIEW_COLUMNS } from '../../kernel-views.ts';

const PAGE = 100;

interface BatchTaskQuery {
  readonly limit: number;
  /** Task after which the page begins. */
  readonly after: string | null;
  /** Statuses of the tasks; null = any. */
  readonly status: readonly TaskRow['status'][] | null;
}

/**
 * Returns a page of a batch's tasks, by id: images before videos, each in the order of the batch. Deleted tasks are
 * omitted.
 */
export async function listBatchTasks(
  { store, tasks }: Pick<Kernel, 'store' | 'tasks'>,
  key: OrderingKey,
  batchId: string,
  { limit, after, status }: BatchTaskQuery,
): Promise<{ readonly items: TaskView[]; readonly hasMore: boolean }> {
  const { read } = store;
  let ids = read.builder
    .selectFrom('batch_orders')
    .innerJoin('tasks', 'tasks.id', 'task_id')
    .select('task_id as id')
    .where('batch_id', '=', batchId)
    .where('task_id', '>', after ?? '')
    .where('deleted_at', 'is', null)
    .orderBy('task_id')
    .limit(limit + 1);
  if (status !== null) ids = ids.where('status', 'in', status);
  const found = await read.all(ids);
  const page = found.slice(0, limit).map(({ id }) => id);
  if (page.length === 0) return { items: [], hasMore: false };
  const rows = await read.all(
    read.builder.selectFrom('tasks').select(VIEW_COLUMNS).where('id', 'in', page).orderBy('id'),
  );
  return { items: await tasks.show(key, read, rows), hasMore: found.length > limit };
}

/** Yields the final tasks of a batch, one after the other, as lines of JSON. */
export async function* batchResults(
  kernel: Pick<Kernel, 'store' | 'tasks'>,
  key: OrderingKey,
  batchId: string,
): AsyncGenerator<string> {
  const status = ['succeeded', 'failed', 'canceled'] as const;
  let after: string | null = null;
  for (;;) {
    const page = await listBatchTasks(kernel, key, batchId, { limit: PAGE, after, status });
    for (const task of page.items) yield `${JSON.stringify(task)}\n`;
    after = page.items.at(-1)?.task_id ?? null;
    if (!page.hasMore || after === null) return;
  }
}
