import type { BatchView, TaskView } from '@darkroom-service/contract';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { callForData } from './call-api.ts';
import { pathOfBatch } from './follow-batch.ts';
import { dataResult } from './results.ts';
import type { ToolContext } from './tool-context.ts';

/** Maximum number of tasks shown; the rest is read page by page. */
const MOST_SHOWN = 20;

/** Returns the result of a batch: its state, and the first tasks with links to their outputs when it has ended. */
export async function batchResult(
  context: ToolContext,
  batch: BatchView,
  more: Readonly<Record<string, unknown>> = {},
): Promise<CallToolResult> {
  const { urls: _, metadata: __, mode: ___, ...state } = batch;
  const hasEnded = batch.status !== 'processing';
  const tasks = hasEnded ? { tasks: (await listBatchTasks(context, batch.batch_id, { limit: MOST_SHOWN })).items } : {};
  const result = dataResult({ ...state, ...tasks, ...more }, sentenceFor(batch, more.replayed === true));
  return batch.status === 'failed' ? { ...result, isError: true } : result;
}

/** Returns a page of a batch's tasks, in its order. @throws Refusal */
export async function listBatchTasks(
  { call }: ToolContext,
  batchId: string,
  {
    limit,
    status,
    after,
  }: { readonly limit: number; readonly status?: string | undefined; readonly after?: string | undefined },
) {
  const query = new URLSearchParams({ limit: String(limit) });
  if (status !== undefined) query.set('status', status);
  if (after !== undefined) query.set('after', after);
  const path = `${pathOfBatch(batchId)}/tasks?${query}`;
  const page = await callForData<{ readonly items: readonly TaskView[]; readonly has_more: boolean }>(call, {
    method: 'GET',
    path,
  });
  return { items: page.items.map(rowOf), has_more: page.has_more };
}

function rowOf({ task_id, batch_name, status, outputs, error, cost }: TaskView) {
  return { task_id, name: batch_name, status, url: outputs[0]?.url ?? null, error, cost: cost.amount };
}

export function countFinal({ counts }: BatchView): number {
  return counts.succeeded + counts.failed + counts.canceled;
}

function sentenceFor(batch: BatchView, replayed: boolean): string {
  const before = replayed
    ? `An equal call ordered this batch at ${batch.created_at}; nothing new was ordered. For other results of the same words, pass a new idempotency_key. `
    : '';
  const { batch_id: id, status, orders, counts, cost } = batch;
  if (status === 'processing')
    return `${before}${id} is processing: ${countFinal(batch)} of ${orders} orders are final. Call wait_for_task with this batch_id to wait on; do not order again.`;
  const parts = `${counts.succeeded} of ${orders} orders succeeded, ${counts.failed} failed, ${counts.canceled} were canceled`;
  const rest = orders > MOST_SHOWN ? ` list_tasks with this batch_id lists all of them.` : '';
  return `${before}${id} has ended: ${parts}. ${cost.charged} USD were charged; what did not succeed costs nothing.${rest} wait_for_task with a task_id shows its picture.`;
}
