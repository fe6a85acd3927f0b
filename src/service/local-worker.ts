import type { BatchFeeder } from '../batches/batch-feeder.ts';
import type { WorkQueue } from '../database/work-queue.ts';
import type { Releaser } from '../worker/chains/releaser.ts';
import type { ReferenceFetcher } from '../worker/references/reference-fetcher.ts';
import type { Runner } from '../worker/runner.ts';

/**
 * The running parts of this process's worker. Null until the worker has started; without the worker role they stay
 * null, and signals reach other processes only.
 */
export class LocalWorker {
  #runner: Runner | null = null;
  #fetcher: ReferenceFetcher | null = null;
  #releaser: Releaser | null = null;
  #webhooks: WorkQueue | null = null;
  #feeder: BatchFeeder | null = null;

  get runner(): Runner | null {
    return this.#runner;
  }

  get fetcher(): ReferenceFetcher | null {
    return this.#fetcher;
  }

  get releaser(): Releaser | null {
    return this.#releaser;
  }

  get webhooks(): WorkQueue | null {
    return this.#webhooks;
  }

  /** Every role has one, once it has started. */
  get feeder(): BatchFeeder | null {
    return this.#feeder;
  }

  attachFeeder(feeder: BatchFeeder): void {
    this.#feeder = feeder;
  }

  attachRunner(runner: Runner): void {
    this.#runner = runner;
  }

  attachFetcher(fetcher: ReferenceFetcher): void {
    this.#fetcher = fetcher;
  }

  attachReleaser(releaser: Releaser): void {
    this.#releaser = releaser;
  }

  attachWebhooks(webhooks: WorkQueue): void {
    this.#webhooks = webhooks;
  }
}
