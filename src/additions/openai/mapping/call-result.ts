import type { OrderingKey } from '../../../accounts/api-key.ts';
import type { Micros } from '../../../base/money.ts';
import type { TaskFailure } from '../../../engines/engine.ts';
import { isFinal, type StoredOutput } from '../../../tasks/task.ts';
import type { ViewRow } from '../../../tasks/task-columns.ts';
import { failureOf, inputOf, outputsOf } from '../../../tasks/task-json.ts';
import type { TaskServices } from '../../../tasks/task-services.ts';
import { findTaskRow } from '../../../views/find-tasks.ts';
import { waitForTask } from '../../../views/wait-for-task.ts';
import type { Call } from './calls.ts';

/** How a call stands. */
export interface CallResult {
  /** Whether all its tasks are final. */
  readonly isFinal: boolean;
  readonly images: readonly { readonly taskId: string; readonly output: StoredOutput }[];
  readonly failures: readonly { readonly taskId: string; readonly failure: CallFailure }[];
  /** The charges of all its tasks. */
  readonly charged: Micros;
  /** When its tasks were placed, in milliseconds. */
  readonly createdAt: number;
  /** When the last of them became final; null before. */
  readonly completedAt: number | null;
  /** The request of its tasks as the service shows it. */
  readonly input: ReturnType<typeof inputOf>;
}

/** Why a task of a call has no image. */
export interface CallFailure {
  readonly code: TaskFailure['code'] | 'canceled' | 'outputs_expired';
  readonly message: string;
}

/** @throws ServiceError `task_not_found` if a task was deleted */
export async function readResult(
  services: Pick<TaskServices, 'database'>,
  key: OrderingKey,
  call: Call,
): Promise<CallResult> {
  const rows: ViewRow[] = [];
  for (const taskId of call.taskIds) rows.push(await findTaskRow(services.database.read, key, 'image', taskId));
  const outputs = rows.map((row) => ({ taskId: row.id, output: outputsOf(row)[0], row }));
  return {
    isFinal: rows.every((row) => isFinal(row.status)),
    images: outputs.flatMap(({ taskId, output }) => (output === undefined ? [] : [{ taskId, output }])),
    failures: outputs.flatMap(({ taskId, output, row }) =>
      output === undefined && isFinal(row.status) ? [{ taskId, failure: failureOfRow(row) }] : [],
    ),
    charged: rows.reduce((sum, row) => sum + (row.charged ?? 0), 0),
    createdAt: rows[0]?.created_at ?? 0,
    completedAt: rows.every((row) => isFinal(row.status))
      ? Math.max(...rows.map((row) => row.completed_at ?? 0))
      : null,
    input: rows[0] === undefined ? {} : inputOf(rows[0]),
  };
}

/** Waits until the call is final, the time is up or the client is gone, and returns how it then stands. */
export async function waitForCall(
  services: TaskServices,
  key: OrderingKey,
  call: Call,
  options: { readonly seconds: number; readonly signal: AbortSignal },
): Promise<CallResult> {
  const end = performance.now() + options.seconds * 1000;
  for (const taskId of call.taskIds) {
    const seconds = Math.max(0, (end - performance.now()) / 1000);
    await waitForTask(services, key, 'image', taskId, { seconds, signal: options.signal });
  }
  return await readResult(services, key, call);
}

function failureOfRow(row: ViewRow): CallFailure {
  const failure = failureOf(row);
  if (failure !== null) return failure;
  if (row.status === 'canceled') return { code: 'canceled', message: 'The task was canceled. Nothing was charged.' };
  return { code: 'outputs_expired', message: 'The files of this task were erased. Order again.' };
}
