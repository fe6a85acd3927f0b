import type { Model, ResolvedRequest } from '@darkroom-service/contract/catalog';
import { measureRequest } from '../../catalog/measure-request.ts';
import type { ModelOrder, OrderModels } from '../../record/order-models.ts';
import type { Route } from '../../record/route.ts';
import { measurementsOf } from '../../record/task.ts';
import { quoteOf, requestOf, type StoredQuote } from '../../record/task-json.ts';
import type { TaskRecord } from '../../record/task-record.ts';
import type { TaskServices } from '../../tasks/task-services.ts';

/** An order as one of its models makes it. */
export interface OrderAtModel {
  readonly model: Model;
  readonly request: ResolvedRequest;
  readonly quote: StoredQuote;
  /** Whether it goes to upstream keys of its account. */
  readonly isKeyed: boolean;
}

/** A route that is chosen, without the routes that the order has left. */
type RouteAtModel = Omit<Route, 'tried' | 'models'>;

/** The next model of an order with its route there, and the columns that its row gets. */
export interface NextModel {
  readonly route: RouteAtModel;
  readonly models: OrderModels;
  readonly order: ModelOrder;
}

/**
 * Returns the next model of an order that has a route for it; null if there is none. Models without one are left
 * behind.
 * @param reason the reason, for the customer, why the present model does not make it
 * @param routeAt returns the route of the order at a model
 */
export function nextModelOf(
  services: Pick<TaskServices, 'catalog' | 'routing'>,
  task: TaskRecord,
  models: OrderModels,
  reason: string,
  routeAt: (order: OrderAtModel) => RouteAtModel | null,
): NextModel | null {
  const left = [...models.left, { model_id: task.model_id, reason }];
  for (const [at, order] of models.next.entries()) {
    const found = findAt(services, task, order, routeAt);
    if (found !== null) return { ...found, models: { ...models, left, next: models.next.slice(at + 1) } };
    left.push({ model_id: order.model_id, reason: 'None of its upstreams was ready for the order.' });
  }
  return null;
}

/** Returns the order at a model, measured by its media; null if the model cannot make it now. */
function findAt(
  { catalog, routing }: Pick<TaskServices, 'catalog' | 'routing'>,
  task: TaskRecord,
  order: ModelOrder,
  routeAt: (order: OrderAtModel) => RouteAtModel | null,
): Pick<NextModel, 'route' | 'order'> | null {
  const model = catalog().find(order.model_id);
  if (model === null || model.status === 'paused' || routing.isPaused('model', model.model_id)) return null;
  const measured = measureRequest(model, requestOf(order), measurementsOf(task.media));
  if (measured.faults.length > 0) return null;
  const { request } = measured;
  const quote = quoteOf({ ...order, price: task.price });
  const route = routeAt({ model, request, quote, isKeyed: quote.tariff?.fixed !== undefined });
  return route === null ? null : { route, order: { ...order, request_json: JSON.stringify(request) } };
}
