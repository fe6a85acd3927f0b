import type { Call } from '@darkroom-service/addition-openai/mapping/calls';
import { orderCall } from '@darkroom-service/addition-openai/mapping/order-call';
import { identityOf } from '@darkroom-service/addition-openai/routes/call-request';
import { type JsonObject, ServiceError } from '@darkroom-service/contract';
import type { FastifyRequest } from 'fastify';
import { modelIdOf } from '../mapping/aliases.ts';
import { type AnswerForm, callOf, type SentOrder } from '../mapping/sent-order.ts';
import type { GeminiHttp } from './gemini-http.ts';

/** The order in a request, and the method that orders it. */
interface SentCall {
  /** The model as the client names it. */
  readonly model: string;
  readonly order: SentOrder;
  readonly form: AnswerForm;
  /** Identifies equal requests, without the version of the interface. */
  readonly path: string;
  /** Type of the results; null = that of the model. */
  readonly type: 'image' | 'video' | null;
}

/** Places the orders of a request. Nothing of its body is kept afterwards. @throws ServiceError */
export async function placeCall(
  parts: GeminiHttp,
  request: FastifyRequest,
  { model: name, order, form, path, type }: SentCall,
): Promise<Call> {
  const { kernel, settings } = parts;
  const catalog = kernel.orders.catalog();
  const modelId = modelIdOf(name, catalog, settings.aliases);
  const model = catalog.find(modelId);
  if (model !== null && type !== null && model.type !== type) throw wrongMethod(modelId, model.type);
  const body = { path, body: (request.body ?? {}) as JsonObject };
  const identity = identityOf(request, { type: type ?? model?.type ?? 'image', path: '/gemini', body });
  const linked = { ...parts, kernel: kernel.http.linked(request) };
  try {
    return await orderCall(linked, kernel.http.caller(request), callOf(modelId, model, order, form), identity);
  } finally {
    kernel.http.bodies.release(request);
  }
}

function wrongMethod(modelId: string, type: 'image' | 'video'): ServiceError {
  const [makes, method] = type === 'image' ? ['images', 'generateContent'] : ['films', 'predictLongRunning'];
  const message = `${modelId} makes ${makes}. Order them with POST /gemini/v1beta/models/${modelId}:${method}, or with POST /gemini/v1beta/interactions.`;
  return new ServiceError('invalid_request', message, { param: 'model' });
}
