import type { CallToolResult, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { TaskView } from '../../wire/task.ts';
import { TASK_STATUSES } from '../../wire/words.ts';
import { callForData } from '../call-api.ts';
import { pathOfTask, waitForTask } from '../follow-task.ts';
import { compactTask, dataResult, errorResult, taskResult } from '../results.ts';
import type { ToolContext } from '../tool-context.ts';
import { READS, TaskId, WaitSeconds } from './tool-parts.ts';

const MOST_LISTED = 50;

const Wait = z.strictObject({ task_id: TaskId, wait_seconds: WaitSeconds });
const Cancel = z.strictObject({ task_id: TaskId });
const List = z.strictObject({
  type: z.enum(['image', 'video']).default('image'),
  status: z.enum(TASK_STATUSES).optional(),
  limit: z.int().min(1).max(MOST_LISTED).default(10),
  after: z.string().optional().describe('The last task_id of the page before: lists older tasks.'),
});

/** The tools that follow orders. They cost nothing. */
export function addTaskTools(server: McpServer, context: ToolContext): void {
  server.registerTool(
    'wait_for_task',
    {
      title: 'Wait for a task',
      description:
        'Waits until an order is final, or for wait_seconds, and returns it: its outputs with a thumbnail and a link, or its progress. Call it again while the task is queued or processing.',
      inputSchema: Wait,
      annotations: READS,
    },
    async ({ task_id, wait_seconds }, { mcpReq }) =>
      await answer(async () => taskResult(context, await waitForTask(context, task_id, wait_seconds, mcpReq.signal))),
  );
  server.registerTool(
    'list_tasks',
    {
      title: 'List tasks',
      description: 'Lists your orders, newest first. Use it to find an order whose answer was lost.',
      inputSchema: List,
      annotations: READS,
    },
    async ({ type, status, limit, after }) =>
      await answer(async () => {
        const query = new URLSearchParams({ limit: String(limit) });
        if (status !== undefined) query.set('status', status);
        if (after !== undefined) query.set('after', after);
        const page = await callForData<{ readonly items: readonly TaskView[]; readonly has_more: boolean }>(
          context.call,
          { method: 'GET', path: `/v1/${type}s?${query}` },
        );
        return dataResult({ items: page.items.map(rowOf), has_more: page.has_more });
      }),
  );
  server.registerTool(
    'cancel_task',
    {
      title: 'Cancel a task',
      description:
        'Stops an order that is not final, if its engine can stop. A canceled order costs nothing; one that finishes anyway is charged.',
      inputSchema: Cancel,
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    async ({ task_id }) =>
      await answer(async () => {
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

/** A row is short: the prompt tells which order it is, and wait_for_task tells the rest. */
function rowOf(task: TaskView) {
  const { task_id, status, progress, model_id, action, cost, created_at } = compactTask(task);
  const { prompt } = task.input;
  const begin = typeof prompt === 'string' ? prompt.slice(0, 200) : null;
  return { task_id, status, progress, model_id, action, prompt: begin, cost: cost.amount, created_at };
}
