import type { OrderingKey } from '../accounts/api-key.ts';
import type { JsonObject, JsonValue } from '../base/canonical-json.ts';
import { errorFromFaults, type Fault, ServiceError } from '../base/errors.ts';
import type { ActionParent } from '../catalog/action-output.ts';
import type { Model, ResolvedRequest } from '../catalog/model.ts';
import { resolveAction } from '../catalog/resolve-action.ts';
import type { Resolution } from '../catalog/resolve-request.ts';
import { actionParent } from './action-offers.ts';
import { chooseModel, chooseRoute } from './choose-model.ts';
import { type Created, type CreateOrder, claimOf, finishOrder, replayOf } from './create-task.ts';
import type { Desk } from './desk.ts';
import { findTaskRow } from './find-tasks.ts';
import { engineToKeepTo } from './next-route.ts';
import { judgeMedia } from './order-media.ts';
import { findSubject, refusalOf } from './refuse-order.ts';
import { takeServiceFields } from './service-fields.ts';
import { isFinal, type StoredOutput } from './task.ts';
import type { ViewRow } from './task-view.ts';

/**
 * Takes a follow-up action on an earlier image task of the same key (contract §7).
 * @throws ServiceError
 */
export async function createAction(desk: Desk, key: OrderingKey, order: Omit<CreateOrder, 'type'>): Promise<Created> {
  const claim = claimOf(key, order);
  const replay = await replayOf(desk, key, claim);
  if (replay !== null) return replay;
  const { fields, rest, faults } = takeServiceFields(
    order.body,
    key.mode,
    order.simulate,
    desk.settings.allowedAddresses,
  );
  const parent = await findSubject(
    () => findParent(desk, key, order.body.parent_task_id),
    [...faultsOfAction(rest.action), ...faults],
  );
  const model = chooseModel(desk, key, parent.model_id, 'image');
  assertSameModel(model, order.body.model_id);
  const resolution = resolveOn(model, rest, parentFrom(parent), 'create');
  if (!resolution.ok || faults.length > 0) throw await refusalOf(desk, key.id, model, resolution, faults);
  const keepTo = await engineToKeepTo(desk.database.read, parent.id);
  const route = chooseRoute(desk, key, model, resolution.request, key.mode === 'live' ? keepTo : null);
  const judged = await judgeMedia(desk, key.id, model, resolution.request, { keep: true });
  if (judged.faults.length > 0) throw errorFromFaults(judged.faults);
  const wireFields = { parent_task_id: parent.id, action: resolution.request.action };
  return await finishOrder(desk, { key, model, route, judged, fields, wireFields, parentTaskId: parent.id, claim });
}

/**
 * What an action body orders, for its price: on its parent where one is named, else on one as the model's defaults give it.
 * @throws ServiceError when the parent cannot be used
 */
export async function resolveFollowUp(
  desk: Desk,
  key: OrderingKey,
  model: Model,
  body: JsonObject,
  purpose: 'create' | 'quote',
): Promise<Resolution> {
  if (body.parent_task_id === undefined || body.parent_task_id === null) return resolveOn(model, body, null, purpose);
  const parent = await findParent(desk, key, body.parent_task_id);
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

async function findParent(desk: Desk, key: OrderingKey, taskId: JsonValue | undefined): Promise<ViewRow> {
  if (typeof taskId !== 'string') {
    const found = taskId === undefined ? 'nothing' : JSON.stringify(taskId).slice(0, 60);
    throw new ServiceError(
      'invalid_request',
      `parent_task_id: expected the id of an earlier image task, found ${found}.`,
      { param: 'parent_task_id' },
    );
  }
  const row = await findTaskRow(desk.database.read, key.id, 'image', taskId).catch((error: unknown) => {
    throw error instanceof ServiceError
      ? new ServiceError(error.code, error.message, { param: 'parent_task_id' })
      : error;
  });
  if (!isFinal(row.status)) {
    throw new ServiceError('parent_not_ready', `The parent task is ${row.status}. Wait until it has succeeded.`, {
      param: 'parent_task_id',
      retryAfterSeconds: 2,
    });
  }
  if (row.status !== 'succeeded' || row.erased_at !== null) {
    const found =
      row.status === 'succeeded'
        ? 'its files were erased'
        : `it ${row.status === 'failed' ? 'failed' : 'was canceled'}`;
    throw new ServiceError(
      'parent_not_usable',
      `The parent task cannot be used: ${found}. Choose one that has succeeded.`,
      { param: 'parent_task_id' },
    );
  }
  return row;
}

function parentFrom(row: ViewRow): ActionParent {
  const output = (JSON.parse(row.outputs_json) as StoredOutput[])[0];
  if (output === undefined) throw new Error(`the succeeded task ${row.id} has no output`);
  return actionParent(JSON.parse(row.request_json) as ResolvedRequest, output);
}

function assertSameModel(model: Model, modelId: JsonValue | undefined): void {
  if (
    modelId === undefined ||
    modelId === null ||
    (typeof modelId === 'string' && [model.model_id, ...model.aliases].includes(modelId))
  )
    return;
  throw otherModel(model.model_id, ', or be left out');
}

function otherModel(expected: string, alternative = ''): ServiceError {
  return new ServiceError('invalid_request', `model_id must be the parent's model, ${expected}${alternative}.`, {
    param: 'model_id',
  });
}
