import type { JsonObject } from '@darkroom-service/contract';
import { closedObject, refTo } from '@darkroom-service/contract/parts';
import {
  ErrorAnswer,
  envelopeOf,
  PriceQuestion,
  PriceQuestions,
  Quote,
  QuoteList,
  success,
} from '@darkroom-service/contract/schemas';
import { compareOrders, quoteOrder } from '../../orders/quote-order.ts';
import { callerOf } from '../authenticate.ts';
import type { App, HttpOptions } from '../http-options.ts';

/** Prices orders with the function that will charge them. */
export function priceRoutes(v1: App, { servicesFor, maxBodyBytes }: HttpOptions): void {
  v1.post(
    '/v1/prices',
    {
      config: { onlyReads: true },
      schema: {
        tags: ['Models'],
        body: PriceQuestion,
        querystring: closedObject({}),
        response: { 200: envelopeOf(refTo(Quote)), ...ErrorAnswer },
      },
    },
    async (request) => success(await quoteOrder(servicesFor(request), callerOf(request), request.body)),
  );
  v1.post(
    '/v1/prices/compare',
    {
      config: { onlyReads: true, takesManyOrders: true },
      // Orders may have their media with them.
      bodyLimit: maxBodyBytes,
      schema: {
        tags: ['Models'],
        body: PriceQuestions,
        querystring: closedObject({}),
        response: { 200: envelopeOf(refTo(QuoteList)), ...ErrorAnswer },
      },
    },
    async (request) =>
      success({
        items: await compareOrders(servicesFor(request), callerOf(request), request.body.orders as JsonObject[]),
      }),
  );
}
