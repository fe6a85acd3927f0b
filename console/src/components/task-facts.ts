import type { TaskView as Task } from '@darkroom-service/contract';
import { formatMoney, formatSeconds, formatTime } from '../format.ts';

/** Returns price, time, size and seed of a result, as far as available. */
export function factsOf(task: Task): readonly string[] {
  const output = task.outputs[0];
  const seconds = secondsOf(task);
  const seed = seedOf(task);
  return [
    task.cost.state === 'released' || task.cost.state === 'refunded' ? null : formatMoney(task.cost.amount),
    seconds === null ? null : formatSeconds(seconds),
    output?.width == null || output.height == null ? null : `${output.width}×${output.height}`,
    seed === null ? null : `seed ${seed}`,
  ].filter((fact) => fact !== null);
}

export function seedOf({ outputs, input }: Task): number | null {
  const seed = outputs[0]?.seed ?? input.seed;
  return typeof seed === 'number' ? seed : null;
}

/** Returns the seconds that a result took, without the time in the queue; null if unknown. */
export function secondsOf({ started_at: start, completed_at: end }: Task): number | null {
  return start === null || end === null ? null : (Date.parse(end) - Date.parse(start)) / 1000;
}

export function promptOf({ input }: Task): string {
  return typeof input.prompt === 'string' ? input.prompt : '';
}

/** Returns the alternative text of a result. */
export function altOf(task: Task): string {
  const [kind, prompt] = [task.type === 'video' ? 'video' : 'image', promptOf(task)];
  if (prompt === '') return `The finished ${kind}`;
  return kind === 'video' ? `Video: ${prompt}` : `Image: ${prompt}`;
}

export function hasResult(task: Task | undefined): task is Task {
  return task?.status === 'succeeded' && task.outputs.length > 0;
}

/** Returns why an order waits, as a part of a line; null if it goes on, or only waits for its turn or another order. */
export function delayFact({ delay }: Pick<Task, 'delay'>): string | null {
  if (delay === undefined || delay.code === 'turn' || delay.code === 'parent') return null;
  return delay.message.replace(/\.$/, '');
}

/** Returns since when an order waits, what lets it go on, and when that is tried again, in one or two sentences. */
export function delayEnd({ since, ends_when: end, retry_at: next }: NonNullable<Task['delay']>): string {
  const begun = since === null ? '' : `Since ${formatTime(since)}. `;
  const tried = next === null || Date.parse(next) <= Date.now() ? '' : ` The next try is at ${formatTime(next)}.`;
  return `${begun}It goes on when ${end}.${tried}`;
}

/** Returns a waiting order's position in the queue, in words; null for others. */
export function queuePlace({ queue_position: place }: Pick<Task, 'queue_position'>): string | null {
  if (place === null) return null;
  return place === 1 ? 'next in the queue' : `number ${place} in the queue`;
}
