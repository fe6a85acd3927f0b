import type { ApiClient } from '@darkroom-service/addition-common/commands/api-client';
import { sleep, type TaskView, world } from '@darkroom-service/contract';
import {
  CommandFault,
  createProgressBar,
  inform,
  type OutputOptions,
  STANDARD,
  show,
  watchInterruption,
} from '@darkroom-service/darkroom/kernel-cli';
import { describeProgress, describeTask, isFinal, taskPath } from './describe-task.ts';
import { saveOutput } from './save-output.ts';
import type { SaveOptions } from './save-target.ts';

export type FollowOptions = OutputOptions & SaveOptions;

/** Time for which requests are retried; longer than a restart of the service. */
const PATIENCE_MS = 60_000;

/**
 * Waits until a task is final, saves its output and shows it. Ctrl-C ends the waiting, not the task.
 * @throws CommandFault when the task does not succeed.
 */
export async function followTask(client: ApiClient, task: TaskView, options: FollowOptions): Promise<void> {
  const final = await waitUntilFinal(client, task, options);
  if (final.status !== 'succeeded') throw unsuccessfulFault(final);
  await saveAndShow(client, final, options);
}

/** Saves the output of a succeeded task and shows both. @throws CommandFault */
export async function saveAndShow(client: ApiClient, final: TaskView, options: FollowOptions): Promise<void> {
  const remark = await saveOutput(client, final, options);
  if (remark !== null) inform(options, remark);
  if (options.output === STANDARD) return inform(options, describeTask(final));
  const saved = options.output === undefined ? '' : `\nsaved as ${options.output}`;
  show(options, {
    json: final,
    text: describeTask(final) + saved,
    plain: options.output ?? final.outputs[0]?.url ?? '',
  });
}

/** Creates the fault for a task that failed or was canceled. */
export function unsuccessfulFault(final: TaskView): CommandFault {
  const reason = final.error === null ? '' : `: ${final.error.message} (${final.error.code})`;
  const message = `${final.task_id} ${final.status === 'failed' ? 'failed' : 'was canceled'}${reason}. Nothing was charged.`;
  return new CommandFault(message, { document: final });
}

/** Waits until a task is final. Ctrl-C ends the waiting, not the task. @throws CommandFault */
export async function waitUntilFinal(client: ApiClient, started: TaskView, options: OutputOptions): Promise<TaskView> {
  const { signal, release } = watchInterruption();
  const bar = createProgressBar(!options.json);
  // With a progress bar the task is polled every second; without one the service holds the request until it is final.
  const waitSeconds = process.stderr.isTTY && !options.json ? 1 : 20;
  try {
    let task = started;
    while (!isFinal(task)) {
      bar.draw(task.progress, describeProgress(task));
      const askedAt = world.now();
      task = await client.get<TaskView>(taskPath(task.task_id), {
        headers: { prefer: `wait=${waitSeconds}` },
        signal,
        patienceMs: PATIENCE_MS,
      });
      const pauseMs = askedAt + 1000 - world.now();
      if (!isFinal(task) && pauseMs > 0) await sleep(pauseMs, { signal });
    }
    return task;
  } catch (error) {
    bar.clear();
    throw signal.aborted ? interruptedFault(started) : withTaskId(started, error);
  } finally {
    bar.clear();
    release();
  }
}

/** Creates the fault after Ctrl-C: waiting ends, the task continues. */
export function interruptedFault(task: Pick<TaskView, 'task_id'>): CommandFault {
  const id = task.task_id;
  const message = `The task continues: ${id}\nWait for it: darkroom tasks wait ${id}\nCancel it: darkroom tasks cancel ${id}`;
  return new CommandFault(message, {
    exitCode: 130,
    document: { error: { code: 'interrupted', message }, task_id: id },
  });
}

function withTaskId(task: TaskView, error: unknown): unknown {
  if (!(error instanceof CommandFault)) return error;
  const message = `${error.message}\nThe task continues. Wait for it again: darkroom tasks wait ${task.task_id}`;
  return new CommandFault(message, { document: { ...error.document, task_id: task.task_id }, cause: error });
}
