import type { OrderingKey } from '../accounts/api-key.ts';
import type { JsonObject, JsonValue } from '../base/canonical-json.ts';
import { type Fault, ServiceError } from '../base/errors.ts';
import type { Model } from '../catalog/model.ts';
import { resolveAction } from '../catalog/resolve-action.ts';
import type { Resolution } from '../catalog/resolve-request.ts';
import type { EarlierOrders, Waits } from '../tasks/earlier-orders.ts';
import { engineToKeepTo } from '../tasks/engine-to-keep-to.ts';
import { isFinal } from '../tasks/task.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import { type FoundParent, findParent, possibleParent } from './action-parents.ts';
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
  return await finishOrder(services, { key, ...(await judgeAction(services, key, order)), claim });
}

/**
 * Everything of an action that can be judged without its key's money and limits.
 * @param earlier the orders before it in its batch
 */
export async function judgeAction(
  services: TaskServices,
  key: OrderingKey,
  order: Pick<CreateOrder, 'body' | 'simulate'>,
  earlier?: EarlierOrders,
) {
  const { fields, rest, faults } = takeServiceFields(
    order.body,
    key,
    order.simulate,
    services.settings.allowedAddresses,
  );
  const waits = { waits: fields.waitForParent, earlier };
  const found = await findSubject(
    () => findParent(services, key, order.body.parent_task_id, waits),
    [...faultsOfAction(rest.action), ...faults],
  );
  const parent = found.row;
  const model = chooseModel(services, key, parent.model_id, 'image');
  assertSameModel(model, order.body.model_id);
  const resolution = resolveOn(model, rest, found, 'create');
  const { request, route, judged } = await judgeOrder(
    services,
    { key, model, resolution, faults, ...waits },
    async () => (key.mode === 'live' ? await engineToKeepTo(services.database.read, parent.id) : null),
  );
  const wireFields = { parent_task_id: parent.id, action: request.action };
  const parentTaskId = parent.id;
  return { model, route, judged, fields, wireFields, parentTaskId, waitsForParent: !isFinal(parent.status) };
}

/**
 * What an action body orders, for its price: on its parent where one is named, else on one as the model's defaults give
 * it.
 * @throws ServiceError when the parent cannot be used
 */
export async function resolveFollowUp(
  services: TaskServices,
  key: OrderingKey,
  model: Model,
  body: JsonObject,
  { purpose, waits }: Waits & { readonly purpose: 'create' | 'quote' },
): Promise<Resolution> {
  if (body.parent_task_id === undefined || body.parent_task_id === null) return resolveOn(model, body, null, purpose);
  const found = await findParent(services, key, body.parent_task_id, { waits });
  if (found.row.model_id !== model.model_id) throw otherModel(found.row.model_id);
  return resolveOn(model, body, found, purpose);
}

function resolveOn(model: Model, body: JsonObject, found: FoundParent | null, purpose: 'create' | 'quote'): Resolution {
  const { parent_task_id: _parent, ...fields } = body;
  const parent = found === null ? null : possibleParent(found, body.action);
  const resolution = resolveAction(model, fields, parent, { purpose });
  if (!resolution.ok || found?.isExact !== false) return resolution;
  // Its size follows from one that is not known yet, so a price that depends on it is not exact.
  const { request } = resolution;
  return { ok: true, request: { ...request, derived: { ...request.derived, size_known: false } } };
}

/** The parts of an action that do not depend on its parent. */
function faultsOfAction(action: JsonValue | undefined): Fault[] {
  if (typeof action === 'string') return [];
  const found = action === undefined ? 'nothing' : JSON.stringify(action).slice(0, 60);
  const message = `action: expected one of the parent's available_actions, found ${found}.`;
  return [{ param: 'action', code: 'invalid_request', message }];
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
