import { type BatchView, cutText, TASK_STATUSES, type TaskView } from '@darkroom-service/contract';
import type { CallToolResult, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { batchResult, listBatchTasks } from '../batch-result.ts';
import { callForData, Refusal } from '../call-api.ts';
import { isBatchId, pathOfBatch, waitForBatch } from '../follow-batch.ts';
import { pathOfTask, waitForTask } from '../follow-task.ts';
import { compactTask, dataResult, errorResult, taskResult } from '../results.ts';
import type { ToolContext } from '../tool-context.ts';
import { Name, READS, TaskId, WaitSeconds } from './tool-parts.ts';

const MOST_LISTED = 50;

interface Page<Item> {
  readonly items: readonly Item[];
  readonly has_more: boolean;
}

const Wait = z.strictObject({ task_id: TaskId, wait_seconds: WaitSeconds });
const Cancel = z.strictObject({ task_id: TaskId });
const List = z.strictObject({
  type: z.enum(['image', 'video', 'batch']).default('image'),
  batch_id: Name.optional().describe('Lists the tasks of this batch, in its order, with links to their outputs.'),
  status: z.enum(TASK_STATUSES).optional(),
  limit: z.int().min(1).max(MOST_LISTED).default(10),
  after: Name.optional().describe('The last id of the page before: lists what follows.'),
});

/** Adds the tools that follow orders. They cost nothing. */
export function addTaskTools(server: McpServer, context: ToolContext): void {
  server.registerTool(
    'wait_for_task',
    {
      title: 'Wait for a task',
      description:
        'Waits until an order or a batch is final, or for wait_seconds, and returns it: its outputs with a thumbnail and a link, or its progress. Call it again while it is queued or processing. wait_seconds: 0 reads it at once.',
      inputSchema: Wait,
      annotations: READS,
    },
    async ({ task_id, wait_seconds }, { mcpReq }) =>
      await answer(async () =>
        isBatchId(task_id)
          ? batchResult(context, await waitForBatch(context, task_id, wait_seconds, mcpReq.signal))
          : taskResult(context, await waitForTask(context, task_id, wait_seconds, mcpReq.signal)),
      ),
  );
  server.registerTool(
    'list_tasks',
    {
      title: 'List tasks',
      description:
        'Lists your orders or batches, newest first, or the tasks of one batch. Use it to find an order whose answer was lost.',
      inputSchema: List,
      annotations: READS,
    },
    async ({ type, batch_id, status, limit, after }) =>
      await answer(async () => {
        if (batch_id !== undefined) {
          assertBatchId(batch_id);
          return dataResult(await listBatchTasks(context, batch_id, { limit, status, after }));
        }
        const query = new URLSearchParams({ limit: String(limit) });
        if (status !== undefined) query.set('status', status);
        if (after !== undefined) query.set('after', after);
        if (type === 'batch') {
          const page = await callForData<Page<BatchView>>(context.call, {
            method: 'GET',
            path: `/v1/batches?${query}`,
          });
          return dataResult({ items: page.items.map(batchRowOf), has_more: page.has_more });
        }
        const page = await callForData<Page<TaskView>>(context.call, { method: 'GET', path: `/v1/${type}s?${query}` });
        return dataResult({ items: page.items.map(rowOf), has_more: page.has_more });
      }),
  );
  server.registerTool(
    'cancel_task',
    {
      title: 'Cancel a task',
      description:
        'Stops an order that is not final, if its engine can stop, or the orders of a batch that have not started. A canceled order costs nothing; one that finishes anyway is charged.',
      inputSchema: Cancel,
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    async ({ task_id }) =>
      await answer(async () => {
        if (isBatchId(task_id)) {
          const path = `${pathOfBatch(task_id)}/cancel`;
          return await batchResult(context, await callForData<BatchView>(context.call, { method: 'POST', path }));
        }
        const path = `${pathOfTask(task_id)}/cancel`;
        return await taskResult(context, await callForData<TaskView>(context.call, { method: 'POST', path }));
      }),
  );
}

async function answer(work: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await work();
  } catch (error) {
    return errorResult(error);
  }
}

function assertBatchId(id: string): void {
  if (isBatchId(id)) return;
  const message = `Expected a batch_id such as bat_01kafx2r5gq3v8m1t0z6y4n7wd, found '${cutText(id, 80)}'.`;
  throw new Refusal({ code: 'not_found', message, param: 'batch_id' });
}

function batchRowOf({ batch_id, status, orders, counts, cost, created_at }: BatchView) {
  return { batch_id, status, orders, counts, charged: cost.charged, held: cost.held, created_at };
}

/** Returns a short row of a task: the prompt identifies the order, and wait_for_task has the rest. */
function rowOf(task: TaskView) {
  const { task_id, status, progress, model_id, action, cost, created_at } = compactTask(task);
  const { prompt } = task.input;
  const begin = typeof prompt === 'string' ? cutText(prompt, 200) : null;
  return { task_id, status, progress, model_id, action, prompt: begin, cost: cost.amount, created_at };
}
