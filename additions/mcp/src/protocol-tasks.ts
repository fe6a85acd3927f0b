import type { BatchView, TaskView } from '@darkroom-service/contract';
import { type CallToolResult, type McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { batchResult, countFinal } from './batch-result.ts';
import { callForData, Refusal } from './call-api.ts';
import { isBatchId, pathOfBatch, readBatch } from './follow-batch.ts';
import { isFinal, pathOfTask, readTask } from './follow-task.ts';
import { taskResult } from './results.ts';
import type { ToolContext } from './tool-context.ts';

/** Name of the extension, by which a task or a batch of the service is a task of the protocol, with the same id. */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

const BATCH_POLL_MS = 3_000;
const ByTaskId = z.looseObject({ taskId: z.string().max(200) });
const Answers = z.looseObject({
  taskId: z.string().max(200),
  inputResponses: z.record(z.string(), z.unknown()).optional(),
});

/**
 * Returns the result of a tool that continues as a task: the client reads it with `tasks/get`. The order is stored
 * already.
 */
export function taskOffer(task: TaskView): CallToolResult {
  // The package types no result of an extension; it sends the fields as they are.
  return { resultType: 'task', ...stateOf(task) } as unknown as CallToolResult;
}

/** Returns a batch as a task of the protocol that the client can follow. */
export function batchOffer(batch: BatchView): CallToolResult {
  return { resultType: 'task', ...stateOfBatch(batch) } as unknown as CallToolResult;
}

/** Answers the methods of the extension. */
export function addProtocolTasks({ server }: McpServer, context: ToolContext): void {
  server.setRequestHandler('tasks/get', { params: ByTaskId }, async ({ taskId }) =>
    protocolErrors(async () => {
      if (isBatchId(taskId)) return await readProtocolBatch(context, taskId);
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
      await (isBatchId(taskId) ? readBatch(context, taskId) : readTask(context, taskId));
      // A person is asked before an order is placed, so no task has an open question; answers to closed ones are
      // ignored.
      return {};
    }),
  );
}

async function readProtocolBatch(context: ToolContext, batchId: string) {
  const batch = await readBatch(context, batchId);
  const state = stateOfBatch(batch);
  if (state.status !== 'completed') return state;
  return { ...state, result: { resultType: 'complete', ...(await batchResult(context, batch)) } };
}

/** Requests the cancellation of a task. An order that cannot stop continues, and `tasks/get` says so. */
async function cancel({ call }: ToolContext, taskId: string): Promise<void> {
  try {
    await callForData(call, {
      method: 'POST',
      path: `${isBatchId(taskId) ? pathOfBatch(taskId) : pathOfTask(taskId)}/cancel`,
    });
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

function stateOfBatch(batch: BatchView) {
  const { batch_id: taskId, status, created_at: createdAt, completed_at: completedAt } = batch;
  return {
    taskId,
    status: status === 'processing' ? 'working' : status === 'canceled' ? 'cancelled' : 'completed',
    statusMessage: `${status}, ${countFinal(batch)} of ${batch.orders} orders are final`,
    createdAt,
    lastUpdatedAt: completedAt ?? createdAt,
    // A batch is kept; only its tasks expire.
    ttlMs: null,
    pollIntervalMs: BATCH_POLL_MS,
  };
}

/**
 * Returns the status in the protocol. A failed order is a completed task whose result is an error: `failed` means
 * errors of the protocol.
 */
function statusOf({ status }: TaskView): 'working' | 'completed' | 'cancelled' {
  if (status === 'canceled') return 'cancelled';
  return status === 'succeeded' || status === 'failed' ? 'completed' : 'working';
}

async function protocolErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const isUnknown = error.error.code === 'task_not_found' || error.error.code === 'not_found';
    const code = isUnknown ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
    throw new ProtocolError(code, `${error.error.code}: ${error.message}`, error.error);
  }
}
