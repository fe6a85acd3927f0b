import type { TaskRow } from '../../tasks/task.ts';
import { retryOwnWrite } from '../retry-own-write.ts';
import type { Held, WorkerServices } from '../worker-services.ts';
import type { Answer } from './answer.ts';

/** A write that takes this long may hang with its database: the answer is spooled meanwhile. */
const SLOW_MS = 1000;

/**
 * Stores the answer that is in hand for a task, and tries again for as long as our own database or storage cannot. From the first failure on
 * the answer is spooled. It stays in hand unless it was stored.
 * @param attempt stores it; called with the answer as it is then.
 * @throws what the last attempt threw.
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
