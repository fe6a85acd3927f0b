import type { WorkKind } from '../database/work.ts';
import type { LocalQueue } from '../tasks/events/runner-relay.ts';
import type { Runner } from '../worker/runner.ts';

/**
 * The running parts of this process's worker. Null until the worker has started; without the worker role they stay
 * null, and signals reach other processes only.
 */
export class LocalWorker {
  runner: Runner | null = null;
  /** Queues of the additions' work, by kind of work. */
  readonly queues = new Map<WorkKind, LocalQueue>();
}
