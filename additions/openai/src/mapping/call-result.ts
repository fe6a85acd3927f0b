import { type JsonObject, type Micros, world } from '@darkroom-service/contract';
import {
  inputOf,
  type Kernel,
  type OrderingKey,
  type StoredOutput,
  type TaskEnd,
} from '@darkroom-service/darkroom/kernel';
import { failureOf, isFinal, outputsOf, type ViewRow } from '@darkroom-service/darkroom/kernel-views';
import type { TaskFailure } from '@darkroom-service/engines';
import type { Call } from './calls.ts';

/** State of a call. */
export interface CallResult {
  /** Whether all its tasks are final. */
  readonly isFinal: boolean;
  /** The images, or the films, of the tasks that have one. */
  readonly images: readonly { readonly taskId: string; readonly output: StoredOutput }[];
  readonly failures: readonly { readonly taskId: string; readonly failure: CallFailure }[];
  /** The charges of all its tasks. */
  readonly charged: Micros;
  /** The time at which the tasks were placed, in milliseconds. */
  readonly createdAt: number;
  /** The time at which the last task became final; null before. */
  readonly completedAt: number | null;
  readonly modelId: string;
  /** The request of its tasks as the service shows it. */
  readonly input: ReturnType<typeof inputOf>;
}

/** Reason why a task of a call has no image. */
export interface CallFailure {
  readonly code: TaskFailure['code'] | 'canceled' | 'outputs_expired';
  readonly message: string;
}

/** Reads the result of a call from its tasks. @throws ServiceError `task_not_found` if a task was deleted */
export async function readResult({ tasks }: Pick<Kernel, 'tasks'>, key: OrderingKey, call: Call): Promise<CallResult> {
  const seen: SeenTask[] = [];
  for (const taskId of call.taskIds) seen.push(seenTask(await tasks.row(key, typeOf(taskId), taskId), null));
  return resultOf(seen);
}

/**
 * Waits until the call is final, the time is up or the client is gone, and returns the state of the call.
 * @param options.known the first task of the call, if this request has just placed it
 */
export async function waitForCall(
  { tasks }: Pick<Kernel, 'tasks'>,
  key: OrderingKey,
  call: Call,
  options: { readonly seconds: number; readonly signal: AbortSignal; readonly known?: Call['placed'] },
): Promise<CallResult> {
  const end = world.monotonic() + options.seconds * 1000;
  const all: SeenTask[] = [];
  for (const [index, taskId] of call.taskIds.entries()) {
    const seconds = Math.max(0, (end - world.monotonic()) / 1000);
    const known = index === 0 ? options.known : undefined;
    const until = { seconds, signal: options.signal, known: known?.row };
    const seen = await tasks.waitForEnd(key, typeOf(taskId), taskId, until);
    all.push(seenTask(seen.row, seen.end, known?.written.input));
  }
  return resultOf(all);
}

/** Returns the type of a task, which its id begins with. */
export function typeOf(taskId: string): 'image' | 'video' {
  return taskId.startsWith('vid_') ? 'video' : 'image';
}

/** A task of a call: its row, and its end after the row was read. */
interface SeenTask extends Pick<TaskEnd, 'charged' | 'completedAt' | 'outputs'> {
  readonly row: ViewRow;
  /** The content of `input_json`; undefined if it was not parsed. */
  readonly input: JsonObject | undefined;
  readonly isFinal: boolean;
  /** Failure of the task; null unless it is final and has no image. */
  readonly failure: CallFailure | null;
}

function seenTask(row: ViewRow, end: TaskEnd | null, input?: JsonObject): SeenTask {
  const outputs = end === null ? outputsOf(row) : end.outputs;
  const hasEnded = end !== null || isFinal(row.status);
  const failure = end === null ? failureOf(row) : end.failure;
  const isCanceled = end === null ? row.status === 'canceled' : true;
  return {
    row,
    input,
    outputs,
    isFinal: hasEnded,
    failure: !hasEnded || outputs.length > 0 ? null : (failure ?? (isCanceled ? CANCELED : ERASED)),
    charged: end?.charged ?? row.charged ?? 0,
    completedAt: end?.completedAt ?? row.completed_at ?? 0,
  };
}

const CANCELED: CallFailure = { code: 'canceled', message: 'The task was canceled. Nothing was charged.' };
const ERASED: CallFailure = {
  code: 'outputs_expired',
  message: 'The files of this task were erased. Order again.',
};

function resultOf(tasks: readonly SeenTask[]): CallResult {
  const [first] = tasks;
  const hasEnded = tasks.every((task) => task.isFinal);
  return {
    isFinal: hasEnded,
    images: tasks.flatMap(({ row: { id: taskId }, outputs: [output] }) =>
      output === undefined ? [] : [{ taskId, output }],
    ),
    failures: tasks.flatMap(({ row: { id: taskId }, failure }) => (failure === null ? [] : [{ taskId, failure }])),
    charged: tasks.reduce((sum, { charged }) => sum + charged, 0),
    createdAt: first?.row.created_at ?? 0,
    completedAt: hasEnded ? Math.max(...tasks.map(({ completedAt }) => completedAt)) : null,
    modelId: first?.row.model_id ?? '',
    input: first === undefined ? {} : (first.input ?? inputOf(first.row)),
  };
}
