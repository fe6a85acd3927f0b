import { isDoneWithin, world } from '@darkroom-service/contract';
import type { Engine } from '@darkroom-service/engines';
import { startWorkLoop } from '../base/work-loop.ts';
import { wakeFollowers } from '../tasks/follower.ts';
import { LostClaim } from '../tasks/move-task.ts';
import type { TaskRow } from '../tasks/task.ts';
import { readTask, type TaskRecord } from '../tasks/task-record.ts';
import type { ImmediateStart } from '../tasks/task-services.ts';
import { abortAttempt, advanceTask } from './advance-task.ts';
import { breakOffLost } from './break-off-lost.ts';
import { permitsOf } from './claim-permits.ts';
import { createClaimer } from './claim-tasks.ts';
import type { ClaimableQueue } from './claimable-queue.ts';
import { ClaimedTask } from './claimed-task.ts';
import { countBegun } from './count-begun.ts';
import type { TaskEvent } from './decide/event.ts';
import { type DelayedCheck, DelayedChecks } from './delayed-checks.ts';
import { createImmediateStart } from './immediate-start.ts';
import { Interruption } from './interruption.ts';
import { readCancelRequests, readResting, releaseDelayed } from './ownership/claimed-tasks.ts';
import { watchOrphanedClaims } from './ownership/orphaned-claims.ts';
import { pollQueues } from './poll-queues.ts';
import type { WorkerServices } from './worker-services.ts';

/** Claims tasks and advances them until it is stopped. */
export interface Runner {
  /** Call when there may be tasks to claim. @param onNothing called when the next poll claims no task */
  wake(onNothing?: () => void): void;
  /** Call when a cancel of the task was requested. */
  cancelRequested(taskId: string): void;
  /** Call when the engine's upstream called about the task. @returns whether this process works on the task */
  calledBack(taskId: string, engine: string): boolean;
  readonly claimedTasks: number;
  isWorkingOn(taskId: string): boolean;
  /** Begins orders in the transaction that places them. */
  readonly atOnce: ImmediateStart;
  /** Advances a task that another part of this process has claimed. */
  resume(task: TaskRow): void;
  /** Stops claiming, releases resumable tasks, and waits for the others up to `drainMs`. */
  stop(options: { readonly drainMs: number }): Promise<void>;
}

const MAX_CLAIMED = 512;
const LOOK_EVERY_MS = 1000;
/** The pause, up to twice this long, while another process claims from the same queue. */
const BUSY_LEAST_MS = 10;
const BREAKS_OFF_WITHIN_MS = 2000;
const POLL_EVERY_MS = 1000;
/** A check that waits this long for room in this process is left to any process. */
const LEFT_AFTER_MS = 2000;

