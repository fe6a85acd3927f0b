import { BatchArchive } from './batch-archive.ts';
import { bodyOf, type NewBatch } from './batch-body.ts';
import { BatchHandle } from './batch-handle.ts';
import { endedTasks } from './batch-results.ts';
import { type OrderFacts, WaitTimeoutError } from './errors.ts';
import type { Batch, BatchQuote, ListBatchesQuery, ListBatchTasksQuery, Task } from './generated/interface.ts';
import { type List, listAt } from './list.ts';
import type { OrderOptions } from './place-order.ts';
import { type ChangeOptions, repeatableCall } from './repeatable-call.ts';
import type { TaskHandle } from './task-handle.ts';
import type { CallOptions, Transport } from './transport.ts';
import { type WaitOptions, waitForEnd, watch } from './watch.ts';
import { batchPath, watchedBatch } from './watch-batch.ts';

const PATH = '/v1/batches';
/** The service accepts a request for five minutes. */
const UPLOAD_TIMEOUT_MS = 310_000;

interface Abortable {
  readonly signal?: AbortSignal | undefined;
}

/** `client.batches`: up to 10,000 orders in one request, at one price. */
export class Batches {
  readonly #transport: Transport;
  readonly #handleOf: (task: Task) => TaskHandle;

  constructor(transport: Transport, handleOf: (task: Task) => TaskHandle) {
    this.#transport = transport;
    this.#handleOf = handleOf;
  }

  /**
   * Places all orders or none, and returns at once. The orders are read to their end before the first request.
   * @throws DarkroomError with `idempotencyKey` and `ordered`
   */
  async create(batch: NewBatch, options: OrderOptions = {}): Promise<BatchHandle> {
    const call = repeatableCall(options);
    const { headers: type, ...sent } = await bodyOf(batch);
    const { data, headers } = await this.#transport.send<Batch>({
      responseTimeoutMs: UPLOAD_TIMEOUT_MS,
      ...call,
      ...sent,
      path: PATH,
      headers: { ...type, ...call.headers },
      orders: true,
    });
    const idempotencyKey = call.headers['idempotency-key'];
    const replayed = headers.get('idempotent-replayed') === 'true';
    return new BatchHandle(this.#calls(), data, { idempotencyKey, replayed });
  }

  /** The price of a batch, before it is placed. Send it as `max_price` to be charged no more. */
  async prices(batch: NewBatch, options: CallOptions = {}): Promise<BatchQuote> {
    const call = { responseTimeoutMs: UPLOAD_TIMEOUT_MS, ...options, ...(await bodyOf(batch)) };
    return (await this.#transport.send<BatchQuote>({ ...call, method: 'POST', path: `${PATH}/prices` })).data;
  }

  /** Retrieves a batch. */
  async get(batchId: string, options: CallOptions = {}): Promise<Batch> {
    return (await this.#transport.send<Batch>({ ...options, path: batchPath(batchId), facts: { batchId } })).data;
  }

  /** The batches of this key, newest first. */
  list(query: ListBatchesQuery = {}, options: CallOptions = {}): List<Batch> {
    return listAt(this.#transport, PATH, query, (batch) => batch.batch_id, options);
  }

  /** The tasks of a batch as they are now: images before videos, each in the order of the batch. */
  tasks(batchId: string, query: ListBatchTasksQuery = {}, options: CallOptions = {}): List<Task> {
    return listAt(this.#transport, `${batchPath(batchId)}/tasks`, query, (task) => task.task_id, options);
  }

  /** Each task of a batch as soon as it is final, however it ended, until the batch has ended. */
  async *results(batchId: string, options: Abortable = {}): AsyncGenerator<TaskHandle> {
    for await (const task of endedTasks(this.#transport, batchId, options.signal)) yield this.#handleOf(task);
  }

  /** The outputs of a batch that exist so far, as one ZIP archive. Nothing is requested before it is saved or read. */
  archive(batchId: string, options: CallOptions = {}): BatchArchive {
    return new BatchArchive(this.#transport, batchId, options);
  }

  /** The batch now and after every change, at most once a second, until it has ended. */
  events(batchId: string, options: Abortable = {}): AsyncGenerator<Batch> {
    return watch(this.#transport, watchedBatch(this.#transport, batchId), options.signal);
  }

  /** Waits until every task of a batch is final, however they end. */
  async wait(batchId: string, options: WaitOptions<Batch> = {}): Promise<Batch> {
    return await this.#wait(batchId, options, {});
  }

  /** Cancels the orders that have not started; the others continue. */
  async cancel(batchId: string, options: ChangeOptions = {}): Promise<Batch> {
    const call = { ...repeatableCall(options, { batchId }), path: `${batchPath(batchId)}/cancel` };
    return (await this.#transport.send<Batch>(call)).data;
  }

  /** A handle for a batch that was placed elsewhere, such as in another process. */
  handle(batch: Batch): BatchHandle {
    return new BatchHandle(this.#calls(), batch);
  }

  async #wait(batchId: string, options: WaitOptions<Batch>, known: OrderFacts): Promise<Batch> {
    const watched = watchedBatch(this.#transport, batchId, known);
    return await waitForEnd(this.#transport, watched, options, (seconds, latest) => {
      const message = `${batchId} had not ended after ${seconds} s. It continues: wait for it again, or cancel it.`;
      return new WaitTimeoutError('wait_timeout', message, { ...known, batchId, batch: latest ?? known.batch });
    });
  }

  #calls() {
    return {
      wait: (batch: Batch, options: WaitOptions<Batch>, idempotencyKey: string | null) =>
        this.#wait(batch.batch_id, options, { idempotencyKey, batch }),
      events: (batchId: string, options: Abortable) => this.events(batchId, options),
      results: (batchId: string, options: Abortable) => this.results(batchId, options),
      archive: (batchId: string, options: CallOptions) => this.archive(batchId, options),
      tasks: (batchId: string, query: ListBatchTasksQuery, options: CallOptions) => this.tasks(batchId, query, options),
      get: (batchId: string, options: CallOptions) => this.get(batchId, options),
      cancel: (batchId: string, options: ChangeOptions) => this.cancel(batchId, options),
    };
  }
}
