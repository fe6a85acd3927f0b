import { Content, type ContentOptions } from './content.ts';
import { deleteOnce } from './delete-once.ts';
import type { ListImagesQuery, Task, TaskDeletion } from './generated/interface.ts';
import { type List, listAt } from './list.ts';
import type { ModelId, OrderFor } from './order-types.ts';
import { type OrderOptions, placeOrder } from './place-order.ts';
import { type ChangeOptions, repeatableCall } from './repeatable-call.ts';
import { TaskHandle } from './task-handle.ts';
import { taskPath } from './task-path.ts';
import type { CallOptions, Transport } from './transport.ts';
import { type WaitOptions, watch } from './watch.ts';
import { waitForTask, watchedTask } from './watch-task.ts';

export type GenerateOptions = OrderOptions & WaitOptions;

/** Filters and page size of a list. The client pages by itself. */
export type TaskQuery = Omit<ListImagesQuery, 'offset' | 'status'> & {
  readonly status?: Task['status'] | readonly Task['status'][] | undefined;
};

/** The tasks of one type: `client.images` or `client.videos`. */
export class Tasks<Known> {
  protected readonly transport: Transport;
  readonly #path: string;

  constructor(transport: Transport, path: '/v1/images' | '/v1/videos') {
    this.transport = transport;
    this.#path = path;
  }

  /** Orders, and returns at once. @throws DarkroomError with `idempotencyKey` and `ordered` */
  async create<Id extends ModelId<Known>>(order: OrderFor<Known, Id>, options: OrderOptions = {}): Promise<TaskHandle> {
    return await this.place(this.#path, order, options);
  }

  /** Orders, and waits until the task has succeeded. @throws DarkroomError with `taskId` as soon as there is one */
  async generate<Id extends ModelId<Known>>(
    order: OrderFor<Known, Id>,
    options: GenerateOptions = {},
  ): Promise<TaskHandle> {
    return await finish(await this.create(order, options), options);
  }

  /** Retrieves a task. */
  async get(taskId: string, options: CallOptions = {}): Promise<Task> {
    return (await this.transport.send<Task>({ ...options, path: taskPath(taskId), facts: { taskId } })).data;
  }

  /** Waits until a task is final, however it ends. */
  async wait(taskId: string, options: WaitOptions = {}): Promise<Task> {
    return await waitForTask(this.transport, taskId, options);
  }

  /** The task now and after every change, until it is final. */
  events(taskId: string, options: { readonly signal?: AbortSignal | undefined } = {}): AsyncGenerator<Task> {
    return watch(this.transport, watchedTask(this.transport, taskId), options.signal);
  }

  /** Cancels a task, if it can be canceled. A running task may still succeed: wait for its end. */
  async cancel(taskId: string, options: ChangeOptions = {}): Promise<Task> {
    const call = { ...repeatableCall(options, { taskId }), path: `${taskPath(taskId)}/cancel` };
    return (await this.transport.send<Task>(call)).data;
  }

  /** Erases the files and the prompt of a final task. A retry after a lost answer succeeds, too. */
  async delete(taskId: string, options: CallOptions = {}): Promise<TaskDeletion> {
    const call = { ...options, path: taskPath(taskId), facts: { taskId } };
    return { task_id: taskId, deleted_at: await deleteOnce(this.transport, call, 'task_not_found') };
  }

  /** The output of a task, to be read as bytes, as a Blob or as a stream, or saved. */
  content(taskId: string, options: ContentOptions = {}): Content {
    return new Content(this.transport, taskId, options);
  }

  /** A handle for a task that was ordered elsewhere, such as in another process. */
  handle(task: Task): TaskHandle {
    return new TaskHandle(this.#calls(), task);
  }

  /** The tasks of this key, newest first. */
  list(query: TaskQuery = {}, options: CallOptions = {}): List<Task> {
    return listAt(this.transport, this.#path, query, (task) => task.task_id, options);
  }

  protected async place(path: string, order: object, options: OrderOptions): Promise<TaskHandle> {
    const { idempotencyKey, signal, retries, responseTimeoutMs } = options;
    return await placeOrder(this.transport, this.#calls(), path, order, {
      idempotencyKey,
      signal,
      retries,
      responseTimeoutMs,
    });
  }

  #calls() {
    return {
      wait: (task: Task, options: WaitOptions, idempotencyKey: string | null) =>
        waitForTask(this.transport, task.task_id, options, { idempotencyKey, task }),
      events: (taskId: string, options: { readonly signal?: AbortSignal | undefined }) => this.events(taskId, options),
      cancel: (taskId: string, options: ChangeOptions) => this.cancel(taskId, options),
      get: (taskId: string, options: CallOptions) => this.get(taskId, options),
      delete: (taskId: string, options: CallOptions) => this.delete(taskId, options),
      contentOf: (task: Task, options: ContentOptions, idempotencyKey: string | null) =>
        new Content(this.transport, task.task_id, options, { idempotencyKey, task }),
    };
  }
}

/** Waits for the result of an order that was just placed. */
export async function finish(handle: TaskHandle, options: GenerateOptions): Promise<TaskHandle> {
  const { signal, timeoutMs, onUpdate } = options;
  return await handle.result({ signal, timeoutMs, onUpdate });
}
