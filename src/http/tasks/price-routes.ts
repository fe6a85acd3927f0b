import { PriceQuestion } from '@darkroom-service/contract/orders';
import { closedObject, refTo } from '@darkroom-service/contract/parts';
import { Quote } from '@darkroom-service/contract/task';
import { quoteOrder } from '../../orders/quote-order.ts';
import { ErrorAnswer } from '../answers.ts';
import { callerOf } from '../authenticate.ts';
import { envelopeOf, success } from '../envelope.ts';
import type { App, HttpOptions } from '../http-options.ts';

/** Prices an order with the function that will charge it. */
export function priceRoutes(v1: App, { services }: HttpOptions): void {
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
    async (request) => success(await quoteOrder(services, callerOf(request), request.body)),
  );
}
