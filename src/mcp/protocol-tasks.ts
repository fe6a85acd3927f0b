import { type CallToolResult, type McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { TaskView } from '../wire/task.ts';
import { callForData, Refusal } from './call-api.ts';
import { isFinal, pathOfTask, readTask } from './follow-task.ts';
import { taskResult } from './results.ts';
import type { ToolContext } from './tool-context.ts';

/** A task of the service is a task of the protocol, with the same id. */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

const ByTaskId = z.looseObject({ taskId: z.string() });
const Answers = z.looseObject({ taskId: z.string(), inputResponses: z.record(z.string(), z.unknown()).optional() });

/** The result of a tool that goes on as a task: the client reads it with `tasks/get`. The order is stored already. */
export function taskOffer(task: TaskView): CallToolResult {
  // The package types no result of an extension; it sends the fields as they are.
  return { resultType: 'task', ...stateOf(task) } as unknown as CallToolResult;
}

/** Answers the methods of the extension. */
export function addProtocolTasks({ server }: McpServer, context: ToolContext): void {
  server.setRequestHandler('tasks/get', { params: ByTaskId }, async ({ taskId }) =>
    protocolErrors(async () => {
      const task = await readTask(context, taskId);
      if (task.status !== 'succeeded' && task.status !== 'failed') return stateOf(task);
      const result = { resultType: 'complete', ...(await taskResult(context, task)) };
      return { ...stateOf(task), result };
    }),
  );
  server.setRequestHandler('tasks/cancel', { params: ByTaskId }, async ({ taskId }) =>
    protocolErrors(async () => {
      await cancel(context, taskId);
      return {};
    }),
  );
  server.setRequestHandler('tasks/update', { params: Answers }, async ({ taskId }) =>
    protocolErrors(async () => {
      await readTask(context, taskId);
      // A person is asked before an order is placed, so no task has an open question; answers to closed ones are ignored.
      return {};
    }),
  );
}

/** A request to cancel is a wish: an order that cannot stop goes on, and `tasks/get` says so. */
async function cancel({ call }: ToolContext, taskId: string): Promise<void> {
  try {
    await callForData(call, { method: 'POST', path: `${pathOfTask(taskId)}/cancel` });
  } catch (error) {
    if (!(error instanceof Refusal && error.error.code === 'not_cancelable')) throw error;
  }
}

function stateOf(task: TaskView) {
  const createdAt = task.created_at;
  return {
    taskId: task.task_id,
    status: statusOf(task),
    statusMessage: isFinal(task) ? task.status : `${task.status}, ${task.progress} %`,
    createdAt,
    lastUpdatedAt: task.completed_at ?? task.started_at ?? createdAt,
    ttlMs: Date.parse(task.expires_at) - Date.parse(createdAt),
    pollIntervalMs: Math.min(15, Math.max(1, Math.ceil((task.estimated_seconds ?? 4) / 4))) * 1000,
  };
}

/** A failed order is a completed task whose result is an error: `failed` stands for errors of the protocol. */
function statusOf({ status }: TaskView): 'working' | 'completed' | 'cancelled' {
  if (status === 'canceled') return 'cancelled';
  return status === 'succeeded' || status === 'failed' ? 'completed' : 'working';
}

async function protocolErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const isUnknown = error.error.code === 'task_not_found';
    const code = isUnknown ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
    throw new ProtocolError(code, `${error.error.code}: ${error.message}`, error.error);
  }
}
