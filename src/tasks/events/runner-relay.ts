import type { Database } from '../../database/database.ts';
import type { WorkQueue } from '../../database/work-queue.ts';

/** Signals for a runner, from any process. */
interface RunnerSignals {
  /** There may be a task to claim. */
  wake(): void;
  /** Somebody requested to cancel the task. */
  cancelRequested(taskId: string): void;
  /** The engine's upstream called about the task. @returns whether this process holds the task */
  calledBack(taskId: string, engine: string): boolean;
}

const WORK = 'work';
const REFERENCES = 'references';
const ENDED_PARENTS = 'ended-parents';
const CANCEL = 'cancel:';
const CALLBACK = 'callback:';

/** Returns the topic by which other processes hear that an engine's upstream called about a task. */
export function callbackTopic(taskId: string, engine: string): string {
  return `${CALLBACK}${taskId}:${engine}`;
}

/**
 * Passes signals to this process's runner and, shortly after, to those of other processes. A lost signal only costs
 * time: runners poll every second for work and for cancellation requests.
 * @param runner this process's runner; null while there is none.
 * @param fetcher likewise, of references.
 * @param releaser likewise, of orders that wait for others.
 */
export function relayToRunners(
  database: Pick<Database, 'announce' | 'onRemoteChange'>,
  runner: () => RunnerSignals | null,
  fetcher: () => Pick<WorkQueue, 'wake' | 'abort'> | null = () => null,
  releaser: () => Pick<WorkQueue, 'wake'> | null = () => null,
): RunnerSignals & { wakeFetcher(): void; wakeReleaser(): void } {
  const cancel = (taskId: string) => {
    runner()?.cancelRequested(taskId);
    fetcher()?.abort(taskId, new Error('the order was canceled'));
  };
  const calledBack = (topic: string) => {
    const cut = topic.indexOf(':');
    runner()?.calledBack(topic.slice(0, cut), topic.slice(cut + 1));
  };
  database.onRemoteChange((topics) => {
    for (const topic of topics) {
      if (topic === WORK) runner()?.wake();
      else if (topic === REFERENCES) fetcher()?.wake();
      else if (topic === ENDED_PARENTS) releaser()?.wake();
      else if (topic.startsWith(CANCEL)) cancel(topic.slice(CANCEL.length));
      else if (topic.startsWith(CALLBACK)) calledBack(topic.slice(CALLBACK.length));
    }
  });
  return {
    wake() {
      runner()?.wake();
      database.announce([WORK]);
    },
    wakeFetcher() {
      fetcher()?.wake();
      database.announce([REFERENCES]);
    },
    wakeReleaser() {
      releaser()?.wake();
      database.announce([ENDED_PARENTS]);
    },
    cancelRequested(taskId) {
      cancel(taskId);
      database.announce([CANCEL + taskId]);
    },
    calledBack: (taskId, engine) => runner()?.calledBack(taskId, engine) ?? false,
  };
}
