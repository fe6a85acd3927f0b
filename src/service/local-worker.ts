import type { WorkQueue } from '../database/work-queue.ts';
import type { BatchFeeder } from '../orders/batches/batch-feeder.ts';
import type { Runner } from '../worker/runner.ts';

/**
 * The running parts of this process's worker. Null until the worker has started; without the worker role they stay
 * null, and signals reach other processes only.
 */
export class LocalWorker {
  runner: Runner | null = null;
  fetcher: WorkQueue | null = null;
  releaser: WorkQueue | null = null;
  webhooks: WorkQueue | null = null;
  /** Every role has one, once it has started. */
  feeder: BatchFeeder | null = null;
}
