import { isDoneWithin } from '@darkroom-service/contract';
import type { TaskRow } from '../record/task.ts';
import { readTask, type TaskRecord } from '../record/task-record.ts';
import { LostClaim } from '../tasks/move-task.ts';
import { abortAttempt, advanceTask } from './advance-task.ts';
import { ClaimedTask } from './claimed-task.ts';
import type { TaskEvent } from './decide/event.ts';
import { DelayedChecks } from './delayed-checks.ts';
import { Interruption } from './interruption.ts';
import { readDelayed, releaseDelayed } from './ownership/claimed-tasks.ts';
import type { WorkerServices } from './worker-services.ts';

interface OwnTasksOptions {
  /** Whether the service stops: no resumable work may begin, and no lease is kept. */
  readonly isStopping: () => boolean;
  /** Called when a check is due or an attempt has ended. @param isWorkLeft whether the database may have work */
  readonly wake: (isWorkLeft: boolean) => void;
  /** Called when the work on a task failed, so that its claim may have no worker. */
  readonly onFault: () => void;
}

type DelayedEnd = Extract<ClaimedTask['end'], { readonly type: 'delayed' }>;

/**
 * Tasks that this process has claimed. Until a task is settled or taken over, it is
 *
 * - *worked on*: an attempt advances it (`start`), or
 * - *delayed*: its engine works on it, and the lease is kept until the next check (`#delay`). When the check is due, an
 *   attempt makes it (`resumeDue`); without room in this process the lease is released (`release`).
 */
export class OwnTasks {
  readonly #work: WorkerServices;
  readonly #options: OwnTasksOptions;
  /** Current attempt of each task that is worked on. */
  readonly #attempts = new Map<string, ClaimedTask>();
  /** All running attempts, also on tasks that were claimed again meanwhile. A stop ends all of them. */
  readonly #running = new Map<ClaimedTask, Promise<void>>();
  readonly #delayed: DelayedChecks;

  constructor(work: WorkerServices, options: OwnTasksOptions) {
    this.#work = work;
    this.#options = options;
    this.#delayed = new DelayedChecks(work.services.clock);
  }

  /** Number of tasks that are worked on. */
  get working(): number {
    return this.#attempts.size;
  }

  get size(): number {
    return this.#attempts.size + this.#delayed.size;
  }

  get attempts(): readonly ClaimedTask[] {
    return [...this.#attempts.values()];
  }

  /** Returns the number of tasks of a queue that are worked on. */
  countOf(queue: string): number {
    return this.attempts.filter(({ task }) => task.queue === queue).length;
  }

  isWorkingOn(taskId: string): boolean {
    return this.#attempts.has(taskId);
  }

  has(taskId: string): boolean {
    return this.#attempts.has(taskId) || this.#delayed.has(taskId);
  }

  /** Works on a claimed task. @param isForCall whether it is checked because its upstream called */
  start(task: TaskRecord, first: TaskEvent = { type: 'claimed' }, isForCall = false): void {
    const { heartbeat, services } = this.#work;
    // The task was taken over from this process itself. Resumable work starts again under the new claim. A paid call
    // continues, and its answer is reported as late.
    this.#delayed.delete(task.id);
    this.#attempts.get(task.id)?.interruption.abortIfResumable(new LostClaim(task.id));
    const interruption = new Interruption(heartbeat, this.#options.isStopping);
    const attempt = new ClaimedTask(this.#work, task, { interruption, isForCall });
    if (first.type === 'slot_claimed') interruption.setResumable(attempt.engine?.repeatable === true, attempt.engine);
    this.#attempts.set(task.id, attempt);
    const done = services.tracer
      .claim(task, async () => {
        await advanceTask(attempt, first).catch((error: unknown) => {
          this.#options.onFault();
          return abortAttempt(attempt, error);
        });
        return attempt.end?.type === 'delayed';
      })
      .finally(() => this.#ended(attempt));
    this.#running.set(attempt, done);
  }

  async #ended(attempt: ClaimedTask): Promise<void> {
    const { id, simulate } = attempt.task;
    attempt.interruption.workEnded();
    if (this.#attempts.get(id) === attempt) {
      this.#attempts.delete(id);
      if (attempt.end?.type === 'delayed') this.#delay(attempt, attempt.end);
    }
    if (this.#options.isStopping()) await this.release();
    this.#running.delete(attempt);
    // An order that is delayed or settled leaves nothing more to find in the database, unless it leaves room in this
    // process.
    this.#options.wake(attempt.end === null || (attempt.engine?.isLocal === true && simulate === null));
  }

  #delay({ task, cancel, wasCalled, isForCall }: ClaimedTask, { afterMs, isPutOff }: DelayedEnd): void {
    this.#delayed.delay(task, afterMs, { isForCall, isPutOff });
    // The upstream may have answered the check before the order ended.
    if (wasCalled) this.#delayed.calledBack(task.id, task.route.engine);
    // The row was read before the cancel.
    if (cancel.isRequested) this.#delayed.cancelRequested(task.id);
  }

  /** Makes the checks that are due. @returns their number */
  async resumeDue(limit: number): Promise<number> {
    const due = this.#delayed.takeDue(limit);
    if (due.length === 0) return 0;
    let rows: TaskRow[];
    try {
      rows = await readDelayed(this.#work.services.database.read, due);
    } catch (error) {
      for (const task of due) this.#delayed.add(task);
      throw error;
    }
    const called = new Set(due.flatMap(({ id, isCalled }) => (isCalled ? [id] : [])));
    for (const row of rows) this.start(readTask(row), { type: 'claimed' }, called.has(row.id));
    return rows.length;
  }

  /** Returns the pause until the next check, in milliseconds. */
  nextCheckInMs(): number {
    return this.#delayed.nextInMs();
  }

  /** Releases all delayed tasks, or those overdue, so that any process can claim them when they are due. */
  async release(overdue?: { readonly limit: number; readonly sinceMs: number }): Promise<void> {
    const { database, log } = this.#work.services;
    const tasks =
      overdue === undefined ? this.#delayed.takeAll() : this.#delayed.takeDue(overdue.limit, overdue.sinceMs);
    if (tasks.length === 0) return;
    try {
      await releaseDelayed(database, tasks, (task) => this.#delayed.inMs(task));
    } catch (error) {
      for (const task of tasks) this.#delayed.add(task);
      log.error({ err: error, tasks: tasks.length }, 'could not release leases; they end with this process');
    }
  }

  cancelRequested(taskId: string): void {
    this.#attempts.get(taskId)?.cancel.request();
    if (this.#delayed.cancelRequested(taskId)) this.#options.wake(false);
  }

  /** Records that an engine's upstream called about a task. @returns whether the task is here */
  calledBack(taskId: string, engine: string): boolean {
    if (this.#attempts.get(taskId)?.calledBack(engine) ?? this.#delayed.calledBack(taskId, engine)) {
      this.#work.callbacks.heard(engine);
      this.#options.wake(false);
    }
    return this.has(taskId);
  }

  /** Aborts resumable attempts, or all. Calls that may be charged are otherwise waited for. */
  abort(which: 'resumable' | 'all'): void {
    const reason = () => new Error('the service stops');
    for (const { interruption } of this.#running.keys())
      if (which === 'all') interruption.abort(reason());
      else interruption.abortIfResumable(reason());
  }

  /** Waits for the current attempts. @returns the tasks whose attempts still run; null if all have ended */
  async ended(withinMs: number): Promise<readonly string[] | null> {
    if (await isDoneWithin(withinMs, Promise.all(this.#running.values()))) return null;
    return [...this.#running.keys()].map(({ task }) => task.id);
  }
}
