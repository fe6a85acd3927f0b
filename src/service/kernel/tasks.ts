import type { ServiceError, TaskView } from '@darkroom-service/contract';
import type { OrderingKey } from '../../accounts/api-key.ts';
import type { Owner } from '../../accounts/scope.ts';
import type { Session } from '../../database/database.ts';
import type { ViewRow } from '../../record/task-columns.ts';
import type { TaskEvents } from '../../tasks/events/task-events.ts';
import type { GroupPlace } from '../../tasks/task-hooks.ts';
import type { TaskEnd, TaskServices } from '../../tasks/task-services.ts';
import {
  findOwnRow,
  findRowOrTombstone,
  findTask,
  findTaskRow,
  ownerInAccount,
  taskNotFound,
} from '../../views/find-tasks.ts';
import { taskContent } from '../../views/task-content.ts';
import { rangeOfTasks, type TaskFilters, type TaskRange } from '../../views/task-range.ts';
import { readGroups, viewTasks } from '../../views/task-view.ts';
import { waitForEnd, waitForTask } from '../../views/wait-for-task.ts';

/** Type of a task. */
type TaskType = 'image' | 'video';

/** Orders that were placed, as their callers see them. */
export interface Tasks {
  /**
   * Returns a task of a key as answers show it.
   * @param type null = either
   * @throws ServiceError `task_not_found`, `task_expired`
   * @example const task = await kernel.tasks.find(key, 'image', taskId);
   */
  find(key: OrderingKey, type: TaskType | null, taskId: string): Promise<TaskView>;
  /**
   * Returns the row of a task.
   * @param type null = either
   * @param options.hidden whether a deleted task is found, too
   * @throws ServiceError `task_not_found`, `task_expired`
   * @example const { outputs_json } = await kernel.tasks.row(key, 'image', taskId);
   */
  row(owner: Owner, type: TaskType | null, taskId: string, options?: { readonly hidden: boolean }): Promise<ViewRow>;
  /**
   * Returns the error of a task that the caller does not have.
   * @example throw kernel.tasks.notFound('image', taskId);
   */
  notFound(type: TaskType | null, taskId: string): ServiceError;
  /**
   * Returns the row of a task, also if it has been erased; undefined if the caller never had it.
   * @example const known = (await kernel.tasks.anyRow(key, taskId)) !== undefined;
   */
  anyRow(owner: Owner, taskId: string): Promise<ViewRow | undefined>;
  /**
   * Shows rows of the key as answers show tasks.
   * @example const [task] = await kernel.tasks.show(key, session, [await kernel.tasks.row(key, 'image', taskId)]);
   */
  show(key: OrderingKey, session: Session, rows: readonly ViewRow[]): Promise<TaskView[]>;
  /**
   * Returns the range of a key's tasks that match filters. One index gives their order.
   * @param statuses any of these; empty = all
   * @param only id of the only task to read
   * @example const { start, fits } = kernel.tasks.range(key, 'image', ['queued'], filters);
   */
  range(
    key: OrderingKey,
    type: TaskType,
    statuses: readonly string[],
    filters: TaskFilters,
    only?: string | null,
  ): TaskRange;
  /**
   * Returns the file of a task's output, for `http.serve`.
   * @throws ServiceError `task_not_found`, `outputs_expired`, `not_final`, `not_found`
   * @example const file = await kernel.tasks.content(key, 'image', taskId, 'thumbnail');
   */
  content(
    key: OrderingKey,
    type: TaskType,
    taskId: string,
    variant: Parameters<typeof taskContent>[4],
  ): ReturnType<typeof taskContent>;
  /**
   * Waits until a task is final, or for some seconds.
   * @throws ServiceError `task_not_found`
   * @example const task = await kernel.tasks.wait(key, 'image', taskId, { seconds: 30, signal });
   */
  wait(key: OrderingKey, type: TaskType, taskId: string, options: Parameters<typeof waitForTask>[4]): Promise<TaskView>;
  /**
   * Waits like `wait`, and returns the last row that was read, and the end if this process settled the task.
   * @example const { row, end } = await kernel.tasks.waitForEnd(key, 'image', taskId, { seconds: 30, signal });
   */
  waitForEnd(
    key: OrderingKey,
    type: TaskType,
    taskId: string,
    options: Parameters<typeof waitForEnd>[4],
  ): ReturnType<typeof waitForEnd>;
  /**
   * Changes of tasks: at once in this process, soon after in others.
   * @example const stop = kernel.tasks.events.onAny(() => {});
   */
  readonly events: TaskEvents<TaskEnd>;
  /**
   * Returns the groups of those rows that belong to one, such as a batch, by order.
   * @example const groups = await kernel.tasks.groups(session, [{ id: taskId, line: 1 }]);
   */
  groups(session: Session, rows: readonly Pick<ViewRow, 'id' | 'line'>[]): Promise<ReadonlyMap<string, GroupPlace>>;
  /**
   * Returns the key that ordered a task or a batch of the caller's account. For callers whose right to see the whole
   * account was proved.
   * @throws ServiceError `task_not_found`, `not_found`
   * @example const owner = await kernel.tasks.ownerInAccount(key, 'order', taskId);
   */
  ownerInAccount(key: OrderingKey, what: 'order' | 'batch', id: string): Promise<OrderingKey>;
}

/** Opens the tasks for additions. */
export function openTasks(services: TaskServices): Tasks {
  const { database } = services;
  return {
    find: (key, type, taskId) => findTask(services, key, type, taskId),
    row: (owner, type, taskId, { hidden } = { hidden: false }) =>
      (hidden ? findOwnRow : findTaskRow)(database.read, owner, type, taskId),
    notFound: taskNotFound,
    anyRow: (owner, taskId) => findRowOrTombstone(database.read, owner, taskId),
    show: (key, session, rows) => viewTasks(services, key, session, rows),
    range: (key, type, statuses, filters, only) => rangeOfTasks(services, key.id, type, statuses, filters, only),
    content: (key, type, taskId, variant) => taskContent(services, key, type, taskId, variant),
    wait: (key, type, taskId, options) => waitForTask(services, key, type, taskId, options),
    waitForEnd: (key, type, taskId, options) => waitForEnd(services, key, type, taskId, options),
    events: services.events,
    groups: (session, rows) => readGroups(services, session, rows),
    ownerInAccount: (key, what, id) => ownerInAccount(database.read, key, what, id),
  };
}
