import { createHash } from 'node:crypto';
import type { Order } from '../engine.ts';

/** Derives a UUID (version 8, canonical form) from a task id; always the same for the same task. */
export function uuidOf(taskId: string): string {
  const bytes = createHash('sha256').update(`darkroom:${taskId}`).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** Returns the request's seed, or one derived from the task: 31 bits, which every upstream accepts. */
export function seedOf({ request, taskId }: Pick<Order, 'request' | 'taskId'>): number {
  const { seed } = request.values;
  return typeof seed === 'number' && seed >= 0
    ? seed
    : createHash('sha256').update(`seed:${taskId}`).digest().readUInt32BE(0) >>> 1;
}
