import type { TaskRow } from '../../tasks/task.ts';
import { retryOwnWrite } from '../retry-own-write.ts';
import type { Held, WorkerServices } from '../worker-services.ts';
import type { Answer } from './answer.ts';

/** After this time the write may hang, so the answer is spooled meanwhile. */
const SLOW_MS = 1000;

/**
 * Stores the unsaved answer of a task, and retries while our own database or storage fails. After the first failure the answer is spooled. It
 * is kept unless it was stored.
 * @param attempt stores the answer; gets its current form
 * @throws the error of the last attempt
 */
export async function saveAnswer<T>(
  work: WorkerServices,
  task: TaskRow,
  held: Held,
  attempt: (answer: Answer) => Promise<T>,
): Promise<T> {
  const { answers } = work;
  const result = await retryOwnWrite(work, task, held, async () => {
    const answer = answers.of(task.id);
    if (answer === null) throw new Error(`the answer to the task ${task.id} is no longer in hand`);
    const slow = setTimeout(() => void answers.spool(task.id), SLOW_MS);
    try {
      return await attempt(answer);
    } catch (error) {
      await answers.spool(task.id);
      throw error;
    } finally {
      clearTimeout(slow);
    }
  });
  await answers.release(task.id);
  return result;
}
