import type { Log } from '../base/log.ts';
import { startWorkLoop } from '../base/work-loop.ts';
import type { TaskFailure } from '../engines/engine.ts';
import { StorageError } from '../storage/storage.ts';
import { advanceTask } from './advance-task.ts';
import { type ClaimableQueue, claimTasks, lookForWork, renewClaims } from './claim-tasks.ts';
import { backOff } from './engine-faults.ts';
import { LostClaim, letGo } from './move-task.ts';
import { settleTask } from './settle-task.ts';
import type { TaskRow } from './task.ts';
import { isWithoutTrace, settleUnknown } from './unknown-outcome.ts';
import type { Held, WorkerDesk } from './worker-desk.ts';

/** Claims tasks and advances them until it is stopped. */
export interface Runner {
  /** There may be something to claim. */
  wake(): void;
  /** Someone wishes the task canceled. */
  cancelRequested(taskId: string): void;
  readonly heldTasks: number;
  /** Stops claiming, lets go of what can be resumed, and waits for the rest up to `drainMs`. */
  stop(options: { readonly drainMs: number }): Promise<void>;
}

interface Holding extends Held {
  readonly task: TaskRow;
  readonly controller: AbortController;
  /** What cannot be taken up again is waited for at a stop. */
  readonly isResumable: () => boolean;
  readonly done: Promise<void>;
}

const HELD_AT_MOST = 512;
const LOOK_EVERY_MS = 1000;
const BREAKS_OFF_WITHIN_MS = 2000;

export function startRunner(work: WorkerDesk, queues: () => readonly ClaimableQueue[]): Runner {
  const { desk, lease } = work;
  const held = new Map<string, Holding>();
  let stopping = false;
  const loop = startWorkLoop({
    look: claimOnce,
    restMs: LOOK_EVERY_MS,
    onError: (error) => desk.log.error({ err: error }, 'tasks cannot be claimed right now'),
  });
  const renewal = setInterval(() => void renew(), lease.renewEveryMs);
  renewal.unref();

  return {
    wake: () => loop.wake(),
    cancelRequested: (taskId) => held.get(taskId)?.onCancel?.(),
    get heldTasks() {
      return held.size;
    },
    async stop({ drainMs }) {
      stopping = true;
      await loop.stop();
      for (const holding of held.values())
        if (holding.isResumable()) holding.controller.abort(new Error('the service stops'));
      const all = () => Promise.all([...held.values()].map((holding) => holding.done));
      await isDoneWithin(drainMs, all());
      clearInterval(renewal);
      for (const holding of held.values()) holding.controller.abort(new Error('the service stops'));
      // An engine may not listen; its claim then ends by itself.
      if (!(await isDoneWithin(BREAKS_OFF_WITHIN_MS, all())))
        desk.log.warn(
          { tasks: [...held.keys()] },
          'engines did not break off; their tasks are found again at the next start',
        );
    },
  };

  /** How long to pause until there may be more to do. */
  async function claimOnce(): Promise<number> {
    const limit = HELD_AT_MOST - held.size;
    if (limit <= 0) return LOOK_EVERY_MS;
    const { waiting, dueInMs } = await lookForWork(desk.database.read, queues());
    const isDue = dueInMs !== null && dueInMs <= 0;
    if (waiting.length > 0 || isDue) {
      const claimed = await desk.database.write('claim_tasks', (trx) =>
        claimTasks(trx, { worker: work.worker, queues: waiting, limit, leaseMs: lease.ms }),
      );
      for (const task of claimed) hold(task);
      if (claimed.length === limit) return LOOK_EVERY_MS;
      if (claimed.length > 0) return 0;
    }
    return Math.max(1, Math.min(LOOK_EVERY_MS, dueInMs !== null && dueInMs > 0 ? dueInMs : LOOK_EVERY_MS));
  }

  function hold(task: TaskRow): void {
    // A process that stood still for longer than its lease may find a task that it holds: under the new claim it begins anew.
    held.get(task.id)?.controller.abort(new LostClaim(task.id));
    const controller = new AbortController();
    let isResumable = true;
    const holding: Held = {
      signal: controller.signal,
      onCancel: undefined,
      setResumable(resumable) {
        isResumable = resumable;
        if (stopping && resumable) controller.abort(new Error('the service stops'));
      },
    };
    const done = advance(work, task, holding, desk.log).finally(() => {
      if (held.get(task.id) === entry) held.delete(task.id);
      loop.wake();
    });
    const entry: Holding = Object.assign(holding, {
      task,
      controller,
      isResumable: () => isResumable,
      done,
    });
    held.set(task.id, entry);
  }

  async function renew(): Promise<void> {
    const holdings = [...held.values()];
    if (holdings.length === 0) return;
    try {
      await desk.database.write('renew_claims', async (trx) => {
        const states = await renewClaims(
          trx,
          holdings.map((holding) => holding.task),
          lease.ms,
        );
        for (const [index, holding] of holdings.entries()) {
          const state = states[index];
          if (state === 'lost') trx.afterCommit(() => holding.controller.abort(new LostClaim(holding.task.id)));
          else if (state === 'cancel requested') trx.afterCommit(() => holding.onCancel?.());
        }
      });
    } catch (error) {
      desk.log.error(
        { err: error },
        `claims cannot be renewed; they end ${lease.ms / 1000} s after their last renewal`,
      );
    }
  }
}

/** Whatever goes wrong besides the engine, such as a storage that is away: the task is let go and claimed again later. */
async function advance(work: WorkerDesk, task: TaskRow, held: Held, log: Log): Promise<void> {
  try {
    await advanceTask(work, task, held);
  } catch (error) {
    if (error instanceof LostClaim || held.signal.reason instanceof LostClaim) return;
    const interrupted = held.signal.aborted;
    if (!interrupted)
      log.error({ err: error, task_id: task.id, step: task.step }, 'the task could not be advanced and is tried again');
    const attempts = interrupted ? task.attempts : task.attempts + 1;
    if (!interrupted && work.desk.clock.now() >= task.deadline_at && (await giveUp(work, task, error))) return;
    await letGo(work.desk, task, { afterMs: interrupted ? 0 : backOff(attempts), attempts }).catch((fault: unknown) =>
      log.error({ err: fault, task_id: task.id }, 'the claim could not be let go and ends by itself'),
    );
  }
}

/** What could not be brought home until the hard deadline has failed. */
async function giveUp(work: WorkerDesk, task: TaskRow, error: unknown): Promise<boolean> {
  const failure: TaskFailure =
    error instanceof StorageError
      ? { code: 'storage_error', message: 'The result could not be stored until the deadline. It is not charged.' }
      : { code: 'timeout', message: 'The task could not be finished until its deadline. It is not charged.' };
  try {
    if (isWithoutTrace(task)) return await settleUnknown(work.desk, task);
    return await settleTask(work.desk, 'settle_failed', task, { status: 'failed', failure });
  } catch (fault) {
    work.desk.log.error({ err: fault, task_id: task.id }, 'the task cannot be settled right now');
    return false;
  }
}

/** Whether it came before the time was up. */
async function isDoneWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const outOfTime = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, ms, false);
  });
  return await Promise.race([work.then(() => true), outOfTime]).finally(() => clearTimeout(timer));
}
