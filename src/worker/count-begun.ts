import { engineOfQueue } from '../queue/queue-names.ts';
import { deadlineMsAt } from '../record/order-times.ts';
import type { TaskRow } from '../record/task.ts';
import type { TaskServices } from '../tasks/task-services.ts';

/** Counts the waiting time of an order that is submitted for the first time. */
export function countBegun(
  { clock, figures, settings }: Pick<TaskServices, 'clock' | 'figures' | 'settings'>,
  task: Pick<TaskRow, 'mode' | 'queue' | 'created_at' | 'deadline_at'>,
): void {
  // The deadline begins when a task enters the queue.
  const enteredAt = Math.max(task.created_at, task.deadline_at - deadlineMsAt(settings, engineOfQueue(task.queue)));
  figures.began({ mode: task.mode, seconds: Math.max(0, clock.now() - enteredAt) / 1000 });
}
