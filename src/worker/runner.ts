import { isDoneWithin, world } from '@darkroom-service/contract';
import type { Engine } from '@darkroom-service/engines';
import type { HeartbeatReport } from '@darkroom-service/store';
import { startWorkLoop, type WorkLoop } from '../base/work-loop.ts';
import type { TaskRow } from '../record/task.ts';
import { readTask } from '../record/task-record.ts';
import { wakeFollowers } from '../tasks/follower.ts';
import type { ImmediateStart } from '../tasks/task-services.ts';
import { breakOffLost } from './break-off-lost.ts';
import { permitsOf } from './claim-permits.ts';
import { type Claimer, createClaimer } from './claim-tasks.ts';
import type { ClaimableQueue } from './claimable-queue.ts';
import { countBegun } from './count-begun.ts';
import { createImmediateStart } from './immediate-start.ts';
import { OwnTasks } from './own-tasks.ts';
import { readCancelRequests } from './ownership/claimed-tasks.ts';
import { type OrphanedClaims, watchOrphanedClaims } from './ownership/orphaned-claims.ts';
import { pollQueues } from './poll-queues.ts';
import type { WorkerServices } from './worker-services.ts';

/** Returns the queues to claim from. @param claimedOf returns how many tasks of a queue this process works on */
type OpenQueues = (
  claimedOf: (queue: string) => number,
) => readonly ClaimableQueue[] | Promise<readonly ClaimableQueue[]>;

const MAX_CLAIMED = 512;
const POLL_EVERY_MS = 1000;
/** The pause, up to twice this long, while another process claims from the same queue. */
const BUSY_LEAST_MS = 10;
const BREAKS_OFF_WITHIN_MS = 2000;
const READ_OWN_EVERY_MS = 1000;
/** A check that waits this long for room in this process is left to any process. */
const LEFT_AFTER_MS = 2000;

/**
 * Claims tasks and advances them until it is stopped. Its phases:
 *
 * - `running`: claims tasks and starts the work on them.
 * - `stopping`: claims no more. Orders that are being placed may still begin.
 * - `stopped`: no work begins. What runs ends, or is aborted.
 */
export class Runner {
  /** Begins orders in the transaction that places them. */
  readonly immediateStart: ImmediateStart & { placed(): Promise<void> };
  readonly #work: WorkerServices;
  readonly #openQueues: OpenQueues;
  readonly #tasks: OwnTasks;
  readonly #claimer: Claimer;
  readonly #orphans: OrphanedClaims;
  #phase: 'running' | 'stopping' | 'stopped' = 'running';

  readonly #loop: WorkLoop;
  /** Time of the next poll; 0 while the database may have work that the last poll did not find. */
  #pollsAt = 0;
  /** Called when the next poll claims no task. */
  #onIdle: (() => void) | undefined;

  readonly #readOwn: NodeJS.Timeout;
  #reading: Promise<void> | null = null;

  readonly #endReports: () => void;
  /** Duration of the last confirmed heartbeats without a gap. */
  #confirmedForMs = Number.POSITIVE_INFINITY;

