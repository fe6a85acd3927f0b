import { cutText, didYouMean, nearestName, ServiceError } from '@darkroom-service/contract';
import type { Model } from '@darkroom-service/contract/catalog';
import { isHidden, mayOrder, type OrderingKey } from '../accounts/api-key.ts';
import { isKeyed, withoutKey } from '../record/owned-instance.ts';
import type { Route } from '../record/route.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import { notOffered, successorOf } from './not-offered.ts';

/**
 * Returns the model that a body names, if this key can order it.
 * @param type the kind of the endpoint; null if it takes either (prices).
 * @param misnamed the value of `model`, as other services name the field.
 * @throws ServiceError `invalid_request`, `model_not_found`, `model_not_allowed`, `model_retired`
 */
export function chooseModel(
  services: Pick<TaskServices, 'catalog'>,
  key: OrderingKey,
  modelId: unknown,
  type: 'image' | 'video' | null,
  misnamed?: unknown,
): Model {
  if (typeof modelId !== 'string' || modelId === '') throw withoutModel(modelId, misnamed);
  const model = services.catalog().find(modelId);
  if (model === null || isHidden(key.account, model.model_id)) throw unknownModel(services, key, modelId, type);
  if (type !== null && model.type !== type) {
    throw new ServiceError(
      'model_not_found',
      `${model.model_id} is ${model.type === 'image' ? 'an image' : 'a video'} model. Send the order to POST /v1/${model.type}s.`,
      { param: 'model_id' },
    );
  }
  if (!mayOrder(key, model.model_id)) {
    throw new ServiceError(
      'model_not_allowed',
      `This API key cannot order ${model.model_id}. It can order: ${[...(key.client?.models ?? []), ...key.models].join(', ')}.`,
      { param: 'model_id' },
    );
  }
  if (model.status === 'retired') {
    throw new ServiceError('model_retired', `${model.model_id} is no longer available.${successorOf(model)}`, {
      param: 'model_id',
      details: [{ replaced_by: model.replaced_by }],
    });
  }
  return model;
}

function withoutModel(found: unknown, misnamed: unknown): ServiceError {
  if (found === undefined && misnamed !== undefined)
    return new ServiceError('invalid_request', "model_id is missing. Did you mean 'model_id' instead of 'model'?", {
      param: 'model_id',
    });
  const what = found === undefined ? 'nothing' : cutText(JSON.stringify(found), 60);
  return new ServiceError(
    'invalid_request',
    `model_id: expected the id of a model, such as "sketch", found ${what}. GET /v1/models lists them.`,
    { param: 'model_id' },
  );
}

/** Suggests only models that the key can order. */
function unknownModel(
  services: Pick<TaskServices, 'catalog'>,
  key: OrderingKey,
  modelId: string,
  type: 'image' | 'video' | null,
): ServiceError {
  const orderable = services
    .catalog()
    .models.filter((model) => type === null || model.type === type)
    .filter((model) => mayOrder(key, model.model_id) && !isHidden(key.account, model.model_id));
  const suggestion = nearestName(
    modelId,
    orderable.map((model) => model.model_id),
  );
  const message = `There is no model '${cutText(modelId, 64)}'.${didYouMean(suggestion)} GET /v1/models lists the models that you can order.`;
  return new ServiceError('model_not_found', message, { param: 'model_id', suggestion });
}

/**
 * Accepts a route for a new order of this key.
 * @param found.route null = none is configured, or each costs more than the order pays
 * @throws ServiceError `model_unavailable` if it is paused, or its upstreams need another key or money;
 * `model_not_offered` if it has no route by the settings
 */
export function acceptRoute(
  services: Pick<TaskServices, 'routing' | 'settings'>,
  key: OrderingKey,
  model: Model,
  { route, isBelowCost }: { readonly route: Route | null; readonly isBelowCost: boolean },
): Route {
  if (isBelowCost) throw notOffered(services, model, 'below_cost');
  if (route === null && services.routing.usesOwnKey(model, key.mode, key.account.id))
    throw notOffered(services, model, 'own_key');
  if (route === null && services.routing.hasEnded(model, key.mode, key.account.id))
    throw notOffered(services, model, 'ended');
  if (route === null && services.routing.lacksParts(model, key.mode)) {
    throw new ServiceError(
      'model_unavailable',
      `${model.model_id} cannot be ordered now: this service lacks a part that makes it. Its operator can see which. Retry later.`,
      { param: 'model_id', retryAfterSeconds: 300 },
    );
  }
  if (route === null) throw notOffered(services, model, 'no_engine');
  const paused = model.status === 'paused' || services.routing.isPaused('model', model.model_id);
  if (services.routing.isPaused('engine', route.engine) && !paused) {
    const engine = key.mode === 'test' ? 'the built-in engine, which runs the orders of test keys' : 'its engine';
    throw new ServiceError(
      'model_unavailable',
      `${model.model_id} cannot be ordered now: the operator paused ${engine}. Retry later.`,
      { param: 'model_id', retryAfterSeconds: 300 },
    );
  }
  if (paused) {
    throw new ServiceError('model_unavailable', `The operator paused ${model.model_id}. Retry later.`, {
      param: 'model_id',
      retryAfterSeconds: 300,
    });
  }
  if (key.mode === 'live' && services.routing.standing(route.engine, route.model) === 'refusing') {
    const cause = isKeyed(route.engine)
      ? `${withoutKey(route.engine)} rejects orders with your upstream key. GET /v1/account/upstream_keys says why. Set a valid key or retry later.`
      : 'its upstream rejects orders until the operator fixes the cause. Retry later.';
    throw new ServiceError('model_unavailable', `${model.model_id} cannot be ordered now: ${cause}`, {
      param: 'model_id',
      retryAfterSeconds: services.routing.secondsToTrial(route),
    });
  }
  return route;
}