export function startRunner(
  work: WorkerServices,
  queues: (claimedOf: (queue: string) => number) => readonly ClaimableQueue[] | Promise<readonly ClaimableQueue[]>,
  immediateCapacity: (engine: Engine, queue: string) => number | null = () => null,
): Runner {
  const { services, heartbeat, leaseMs } = work;
  const claimed = new Map<string, ClaimedTask>();
  /** All running work, also on tasks that were claimed again meanwhile. A stop ends all of it. */
  const working = new Map<ClaimedTask, Promise<void>>();
  const resting = new DelayedChecks(services.clock);
  const permits = permitsOf(services.database);
  const claimer = createClaimer(services.database, work.worker, permits);
  /** Whether the database may have work that the last look did not find. */
  let mayHaveWork = true;
  /** Time of the next poll without a reason. */
  let looksAt = 0;
  let stopping = false;
  let stopped = false;
  /** Called when the next poll claims no task. */
  let onIdle: (() => void) | undefined;
  let claimedInLook = 0;
  // Without a heartbeat this process looks silent, and others would take over what it claims.
  const isSilent = () => heartbeat.ageMs() > leaseMs;
  const loop = startWorkLoop({
    look,
    restMs: LOOK_EVERY_MS,
    onError(error) {
      mayHaveWork = true;
      orphans.suspect();
      services.log.error({ err: error }, 'could not claim tasks; retrying');
    },
  });
  const atOnce = createImmediateStart(work, {
    immediateCapacity,
    permits,
    onFault: () => orphans.suspect(),
    mayBegin: (orders) =>
      !stopping && work.installation.mayAdvance() && !isSilent() && claimed.size + orders <= MAX_CLAIMED,
    begin(task) {
      countBegun(services, task);
      if (!stopped) startWorkOn(task, { type: 'slot_claimed' });
    },
  });
  const orphans = watchOrphanedClaims(
    { database: services.database, worker: work.worker, unsent: work.unsent },
    // Tasks with an unsaved answer belong to the recovery of answers.
    (taskId) => claimed.has(taskId) || resting.has(taskId) || work.answers.has(taskId),
    (tasks) => {
      services.log.warn({ tasks }, 'released leases without a worker');
      wake();
    },
  );
  let polling: Promise<void> | null = null;
  const poll = world.setInterval(() => {
    polling ??= pollOwnTasks().finally(() => {
      polling = null;
    });
  }, POLL_EVERY_MS);
  poll.unref();
  let confirmedForMs = Number.POSITIVE_INFINITY;
  const endReports = heartbeat.onReport((report) => {
    if (report.kind !== 'confirmed') return;
    const wasSilent = report.confirmedForMs < confirmedForMs;
    confirmedForMs = report.confirmedForMs;
    if (!wasSilent) return;
    wake();
    void breakOffLost([...claimed.values()], services);
  });

  return {
    wake,
    cancelRequested: passCancel,
    calledBack: passCall,
    get claimedTasks() {
      return claimed.size;
    },
    isWorkingOn: (taskId) => claimed.has(taskId),
    atOnce,
    // After a stop nothing would end the work. The task's answer stays in the spool for the next start.
    resume: (task) => {
      if (!stopped) startWorkOn(readTask(task));
    },
    async stop({ drainMs }) {
      stopping = true;
      await loop.stop();
      // They begin once they are on disk.
      await isDoneWithin(BREAKS_OFF_WITHIN_MS, atOnce.placed());
      stopped = true;
      await leave(resting.takeAll());
      for (const attempt of working.keys()) attempt.interruption.abortIfResumable(new Error('the service stops'));
      const all = () => Promise.all(working.values());
      await isDoneWithin(drainMs, all());
      world.clearInterval(poll);
      endReports();
      await polling;
      for (const attempt of working.keys()) attempt.interruption.abort(new Error('the service stops'));
      // An engine may ignore the abort; the next start then takes the task over.
      if (!(await isDoneWithin(BREAKS_OFF_WITHIN_MS, all())))
        services.log.warn(
          { tasks: [...working.keys()].map(({ task }) => task.id) },
          'engine calls did not abort; tasks are reclaimed at the next start',
        );
      await work.answers.spoolAll();
    },
  };

  function wake(onNothing?: () => void): void {
    mayHaveWork = true;
    onIdle = onNothing ?? onIdle;
    loop.wake();
  }

  async function look(): Promise<number> {
    const tell = onIdle;
    onIdle = undefined;
    claimedInLook = 0;
    const pauseMs = await claimOnce();
    if (claimedInLook === 0) tell?.();
    return pauseMs;
  }

  /** @returns the pause before the next round, in ms */
  async function claimOnce(): Promise<number> {
    const limit = MAX_CLAIMED - claimed.size;
    if (!work.installation.mayAdvance()) return LOOK_EVERY_MS;
    if (limit <= 0) await leave(resting.takeDue(MAX_CLAIMED, LEFT_AFTER_MS));
    if (limit <= 0 || isSilent()) return LOOK_EVERY_MS;
    const resumed = await resumeDue(limit);
    if (resumed === limit) return LOOK_EVERY_MS;
    const looksInMs = looksAt - world.monotonic();
    if (!mayHaveWork && looksInMs > 0) return Math.max(1, Math.min(looksInMs, resting.nextInMs()));
    mayHaveWork = false;
    const { waiting, dueInMs } = await pollQueues(services.database.read, await queues(claimedOf));
    const isDue = dueInMs !== null && dueInMs <= 0;
    if (waiting.length > 0 || isDue) {
      // Tasks that are not claimable now may be once any order leaves room.
      mayHaveWork = true;
      const { tasks: fresh, isBusy } = await claimer.claim({ queues: waiting, limit: limit - resumed });
      claimedInLook = fresh.length;
      for (const task of fresh) startWorkOn(readTask(task));
      for (const task of fresh) wakeFollowers(work.services, task);
      if (fresh.length === limit - resumed) return LOOK_EVERY_MS;
      if (fresh.length > 0) return 0;
      // A worker may not take all waiting tasks.
      if (isBusy) return BUSY_LEAST_MS + world.random() * BUSY_LEAST_MS;
    }
    const pauseMs = dueInMs === null || isDue ? LOOK_EVERY_MS : Math.max(1, Math.min(LOOK_EVERY_MS, dueInMs));
    looksAt = world.monotonic() + pauseMs;
    return Math.max(1, Math.min(pauseMs, resting.nextInMs()));
  }

  /** Checks the resting tasks that are due. @returns the number of tasks */
  async function resumeDue(limit: number): Promise<number> {
    const due = resting.takeDue(limit);
    if (due.length === 0) return 0;
    let rows: TaskRow[];
    try {
      rows = await readResting(services.database.read, due);
    } catch (error) {
      for (const task of due) resting.add(task);
      throw error;
    }
    const called = new Set(due.flatMap(({ id, isCalled }) => (isCalled ? [id] : [])));
    for (const row of rows) startWorkOn(readTask(row), { type: 'claimed' }, called.has(row.id));
    return rows.length;
  }

  /** Releases resting tasks, so that any process can claim them when they are due. */
  async function leave(tasks: readonly DelayedCheck[]): Promise<void> {
    if (tasks.length === 0) return;
    try {
      await releaseDelayed(services.database, tasks, (task) => resting.inMs(task));
    } catch (error) {
      for (const task of tasks) resting.add(task);
      services.log.error({ err: error, tasks: tasks.length }, 'could not release leases; they end with this process');
    }
  }

  function passCancel(taskId: string): void {
    claimed.get(taskId)?.cancel.request();
    if (resting.cancelRequested(taskId)) loop.wake();
  }

  function passCall(taskId: string, engine: string): boolean {
    const attempt = claimed.get(taskId);
    if (attempt?.calledBack(engine) ?? resting.calledBack(taskId, engine)) {
      work.callbacks.heard(engine);
      loop.wake();
    }
    return attempt !== undefined || resting.has(taskId);
  }

  function claimedOf(queue: string): number {
    return [...claimed.values()].filter(({ task }) => task.queue === queue).length;
  }

  function startWorkOn(task: TaskRecord, first: TaskEvent = { type: 'claimed' }, isForCall = false): void {
    // The task was taken over from this process itself. Resumable work starts again under the new claim. A paid call
    // continues, and its answer is reported as late.
    resting.delete(task.id);
    claimed.get(task.id)?.interruption.abortIfResumable(new LostClaim(task.id));
    const interruption = new Interruption(heartbeat, () => stopping);
    const attempt = new ClaimedTask(work, task, { interruption, isForCall });
    if (first.type === 'slot_claimed') interruption.setResumable(attempt.engine?.repeatable === true, attempt.engine);
    claimed.set(task.id, attempt);
    const done = services.tracer
      .claim(task, async () => {
        await advanceTask(attempt, first).catch((error: unknown) => {
          orphans.suspect();
          return abortAttempt(attempt, error);
        });
        return attempt.end?.type === 'resting';
      })
      .finally(async () => {
        interruption.workEnded();
        if (claimed.get(task.id) === attempt) {
          claimed.delete(task.id);
          rest(attempt);
        }
        if (stopping) await leave(resting.takeAll());
        working.delete(attempt);
        // An order that rests or is settled leaves nothing more to find in the database, unless it leaves room in this
        // process.
        if (attempt.end === null || (attempt.engine?.isLocal === true && task.simulate === null)) mayHaveWork = true;
        loop.wake();
      });
    working.set(attempt, done);
  }

  function rest({ task, end, cancel, wasCalled, isForCall }: ClaimedTask): void {
    if (end?.type !== 'resting') return;
    resting.rest(task, end.afterMs, { isForCall, isPutOff: end.isPutOff });
    // The upstream may have answered the check before the order ended.
    if (wasCalled) resting.calledBack(task.id, task.route.engine);
    // The row was read before the cancel.
    if (cancel.isRequested) resting.cancelRequested(task.id);
  }

  /** Finds requested cancels without a notification, and claims that are not worked on. */
  async function pollOwnTasks(): Promise<void> {
    try {
      if (claimed.size + resting.size > 0)
        for (const id of await readCancelRequests(services.database.read, work.worker)) passCancel(id);
      if (!stopping) await orphans.look();
    } catch (error) {
      services.log.error({ err: error }, 'could not read own tasks; retrying');
    }
  }
}