  constructor(
    work: WorkerServices,
    openQueues: OpenQueues,
    immediateCapacity: (engine: Engine, queue: string) => number | null = () => null,
  ) {
    const { services, worker, confirmedUnsent } = work;
    const { database, log } = services;
    const permits = permitsOf(database);
    this.#work = work;
    this.#openQueues = openQueues;
    this.#tasks = new OwnTasks(work, {
      isStopping: () => this.#phase !== 'running',
      wake: (isWorkLeft) => (isWorkLeft ? this.wake() : this.#loop.wake()),
      onFault: () => this.#orphans.suspect(),
    });
    this.#claimer = createClaimer(database, worker, permits);
    this.immediateStart = createImmediateStart(work, {
      immediateCapacity,
      permits,
      onFault: () => this.#orphans.suspect(),
      mayBegin: (orders) => this.#mayBegin(orders),
      begin: (task) => {
        countBegun(services, task);
        if (this.#phase !== 'stopped') this.#tasks.start(task, { type: 'slot_claimed' });
      },
    });
    this.#orphans = watchOrphanedClaims(
      { database, worker, confirmedUnsent },
      // Tasks with an unsaved answer belong to the recovery of answers.
      (taskId) => this.#tasks.has(taskId) || work.answers.has(taskId),
      (tasks) => {
        log.warn({ tasks }, 'released leases without a worker');
        this.wake();
      },
    );
    this.#loop = startWorkLoop({
      run: () => this.#runOnce(),
      restMs: POLL_EVERY_MS,
      onError: (error) => {
        this.#pollsAt = 0;
        this.#orphans.suspect();
        log.error({ err: error }, 'could not claim tasks; retrying');
      },
    });
    this.#readOwn = world.setInterval(() => {
      this.#reading ??= this.#readOwnTasks().finally(() => {
        this.#reading = null;
      });
    }, READ_OWN_EVERY_MS);
    this.#readOwn.unref();
    this.#endReports = work.heartbeat.onReport((report) => this.#reported(report));
  }

  /** Call when there may be tasks to claim. @param onIdle called when the next poll claims no task */
  wake(onIdle?: () => void): void {
    this.#pollsAt = 0;
    this.#onIdle = onIdle ?? this.#onIdle;
    this.#loop.wake();
  }

  /** Call when a cancel of the task was requested. */
  cancelRequested(taskId: string): void {
    this.#tasks.cancelRequested(taskId);
  }

  /** Call when the engine's upstream called about the task. @returns whether this process works on the task */
  calledBack(taskId: string, engine: string): boolean {
    return this.#tasks.calledBack(taskId, engine);
  }

  get claimedTasks(): number {
    return this.#tasks.working;
  }

  isWorkingOn(taskId: string): boolean {
    return this.#tasks.isWorkingOn(taskId);
  }

  /** Advances a task that another part of this process has claimed. */
  resume(task: TaskRow): void {
    // After a stop nothing would end the work. The task's answer stays in the spool for the next start.
    if (this.#phase !== 'stopped') this.#tasks.start(readTask(task));
  }

  /** Stops claiming, releases resumable tasks, and waits for the others up to `drainMs`. */
  async stop({ drainMs }: { readonly drainMs: number }): Promise<void> {
    this.#phase = 'stopping';
    await this.#loop.stop();
    // They begin once they are on disk.
    await isDoneWithin(BREAKS_OFF_WITHIN_MS, this.immediateStart.placed());
    this.#phase = 'stopped';
    await this.#tasks.release();
    this.#tasks.abort('resumable');
    await this.#tasks.ended(drainMs);
    world.clearInterval(this.#readOwn);
    this.#endReports();
    await this.#reading;
    this.#tasks.abort('all');
    // An engine may ignore the abort; the next start then takes the task over.
    const tasks = await this.#tasks.ended(BREAKS_OFF_WITHIN_MS);
    if (tasks !== null)
      this.#work.services.log.warn({ tasks }, 'engine calls did not abort; tasks are reclaimed at the next start');
    await this.#work.answers.spoolAll();
  }

  #mayBegin(orders: number): boolean {
    if (this.#phase !== 'running' || !this.#work.installation.mayAdvance() || this.#isSilent()) return false;
    return this.#tasks.working + orders <= MAX_CLAIMED;
  }

  /** Without a heartbeat this process looks silent, and others would take over what it claims. */
  #isSilent(): boolean {
    return this.#work.heartbeat.ageMs() > this.#work.leaseMs;
  }

  /** Makes the checks that are due, and polls for tasks when that is due. @returns the pause until the next run */
  async #runOnce(): Promise<number> {
    const onIdle = this.#onIdle;
    this.#onIdle = undefined;
    const room = await this.#resumeDue();
    const pollsInMs = room > 0 ? this.#pollsAt - world.monotonic() : POLL_EVERY_MS;
    const { claimed, pauseMs } = pollsInMs > 0 ? { claimed: 0, pauseMs: pollsInMs } : await this.#claim(room);
    if (claimed === 0) onIdle?.();
    if (room === claimed) return POLL_EVERY_MS;
    return claimed > 0 ? 0 : Math.max(1, Math.min(pauseMs, this.#tasks.nextCheckInMs()));
  }

  /** Makes the checks that are due. @returns how many tasks may be claimed besides */
  async #resumeDue(): Promise<number> {
    if (!this.#work.installation.mayAdvance()) return 0;
    const room = MAX_CLAIMED - this.#tasks.working;
    if (room <= 0) await this.#tasks.release({ limit: MAX_CLAIMED, sinceMs: LEFT_AFTER_MS });
    return room <= 0 || this.#isSilent() ? 0 : room - (await this.#tasks.resumeDue(room));
  }

  /** Polls the queues, claims up to `room` tasks and starts the work on them. */
  async #claim(room: number): Promise<{ readonly claimed: number; readonly pauseMs: number }> {
    const { services } = this.#work;
    // A wake during the poll sets it again.
    this.#pollsAt = Number.POSITIVE_INFINITY;
    const queues = await this.#openQueues((queue) => this.#tasks.countOf(queue));
    const { waiting, dueInMs } = await pollQueues(services.database.read, queues);
    const isDue = dueInMs !== null && dueInMs <= 0;
    if (waiting.length > 0 || isDue) {
      // Tasks that are not claimable now may be once any order leaves room.
      this.#pollsAt = 0;
      const { tasks, isBusy } = await this.#claimer.claim({ queues: waiting, limit: room });
      for (const task of tasks) this.#tasks.start(readTask(task));
      for (const task of tasks) wakeFollowers(services, task);
      if (tasks.length > 0) return { claimed: tasks.length, pauseMs: 0 };
      // A worker may not take all waiting tasks.
      if (isBusy) return { claimed: 0, pauseMs: BUSY_LEAST_MS + world.random() * BUSY_LEAST_MS };
    }
    const pauseMs = dueInMs === null || isDue ? POLL_EVERY_MS : Math.max(1, Math.min(POLL_EVERY_MS, dueInMs));
    this.#pollsAt = Math.min(this.#pollsAt, world.monotonic() + pauseMs);
    return { claimed: 0, pauseMs };
  }

  /** Finds requested cancels without a notification, and claims that are not worked on. */
  async #readOwnTasks(): Promise<void> {
    const { services, worker } = this.#work;
    try {
      if (this.#tasks.size > 0)
        for (const id of await readCancelRequests(services.database.read, worker)) this.#tasks.cancelRequested(id);
      if (this.#phase === 'running') await this.#orphans.check();
    } catch (error) {
      services.log.error({ err: error }, 'could not read own tasks; retrying');
    }
  }

  /** After a silence others may have taken over tasks of this process. */
  #reported(report: HeartbeatReport): void {
    if (report.kind !== 'confirmed') return;
    const wasSilent = report.confirmedForMs < this.#confirmedForMs;
    this.#confirmedForMs = report.confirmedForMs;
    if (!wasSilent) return;
    this.wake();
    void breakOffLost(this.#tasks.attempts, this.#work.services);
  }
}
