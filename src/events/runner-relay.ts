import type { Database } from '../database/database.ts';

/** What a runner wants to be told of, in whichever process it happens. */
export interface RunnerSignals {
  /** There may be something to claim. */
  wake(): void;
  /** Someone wishes the task canceled. */
  cancelRequested(taskId: string): void;
}

const WORK = 'work';
const CANCEL = 'cancel:';

/**
 * Passes signals on to the runner of this process and, soon after, to those of the others. A signal that gets lost costs time only: runners
 * look for work each second, and renewals tell of wishes to cancel.
 * @param runner the one of this process; null while it has none.
 */
export function relayToRunners(
  database: Pick<Database, 'announce' | 'onRemoteChange'>,
  runner: () => RunnerSignals | null,
): RunnerSignals {
  database.onRemoteChange((topics) => {
    for (const topic of topics) {
      if (topic === WORK) runner()?.wake();
      else if (topic.startsWith(CANCEL)) runner()?.cancelRequested(topic.slice(CANCEL.length));
    }
  });
  return {
    wake() {
      runner()?.wake();
      database.announce([WORK]);
    },
    cancelRequested(taskId) {
      runner()?.cancelRequested(taskId);
      database.announce([CANCEL + taskId]);
    },
  };
}
