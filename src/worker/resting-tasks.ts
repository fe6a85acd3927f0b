import type { Clock } from '../base/clock.ts';
import type { TaskRecord } from '../tasks/task-record.ts';

/** A task whose engine works on it, and whose lease this process keeps until the next check. */
export interface RestingTask extends Pick<TaskRecord, 'id' | 'fence' | 'cancel_requested_at'> {
  /** By the monotonic clock of this process: a clock that is set back delays no check. */
  readonly dueAtMs: number;
  /** By the service's clock, if that comes first. */
  readonly dueAt: number;
}

/**
 * However soon an engine wants to be asked again, other work runs in between. Checks of this time are done together.
 */
const SHORTEST_REST_MS = 20;

/**
 * The tasks of this process that wait for their next check. Nothing is written for the wait: the lease stays, and with
 * the process it ends.
 */
export class RestingTasks {
  readonly #clock: Clock;
  readonly #tasks = new Map<string, RestingTask>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#tasks.size;
  }

  add(task: RestingTask): void {
    this.#tasks.set(task.id, task);
  }

  rest(task: TaskRecord, afterMs: number): void {
    const { id, fence, cancel_requested_at } = task;
    const ms = Math.max(SHORTEST_REST_MS, afterMs);
    this.add({ id, fence, cancel_requested_at, dueAtMs: performance.now() + ms, dueAt: this.#clock.now() + ms });
  }

  has(id: string): boolean {
    return this.#tasks.has(id);
  }

  delete(id: string): void {
    this.#tasks.delete(id);
  }

  /** Makes a task due, unless its last check knew of the requested cancel. @returns whether it is due now */
  cancelRequested(id: string): boolean {
    const task = this.#tasks.get(id);
    if (task === undefined || task.cancel_requested_at !== null) return false;
    this.add({ ...task, dueAtMs: 0 });
    return true;
  }

  /** Removes and returns the tasks that have been due for `sinceMs`, at most `limit`. */
  takeDue(limit: number, sinceMs = 0): RestingTask[] {
    const due: RestingTask[] = [];
    for (const task of this.#tasks.values()) if (this.inMs(task) <= -sinceMs) due.push(task);
    due.sort((one, other) => one.dueAtMs - other.dueAtMs).splice(limit);
    for (const { id } of due) this.#tasks.delete(id);
    return due;
  }

  takeAll(): RestingTask[] {
    const all = [...this.#tasks.values()];
    this.#tasks.clear();
    return all;
  }

  /** Returns how long to wait for the next checks. */
  nextInMs(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const task of this.#tasks.values()) next = Math.min(next, this.inMs(task));
    return Math.max(SHORTEST_REST_MS, next);
  }

  /** Returns the time until the check of a task. */
  inMs({ dueAtMs, dueAt }: RestingTask): number {
    return Math.min(dueAtMs - performance.now(), dueAt - this.#clock.now());
  }
}
