import type { BatchArchive } from './batch-archive.ts';
import type { Batch, ListBatchTasksQuery, Task } from './generated/interface.ts';
import type { List } from './list.ts';
import type { ChangeOptions } from './repeatable-call.ts';
import type { TaskHandle } from './task-handle.ts';
import type { CallOptions } from './transport.ts';
import type { WaitOptions } from './watch.ts';
import { isEnded } from './watch-batch.ts';

interface Abortable {
  readonly signal?: AbortSignal | undefined;
}

/** The calls that a batch handle makes. */
export interface BatchCalls {
  wait(batch: Batch, options: WaitOptions<Batch>, idempotencyKey: string | null): Promise<Batch>;
  events(batchId: string, options: Abortable): AsyncIterable<Batch>;
  results(batchId: string, options: Abortable): AsyncGenerator<TaskHandle>;
  archive(batchId: string, options: CallOptions): BatchArchive;
  tasks(batchId: string, query: ListBatchTasksQuery, options: CallOptions): List<Task>;
  get(batchId: string, options: CallOptions): Promise<Batch>;
  cancel(batchId: string, options: ChangeOptions): Promise<Batch>;
}

/** A batch that was accepted. `batch` is its latest known state. */
export class BatchHandle {
  /** The key of the batch, if this handle comes from its order. */
  readonly idempotencyKey: string | null;
  /** Whether the batch existed before: the call repeated an earlier one. */
  readonly replayed: boolean;
  #batch: Batch;
  readonly #calls: BatchCalls;

  constructor(
    calls: BatchCalls,
    batch: Batch,
    order: { readonly idempotencyKey?: string; readonly replayed?: boolean } = {},
  ) {
    this.#calls = calls;
    this.#batch = batch;
    this.idempotencyKey = order.idempotencyKey ?? null;
    this.replayed = order.replayed ?? false;
  }

  get batchId(): string {
    return this.#batch.batch_id;
  }

  get batch(): Batch {
    return this.#batch;
  }

  /**
   * Waits until every task is final, however they end.
   * @throws WaitTimeoutError, AbortError, ConnectionError: the batch continues
   */
  async wait(options: WaitOptions<Batch> = {}): Promise<Batch> {
    if (!isEnded(this.#batch)) this.#batch = await this.#calls.wait(this.#batch, options, this.idempotencyKey);
    return this.#batch;
  }

  /** The batch now and after every change, at most once a second, until it has ended. */
  async *events(options: Abortable = {}): AsyncGenerator<Batch> {
    for await (const batch of this.#calls.events(this.batchId, options)) {
      this.#batch = batch;
      yield batch;
    }
  }

  /**
   * Each task as soon as it is final, however it ended, until the batch has ended. `task.batch_name` is the name of its
   * order.
   */
  results(options: Abortable = {}): AsyncGenerator<TaskHandle> {
    return this.#calls.results(this.batchId, options);
  }

  /** The outputs that exist so far, as one ZIP archive: `save(path)`, `stream()` or `chunks()`. */
  archive(options: CallOptions = {}): BatchArchive {
    return this.#calls.archive(this.batchId, options);
  }

  /** The tasks as they are now: images before videos, each in the order of the batch. */
  tasks(query: ListBatchTasksQuery = {}, options: CallOptions = {}): List<Task> {
    return this.#calls.tasks(this.batchId, query, options);
  }

  /** Cancels the orders that have not started; the others continue. */
  async cancel(options: ChangeOptions = {}): Promise<Batch> {
    this.#batch = await this.#calls.cancel(this.batchId, options);
    return this.#batch;
  }

  /** Retrieves the batch as it is now. */
  async refresh(options: CallOptions = {}): Promise<Batch> {
    this.#batch = await this.#calls.get(this.batchId, options);
    return this.#batch;
  }
}
