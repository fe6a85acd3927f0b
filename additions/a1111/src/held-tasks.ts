import { findHeldCalls } from '@darkroom-service/addition-openai/mapping/held-calls';
import type { TaskView } from '@darkroom-service/contract';
import type { OrderingKey, ServingKernel } from '@darkroom-service/darkroom/kernel';
import { DOOR } from './read-call.ts';

/** Returns the open tasks of the newest call that an app of this key waits for; empty = there is none. */
export async function findHeldTasks(kernel: ServingKernel, key: OrderingKey): Promise<TaskView[]> {
  for (const { taskIds } of await findHeldCalls(kernel, key, DOOR)) {
    const tasks = await Promise.all(taskIds.map((id) => kernel.tasks.find(key, 'image', id)));
    const open = tasks.filter(({ completed_at: at }) => at === null);
    if (open.length > 0) return open;
  }
  return [];
}
