import type { JsonObject } from '@darkroom-service/contract';
import { EngineError, type Order } from '../engine.ts';
import { mapParameters, UnsupportedValue } from './map-parameters.ts';
import { type ReferenceTransfer, transferMedia } from './reference-transfer.ts';

/** An order in the upstream's own terms. */
export interface OrderInput {
  /** The upstream's name of the model. */
  readonly model: string;
  readonly input: JsonObject;
}

/** Hands the media over and translates the rest with the route's map. @throws EngineError with `took: 'no'` */
export async function orderInput(order: Order, handOver: ReferenceTransfer, signal: AbortSignal): Promise<OrderInput> {
  const { engine, model, parameters, fixed } = order.route;
  if (model === null || parameters === null) {
    throw new EngineError('invalid_input', `the route to ${engine} needs model and parameters`, { took: 'no' });
  }
  const values = await transferMedia(order, handOver, signal);
  try {
    return { model, input: mapParameters({ values, derived: order.request.derived }, { parameters, fixed }) };
  } catch (error) {
    if (!(error instanceof UnsupportedValue)) throw error;
    throw new EngineError('invalid_input', error.message, { took: 'no', elsewhere: true, cause: error });
  }
}
