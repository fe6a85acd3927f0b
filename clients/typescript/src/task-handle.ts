import type { Content, ContentOptions } from './content.ts';
import { DarkroomError, TaskCanceledError, TaskFailedError } from './errors.ts';
import type { Output, Task, TaskDeletion } from './generated/interface.ts';
import type { ChangeOptions } from './repeatable-call.ts';
import type { CallOptions } from './transport.ts';
import type { WaitOptions } from './watch.ts';
import { isFinal } from './watch-task.ts';

/** The calls that a task handle makes. */
export interface TaskCalls {
  wait(task: Task, options: WaitOptions, idempotencyKey: string | null): Promise<Task>;
  events(taskId: string, options: { readonly signal?: AbortSignal | undefined }): AsyncIterable<Task>;
  cancel(taskId: string, options: ChangeOptions): Promise<Task>;
  get(taskId: string, options: CallOptions): Promise<Task>;
  delete(taskId: string, options: CallOptions): Promise<TaskDeletion>;
  contentOf(task: Task, options: ContentOptions, idempotencyKey: string | null): Content;
}

/** An order that was accepted. `task` is its latest known state. */
export class TaskHandle {
  /** The key of the order, if this handle comes from it. */
  readonly idempotencyKey: string | null;
  /** Whether the order existed before: the call repeated an earlier one. */
  readonly replayed: boolean;
  #task: Task;
  readonly #calls: TaskCalls;

  constructor(
    calls: TaskCalls,
    task: Task,
    order: { readonly idempotencyKey?: string; readonly replayed?: boolean } = {},
  ) {
    this.#calls = calls;
    this.#task = task;
    this.idempotencyKey = order.idempotencyKey ?? null;
    this.replayed = order.replayed ?? false;
  }

  get taskId(): string {
    return this.#task.task_id;
  }

  get task(): Task {
    return this.#task;
  }

  /**
   * The output as a reference for another order, such as `image_urls: [handle.reference()]`. If this task is not final,
   * that order needs `wait_for_parent: true`.
   * @param index of an image in a grid, or of an output, from 1
   */
  reference(index?: number): string {
    return `task:${this.taskId}${index === undefined ? '' : `#${index}`}`;
  }

  /** The file that the task produced. @throws DarkroomError before the task has succeeded */
  get output(): Output {
    const [output] = this.#task.outputs;
    if (output !== undefined) return output;
    const { status, task_id: id } = this.#task;
    const message =
      status === 'succeeded' ? `The output of ${id} has been erased.` : `${id} is ${status} and has no output.`;
    throw new DarkroomError(status === 'succeeded' ? 'outputs_expired' : 'not_final', message, this.#facts());
  }

  /**
   * Waits until the task is final, however it ends.
   * @throws WaitTimeoutError, AbortError, ConnectionError: the task continues
   */
  async wait(options: WaitOptions = {}): Promise<Task> {
    if (!isFinal(this.#task)) this.#task = await this.#calls.wait(this.#task, options, this.idempotencyKey);
    return this.#task;
  }

  /** Waits until the task has succeeded. @throws TaskFailedError, TaskCanceledError and all that `wait` throws */
  async result(options: WaitOptions = {}): Promise<this> {
    const task = await this.wait(options);
    if (task.error !== null) throw new TaskFailedError(task, task.error, this.#facts());
    if (task.status !== 'succeeded')
      throw new TaskCanceledError('canceled', `${task.task_id} was canceled. Nothing was charged.`, this.#facts());
    return this;
  }

  /** The task now and after every change, until it is final. */
  async *events(options: { readonly signal?: AbortSignal } = {}): AsyncGenerator<Task> {
    for await (const task of this.#calls.events(this.taskId, options)) {
      this.#task = task;
      yield task;
    }
  }

  /** Cancels the task, if it can be canceled. A running task may still succeed: wait for its end. */
  async cancel(options: ChangeOptions = {}): Promise<Task> {
    this.#task = await this.#calls.cancel(this.taskId, options);
    return this.#task;
  }

  /** Retrieves the task as it is now. */
  async refresh(options: CallOptions = {}): Promise<Task> {
    this.#task = await this.#calls.get(this.taskId, options);
    return this.#task;
  }

  /** Erases the files and the prompt of a final task. */
  async delete(options: CallOptions = {}): Promise<TaskDeletion> {
    return await this.#calls.delete(this.taskId, options);
  }

  /** The output, to be read as bytes, as a Blob or as a stream, or saved. */
  content(options: ContentOptions = {}): Content {
    return this.#calls.contentOf(this.#task, options, this.idempotencyKey);
  }

  /** Saves the output under a path. Not in browsers. */
  async save(path: string, options: ContentOptions = {}): Promise<void> {
    await this.content(options).save(path);
  }

  #facts() {
    return { idempotencyKey: this.idempotencyKey, task: this.#task };
  }
}
