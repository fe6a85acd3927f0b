import { isHidden, mayOrder, type OrderingKey } from '../accounts/api-key.ts';
import { errorFromFaults, ServiceError } from '../base/errors.ts';
import type { Model, ResolvedRequest } from '../catalog/model.ts';
import type { Desk, Route } from './desk.ts';

/**
 * The model that a body names, if this key can order it.
 * @param type the kind of the endpoint; null where it takes either (prices).
 * @throws ServiceError `invalid_request`, `model_not_found`, `model_not_allowed`, `model_retired`
 */
export function chooseModel(desk: Desk, key: OrderingKey, modelId: unknown, type: 'image' | 'video' | null): Model {
  if (typeof modelId !== 'string' || modelId === '') {
    const found = modelId === undefined ? 'nothing' : JSON.stringify(modelId)?.slice(0, 60);
    throw new ServiceError(
      'invalid_request',
      `model_id: expected the id of a model, such as "sketch", found ${found}. GET /v1/models lists them.`,
      {
        param: 'model_id',
      },
    );
  }
  const model = desk.catalog().find(modelId);
  if (model === null || isHidden(key.account, model.model_id)) {
    throw new ServiceError(
      'model_not_found',
      `There is no model '${modelId.slice(0, 64)}'. GET /v1/models lists those you can order.`,
      { param: 'model_id' },
    );
  }
  if (type !== null && model.type !== type) {
    throw new ServiceError(
      'model_not_found',
      `${model.model_id} makes ${model.type}s: send this to POST /v1/${model.type}s.`,
      { param: 'model_id' },
    );
  }
  if (!mayOrder(key, model.model_id)) {
    throw new ServiceError(
      'model_not_allowed',
      `This API key may not order ${model.model_id}. It may order: ${key.models.join(', ')}.`,
      { param: 'model_id' },
    );
  }
  if (model.status === 'retired') {
    const successor = model.replaced_by === null ? '' : ` Use ${model.replaced_by} instead.`;
    throw new ServiceError('model_retired', `${model.model_id} is no longer offered.${successor}`, {
      param: 'model_id',
      details: [{ replaced_by: model.replaced_by }],
    });
  }
  return model;
}

/**
 * Who makes this key's orders of the model.
 * @param keepTo the only engine that can, where the order follows up on what that one kept
 * @throws ServiceError `model_unavailable` when it is paused, its upstreams want another key or money, or it is live and without a
 * configured route; `unsupported_field` or `unsupported_value` when no configured route can say all of the request.
 */
export function chooseRoute(
  desk: Desk,
  key: OrderingKey,
  model: Model,
  request: ResolvedRequest,
  keepTo: string | null = null,
): Route {
  const { route, faults } = desk.routing.routeFor(model, key.mode, request, keepTo);
  if (faults.length > 0) throw errorFromFaults(faults);
  if (route === null) {
    throw new ServiceError(
      'model_unavailable',
      `${model.model_id} has no engine configured here, so live orders cannot be taken. A test key can order it; GET /v1/models lists what this key can order.`,
      { param: 'model_id', retryAfterSeconds: 300 },
    );
  }
  const paused =
    model.status === 'paused' ||
    desk.routing.isPaused('model', model.model_id) ||
    desk.routing.isPaused('engine', route.engine);
  if (paused) {
    throw new ServiceError('model_unavailable', `${model.model_id} is paused by the operator. Try again later.`, {
      param: 'model_id',
      retryAfterSeconds: 300,
    });
  }
  if (key.mode === 'live' && desk.routing.standing(route.engine) === 'refusing') {
    throw new ServiceError(
      'model_unavailable',
      `${model.model_id} cannot be made at the moment: its engine waits for the operator. Try again later.`,
      { param: 'model_id', retryAfterSeconds: desk.routing.secondsToTrial(route.engine) },
    );
  }
  return route;
}
