import { cutText, isId, sleep, type TaskView, world } from '@darkroom-service/contract';
import { callForAnswer, callForData, Refusal } from './call-api.ts';
import type { ToolContext } from './tool-context.ts';

/**
 * Returns the path of a task, whose type follows from its id.
 * @throws Refusal `task_not_found` for anything that is no id of a task
 */
export function pathOfTask(taskId: string): string {
  if (isId(taskId, 'img')) return `/v1/images/${taskId}`;
  if (isId(taskId, 'vid')) return `/v1/videos/${taskId}`;
  const message = `Expected a task_id such as img_01kafx2r5gq3v8m1t0z6y4n7wd, found '${cutText(taskId, 80)}'.`;
  throw new Refusal({ code: 'task_not_found', message, param: 'task_id' });
}

/** Reads the current state of a task. @throws Refusal */
export async function readTask({ call }: ToolContext, taskId: string): Promise<TaskView> {
  return await callForData<TaskView>(call, { method: 'GET', path: pathOfTask(taskId) });
}

/** Waits until a task is final or the seconds are over, and returns its state then. @throws Refusal */
export async function waitForTask(
  { call }: ToolContext,
  taskId: string,
  seconds: number,
  signal: AbortSignal,
): Promise<TaskView> {
  const path = pathOfTask(taskId);
  const end = world.now() + seconds * 1000;
  for (;;) {
    const left = Math.ceil((end - world.now()) / 1000);
    const headers = left > 0 ? { prefer: `wait=${left}` } : {};
    const { data, header } = await callForAnswer<TaskView>(call, { method: 'GET', path, headers, signal });
    if (isFinal(data) || world.now() >= end) return data;
    // Without Preference-Applied, the key has no wait left and is answered at once.
    if (header('preference-applied') === null) {
      const pauseMs = Math.min(Number(header('retry-after') ?? 1) * 1000, end - world.now());
      await sleep(Math.max(0, pauseMs), { signal });
    }
  }
}

export function isFinal({ status }: Pick<TaskView, 'status'>): boolean {
  return status === 'succeeded' || status === 'failed' || status === 'canceled';
}
