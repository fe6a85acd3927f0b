import { cutText, type JsonValue, ServiceError } from '@darkroom-service/contract';
import type { ActionName } from '@darkroom-service/contract/catalog';
import type { OrderingKey } from '../accounts/api-key.ts';
import { type ActionParent, actionParent, changesNothing, LARGEST_SIDE } from '../catalog/action-output.ts';
import { expectedOf } from '../order-files/chosen-output.ts';
import { findByName, orderNameIn, type PlannedTask, type WaitPolicy } from '../record/batch-siblings.ts';
import { isFinal } from '../record/task.ts';
import type { ViewRow } from '../record/task-columns.ts';
import { outputsOf, requestOf } from '../record/task-json.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import { findRowOrTombstone, findTaskRow } from '../views/find-tasks.ts';

/** The task that an action follows up on. */
export interface FoundParent {
  readonly row: Pick<ViewRow, 'id' | 'model_id' | 'status'>;
  /** The parent as delivered, or as planned if it is not final yet. */
  readonly parent: ActionParent;
  /** False if the size of an unfinished parent is not known yet. */
  readonly isExact: boolean;
}

/**
 * Finds the parent of an action.
 * @throws ServiceError when the parent cannot be used
 */
export async function findParent(
  services: Pick<TaskServices, 'database'>,
  key: OrderingKey,
  taskId: JsonValue | undefined,
  { waits, earlier }: WaitPolicy,
): Promise<FoundParent> {
  if (typeof taskId !== 'string') {
    const found = taskId === undefined ? 'nothing' : cutText(JSON.stringify(taskId), 60);
    throw new ServiceError(
      'invalid_request',
      `parent_task_id: expected the id of an earlier image task, found ${found}.`,
      { param: 'parent_task_id' },
    );
  }
  const name = orderNameIn(taskId);
  const order = name === null ? { taskId } : findByName(earlier, name);
  if (typeof order === 'string')
    throw new ServiceError('invalid_request', `parent_task_id: ${order}.`, { param: 'parent_task_id' });
  const planned = earlier?.planned(order.taskId);
  if (planned?.type === 'image') return plannedParent(planned);
  if (planned !== undefined)
    throw new ServiceError('task_not_found', `The order '${name}' makes a video; an action needs an image.`, {
      param: 'parent_task_id',
    });
  const row = await findTaskRow(services.database.read, key, 'image', taskId).catch(async (error: unknown) => {
    const deleted = await findRowOrTombstone(services.database.read, key, taskId);
    if (deleted?.type === 'image' && deleted.deleted_at !== null) throw unusable('it was deleted');
    throw error instanceof ServiceError
      ? new ServiceError(error.code, error.message, { param: 'parent_task_id' })
      : error;
  });
  if (!isFinal(row.status)) {
    if (waits) return plannedParent(row);
    throw new ServiceError('parent_not_ready', `The parent task is ${row.status}. Wait until it succeeds.`, {
      param: 'parent_task_id',
      retryAfterSeconds: 2,
    });
  }
  if (row.status !== 'succeeded' || row.erased_at !== null) {
    const found =
      row.status === 'succeeded'
        ? 'its files were erased'
        : `it ${row.status === 'failed' ? 'failed' : 'was canceled'}`;
    throw unusable(found);
  }
  const output = outputsOf(row)[0];
  if (output === undefined) throw new Error(`the succeeded task ${row.id} has no output`);
  return { row, parent: actionParent(requestOf(row), output), isExact: true };
}

function plannedParent(row: PlannedTask): FoundParent {
  const request = requestOf(row);
  return { row, parent: actionParent(request, request.output), isExact: expectedOf(row) !== null };
}

/**
 * Returns the parent with a size at which the action is possible, if its real size is not known yet: an action is not
 * refused for an unknown size.
 */
export function possibleParent({ parent, isExact }: FoundParent, action: JsonValue | undefined): ActionParent {
  if (isExact) return parent;
  const fits = Math.max(parent.width, parent.height) < LARGEST_SIDE && !changesNothing(action as ActionName, parent);
  if (fits) return parent;
  const side = Math.round(Math.min(parent.width, parent.height) / 2);
  return { ...parent, width: side, height: side + 8 };
}

function unusable(found: string): ServiceError {
  return new ServiceError('parent_not_usable', `The parent task cannot be used: ${found}. Use a task that succeeded.`, {
    param: 'parent_task_id',
  });
}
