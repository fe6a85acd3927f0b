import { type OrderFacts, WaitTimeoutError } from './errors.ts';
import type { Task } from './generated/interface.ts';
import { pause } from './pause.ts';
import { taskPath } from './task-path.ts';
import type { Transport } from './transport.ts';
import { type WaitOptions, type Watched, waitForEnd } from './watch.ts';

const POLL_WAIT_SECONDS = 25;
/** About five minutes: longer than a restart of the service. */
export const POLL_RETRIES = 40;

export function isFinal({ status }: Pick<Task, 'status'>): boolean {
  return status === 'succeeded' || status === 'failed' || status === 'canceled';
}

export function watchedTask(transport: Transport, taskId: string, known: OrderFacts = {}): Watched<Task> {
  return {
    path: `${taskPath(taskId)}/events`,
    eventName: 'task',
    isNewer: (found, latest) => found.revision > latest.revision,
    isFinal,
    facts: (latest) => ({ ...known, taskId, task: latest ?? known.task }),
    async poll({ signal, facts }, waits) {
      const { data: task, headers } = await transport.send<Task>({
        path: taskPath(taskId),
        headers: waits ? { prefer: `wait=${POLL_WAIT_SECONDS}` } : {},
        retries: POLL_RETRIES,
        responseTimeoutMs: (POLL_WAIT_SECONDS + 20) * 1000,
        signal,
        facts,
      });
      // Without the header the key has too many waiting requests, and this one was answered at once.
      if (waits && !isFinal(task) && !headers.has('preference-applied')) {
        const seconds = Number(headers.get('retry-after') ?? '') || 2;
        // After an abort the next call throws the error that names the task.
        await pause(seconds * 1000, signal).catch(() => undefined);
      }
      return task;
    },
  };
}

/** Waits until a task is final, however it ends. @param known what is known of it, for errors */
export async function waitForTask(
  transport: Transport,
  taskId: string,
  options: WaitOptions,
  known: OrderFacts = {},
): Promise<Task> {
  return await waitForEnd(transport, watchedTask(transport, taskId, known), options, (seconds, latest) => {
    const message = `${taskId} was not final after ${seconds} s. It continues: wait for it again, or cancel it.`;
    return new WaitTimeoutError('wait_timeout', message, { ...known, taskId, task: latest ?? known.task });
  });
}
