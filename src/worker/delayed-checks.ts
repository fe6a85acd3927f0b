import { type Clock, world } from '@darkroom-service/contract';
import type { TaskRecord } from '../record/task-record.ts';

/** A task whose engine works on it, and whose lease this process keeps until the next check. */
export interface DelayedCheck extends Pick<TaskRecord, 'id' | 'fence' | 'cancel_requested_at'> {
  readonly engine: string;
  /** The next check by the monotonic clock of this process: a clock that is set back delays no check. */
  readonly dueAtMs: number;
  /** The next check by the service's clock, if that comes first. */
  readonly dueAt: number;
  /** Whether the upstream called, so that the next check is made for that. */
  readonly isCalled: boolean;
  /** The earliest check for a call, by the monotonic clock. */
  readonly calledFromMs: number;
}

type Due = Pick<DelayedCheck, 'dueAtMs' | 'dueAt'>;

const NEVER: Due = { dueAtMs: Number.POSITIVE_INFINITY, dueAt: Number.POSITIVE_INFINITY };

function sooner(one: Due, other: Due): Due {
  return { dueAtMs: Math.min(one.dueAtMs, other.dueAtMs), dueAt: Math.min(one.dueAt, other.dueAt) };
}

/**
 * Shortest pause between checks: even if an engine asks for a shorter one, other work runs in between. Checks are due
 * at multiples of this time, so checks that are due at the same time run together.
 */
const SHORTEST_DELAY_MS = 20;
/** Pause after a check caused by a call until the next call causes one: an upstream may call any number of times. */
const BETWEEN_CALLS_MS = 1_000;

/**
 * Tasks of this process that wait for their next check. Nothing is written for the wait: the lease stays, and ends with
 * the process. Thousands may wait, so their rows are not kept: a check reads its own.
 */
export class DelayedChecks {
  readonly #clock: Clock;
  readonly #tasks = new Map<string, DelayedCheck>();
  /**
   * Earliest time at which a task may be due, by the monotonic clock and by the service's. So most polls need no walk.
   */
  #soonest = NEVER;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#tasks.size;
  }

  add(task: DelayedCheck): void {
    this.#tasks.set(task.id, task);
    this.#soonest = sooner(this.#soonest, task);
  }

  /** @param check the last check: whether a call of the upstream caused it, and whether it was put off */
  delay(
    task: TaskRecord,
    afterMs: number,
    { isForCall, isPutOff }: { readonly isForCall: boolean; readonly isPutOff: boolean },
  ): void {
    const { id, fence, cancel_requested_at, route } = task;
    const nowMs = world.monotonic();
    const ticks = Math.ceil((nowMs + Math.max(SHORTEST_DELAY_MS, afterMs)) / SHORTEST_DELAY_MS);
    const ms = ticks * SHORTEST_DELAY_MS - nowMs;
    const calledFromMs = isForCall ? nowMs + BETWEEN_CALLS_MS : 0;
    const calls = { isCalled: isForCall && isPutOff, calledFromMs };
    const due = { dueAtMs: nowMs + ms, dueAt: this.#clock.now() + ms };
    this.add({ id, engine: route.engine, fence, cancel_requested_at, ...due, ...calls });
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

  /** Makes a task of an engine due because its upstream called. @returns whether it is here */
  calledBack(id: string, engine: string): boolean {
    const task = this.#tasks.get(id);
    if (task?.engine !== engine) return false;
    if (!task.isCalled) this.add({ ...task, isCalled: true, dueAtMs: Math.min(task.dueAtMs, task.calledFromMs) });
    return true;
  }

  /** Removes and returns the tasks that have been due for `sinceMs`, at most `limit`. */
  takeDue(limit: number, sinceMs = 0): DelayedCheck[] {
    const nowMs = world.monotonic() - sinceMs;
    const now = this.#clock.now() - sinceMs;
    const isDue = ({ dueAtMs, dueAt }: Due) => dueAtMs <= nowMs || dueAt <= now;
    if (!isDue(this.#soonest)) return [];
    const due: DelayedCheck[] = [];
    const soonest = { ...NEVER };
    // Thousands may wait: no object is made for each.
    for (const task of this.#tasks.values()) {
      if (isDue(task)) {
        due.push(task);
        continue;
      }
      soonest.dueAtMs = Math.min(soonest.dueAtMs, task.dueAtMs);
      soonest.dueAt = Math.min(soonest.dueAt, task.dueAt);
    }
    due.sort((one, other) => one.dueAtMs - other.dueAtMs);
    this.#soonest = due.splice(limit).reduce<Due>(sooner, soonest);
    for (const { id } of due) this.#tasks.delete(id);
    return due;
  }

  takeAll(): DelayedCheck[] {
    const all = [...this.#tasks.values()];
    this.#tasks.clear();
    this.#soonest = NEVER;
    return all;
  }

  /** Returns the pause until the next checks, in milliseconds. */
  nextInMs(): number {
    return Math.max(SHORTEST_DELAY_MS, this.inMs(this.#soonest));
  }

  /** Returns the time until the check of a task. */
  inMs({ dueAtMs, dueAt }: Due): number {
    return Math.min(dueAtMs - world.monotonic(), dueAt - this.#clock.now());
  }
}
