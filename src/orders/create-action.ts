import type { OrderingKey } from '../accounts/api-key.ts';
import type { JsonObject, JsonValue } from '../base/canonical-json.ts';
import { type Fault, ServiceError } from '../base/errors.ts';
import type { ActionParent } from '../catalog/action-output.ts';
import type { Model } from '../catalog/model.ts';
import { resolveAction } from '../catalog/resolve-action.ts';
import type { Resolution } from '../catalog/resolve-request.ts';
import { engineToKeepTo } from '../tasks/engine-to-keep-to.ts';
import { isFinal } from '../tasks/task.ts';
import type { ViewRow } from '../tasks/task-columns.ts';
import { outputsOf, requestOf } from '../tasks/task-json.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import { actionParent } from '../views/action-offers.ts';
import { findRowOrTombstone, findTaskRow } from '../views/find-tasks.ts';
import { chooseModel } from './choose-model.ts';
import { type Created, type CreateOrder, claimOf, finishOrder, replayOf } from './create-task.ts';
import { judgeOrder } from './judge-order.ts';
import { findSubject } from './refuse-order.ts';
import { takeServiceFields } from './service-fields.ts';

/**
 * Takes a follow-up action on an earlier image task of the same key (contract §7).
 * @throws ServiceError
 */
export async function createAction(
  services: TaskServices,
  key: OrderingKey,
  order: Omit<CreateOrder, 'type'>,
): Promise<Created> {
  const claim = await claimOf(key, order);
  const replay = await replayOf(services, key, claim);
  if (replay !== null) return replay;
  const { fields, rest, faults } = takeServiceFields(
    order.body,
    key.mode,
    order.simulate,
    services.settings.allowedAddresses,
  );
  const parent = await findSubject(
    () => findParent(services, key, order.body.parent_task_id),
    [...faultsOfAction(rest.action), ...faults],
  );
  const model = chooseModel(services, key, parent.model_id, 'image');
  assertSameModel(model, order.body.model_id);
  const resolution = resolveOn(model, rest, parentFrom(parent), 'create');
  const { request, route, judged } = await judgeOrder(services, { key, model, resolution, faults }, async () =>
    key.mode === 'live' ? await engineToKeepTo(services.database.read, parent.id) : null,
  );
  const wireFields = { parent_task_id: parent.id, action: request.action };
  return await finishOrder(services, { key, model, route, judged, fields, wireFields, parentTaskId: parent.id, claim });
}

/**
 * What an action body orders, for its price: on its parent where one is named, else on one as the model's defaults give it.
 * @throws ServiceError when the parent cannot be used
 */
export async function resolveFollowUp(
  services: TaskServices,
  key: OrderingKey,
  model: Model,
  body: JsonObject,
  purpose: 'create' | 'quote',
): Promise<Resolution> {
  if (body.parent_task_id === undefined || body.parent_task_id === null) return resolveOn(model, body, null, purpose);
  const parent = await findParent(services, key, body.parent_task_id);
  if (parent.model_id !== model.model_id) throw otherModel(parent.model_id);
  return resolveOn(model, body, parentFrom(parent), purpose);
}

function resolveOn(
  model: Model,
  body: JsonObject,
  parent: ActionParent | null,
  purpose: 'create' | 'quote',
): Resolution {
  const { parent_task_id: _parent, ...fields } = body;
  return resolveAction(model, fields, parent, { purpose });
}

/** What can be said of an action before its parent is known. */
function faultsOfAction(action: JsonValue | undefined): Fault[] {
  if (typeof action === 'string') return [];
  const found = action === undefined ? 'nothing' : JSON.stringify(action).slice(0, 60);
  const message = `action: expected one of the parent's available_actions, found ${found}.`;
  return [{ param: 'action', code: 'invalid_request', message }];
}

async function findParent(services: TaskServices, key: OrderingKey, taskId: JsonValue | undefined): Promise<ViewRow> {
  if (typeof taskId !== 'string') {
    const found = taskId === undefined ? 'nothing' : JSON.stringify(taskId).slice(0, 60);
    throw new ServiceError(
      'invalid_request',
      `parent_task_id: expected the id of an earlier image task, found ${found}.`,
      { param: 'parent_task_id' },
    );
  }
  const row = await findTaskRow(services.database.read, key.id, 'image', taskId).catch(async (error: unknown) => {
    const deleted = await findRowOrTombstone(services.database.read, key.id, taskId);
    if (deleted?.type === 'image' && deleted.deleted_at !== null) throw unusable('it was deleted');
    throw error instanceof ServiceError
      ? new ServiceError(error.code, error.message, { param: 'parent_task_id' })
      : error;
  });
  if (!isFinal(row.status)) {
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
  return row;
}

function unusable(found: string): ServiceError {
  return new ServiceError('parent_not_usable', `The parent task cannot be used: ${found}. Use a task that succeeded.`, {
    param: 'parent_task_id',
  });
}

function parentFrom(row: ViewRow): ActionParent {
  const output = outputsOf(row)[0];
  if (output === undefined) throw new Error(`the succeeded task ${row.id} has no output`);
  return actionParent(requestOf(row), output);
}

function assertSameModel(model: Model, modelId: JsonValue | undefined): void {
  if (
    modelId === undefined ||
    modelId === null ||
    (typeof modelId === 'string' && [model.model_id, ...model.aliases].includes(modelId))
  )
    return;
  throw otherModel(model.model_id, ', or omitted');
}

function otherModel(expected: string, alternative = ''): ServiceError {
  return new ServiceError('invalid_request', `model_id must be the parent's model, ${expected}${alternative}.`, {
    param: 'model_id',
  });
}
