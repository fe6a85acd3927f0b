import type { OrderingKey } from '../accounts/api-key.ts';
import type { Fault } from '../base/errors.ts';
import type { Model, ResolvedRequest } from '../catalog/model.ts';
import type { Resolution } from '../catalog/resolve-request.ts';
import type { Waits } from '../tasks/earlier-orders.ts';
import type { Route } from '../tasks/route.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import { chooseRoute } from './choose-model.ts';
import { acceptMedia, type JudgedMedia } from './order-media.ts';
import { refusalOf } from './refuse-order.ts';

/** An order whose fields were read and resolved by its model. */
interface ResolvedOrder extends Waits {
  readonly key: OrderingKey;
  readonly model: Model;
  readonly resolution: Resolution;
  /** Faults of the fields that the service itself reads. */
  readonly faults: readonly Fault[];
}

/** The request of an order without faults. @throws ServiceError with every fault, those of its media too */
export async function requestOrRefuse(
  services: TaskServices,
  { key, model, resolution, faults, waits, earlier }: ResolvedOrder,
): Promise<ResolvedRequest> {
  if (resolution.ok && faults.length === 0) return resolution.request;
  throw await refusalOf(services, key, model, resolution, faults, { waits, earlier });
}

/**
 * Judges the rest of an order: its fields, then its route, then its media, which are kept.
 * @param keepTo finds the only engine that can make it; null = any
 * @throws ServiceError
 */
export async function judgeOrder(
  services: TaskServices,
  order: ResolvedOrder,
  keepTo: () => Promise<string | null> = async () => null,
): Promise<{ readonly request: ResolvedRequest; readonly route: Route; readonly judged: JudgedMedia }> {
  const { key, model, waits, earlier } = order;
  const request = await requestOrRefuse(services, order);
  const route = chooseRoute(services, key, model, request, await keepTo());
  return { request, route, judged: await acceptMedia(services, key, model, request, { keep: true, waits, earlier }) };
}
