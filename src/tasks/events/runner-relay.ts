import { world } from '@darkroom-service/contract';
import type { Database } from '../../database/database.ts';
import type { WorkKind } from '../../database/work.ts';
import type { WorkQueue } from '../../database/work-queue.ts';

/** The runner of this process. */
interface LocalRunner {
  /** Called when there may be a task to claim. @param onNothing called when the next poll claims no task */
  wake(onNothing?: () => void): void;
  /** Called when somebody requested to cancel the task. */
  cancelRequested(taskId: string): void;
  /** Called when the engine's upstream called about the task. @returns whether this process holds the task */
  calledBack(taskId: string, engine: string): boolean;
}

/** Does work of one kind in this process. */
export interface LocalQueue extends Partial<Pick<WorkQueue, 'abort'>> {
  /** Called when there may be work. @param subject subject of the work, if it is known */
  wake(subject?: string): void;
}

/** The workers of this process; each null while there is none. */
interface LocalWorkers {
  readonly runner: LocalRunner | null;
  /** Queues of the additions' work, by kind. */
  readonly queues: ReadonlyMap<WorkKind, LocalQueue>;
}

/** Signals for a runner, in whichever process. */
interface RunnerSignals {
  /** Notifies workers of a new task to claim. */
  wake(): void;
  /** Notifies workers of room for a task that has been waiting. */
  roomLeft(): void;
  /** Notifies the process of a requested cancel. @param worker the process that has the lease; null = unknown */
  cancelRequested(taskId: string, worker: string | null): void;
  /** Tells the runner of this process of a call. @returns whether it holds the task */
  calledBack(taskId: string, engine: string): boolean;
  /** Tells another process of a call. @param worker the process that has the lease of the task */
  announceCall(call: { readonly worker: string; readonly taskId: string; readonly engine: string }): void;
  /** Notifies a process that does work of this kind. @param subject told within this process only */
  wakeWork(kind: WorkKind, subject?: string): void;
}

interface RelayOptions {
  /** Names this process in leases. */
  readonly self: string;
  /** Whether this process works on orders. */
  readonly isWorker: boolean;
  /** Ids of the processes that work on orders, as far as known; null = each process must be told. */
  readonly workers: () => readonly string[] | null;
}

const WORK = 'work';
/** Like `WORK`, from a process that could claim nothing: it is not passed on again. */
const WORK_PASSED_ON = 'work-passed-on';
const WORK_OF = 'work:';
const CANCEL = 'cancel:';
const CALLBACK = 'callback:';
const ALL_WORKERS = 'workers';
const channelOf = (process: string) => `process:${process}`;

/**
 * Passes signals to the workers of this process, or else to one other process: waking all of them for each order costs
 * more than the order. A lost signal only costs time: runners poll every second for work and for cancellation requests.
 */
export function relayToRunners(
  database: Pick<Database, 'announce' | 'listenTo' | 'onRemoteChange'>,
  local: () => LocalWorkers,
  { self, isWorker, workers }: RelayOptions,
): RunnerSignals {
  database.listenTo(channelOf(self));
  if (isWorker) database.listenTo(ALL_WORKERS);
  database.onRemoteChange((topics) => {
    const { runner, queues } = local();
    for (const topic of topics) {
      if (topic === WORK) runner?.wake(() => notifyOne(WORK_PASSED_ON));
      else if (topic === WORK_PASSED_ON) runner?.wake();
      else if (topic.startsWith(WORK_OF)) queues.get(topic.slice(WORK_OF.length) as WorkKind)?.wake();
      else if (topic.startsWith(CANCEL)) cancel(topic.slice(CANCEL.length));
      else if (topic.startsWith(CALLBACK)) calledBack(topic.slice(CALLBACK.length), runner);
    }
  });
  return {
    wake() {
      const { runner } = local();
      if (runner === null) notifyOne(WORK);
      else runner.wake(() => notifyOne(WORK_PASSED_ON));
    },
    roomLeft() {
      const { runner } = local();
      if (runner === null) notifyOne(WORK);
      else runner.wake();
    },
    wakeWork(kind, subject) {
      const queue = local().queues.get(kind);
      if (queue === undefined) notifyOne(WORK_OF + kind);
      else queue.wake(subject);
    },
    cancelRequested(taskId, worker) {
      cancel(taskId);
      if (worker !== self) database.announce(worker === null ? ALL_WORKERS : channelOf(worker), [CANCEL + taskId]);
    },
    calledBack: (taskId, engine) => local().runner?.calledBack(taskId, engine) ?? false,
    announceCall({ worker, taskId, engine }) {
      database.announce(channelOf(worker), [`${CALLBACK}${taskId}:${engine}`]);
    },
  };

  function cancel(taskId: string): void {
    const { runner, queues } = local();
    runner?.cancelRequested(taskId);
    for (const queue of queues.values()) queue.abort?.(taskId, new Error('the order was canceled'));
  }

  /** Tells one of the other workers, chosen at random. */
  function notifyOne(topic: string): void {
    const others = workers()?.filter((process) => process !== self);
    if (others === undefined) {
      database.announce(ALL_WORKERS, [topic === WORK ? WORK_PASSED_ON : topic]);
      return;
    }
    const one = others[Math.floor(world.random() * others.length)];
    if (one !== undefined) database.announce(channelOf(one), [topic]);
  }
}

function calledBack(call: string, runner: LocalRunner | null): void {
  const cut = call.indexOf(':');
  runner?.calledBack(call.slice(0, cut), call.slice(cut + 1));
}
