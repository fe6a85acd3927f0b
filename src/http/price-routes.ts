import { Type } from 'typebox';
import type { JsonObject } from '../base/canonical-json.ts';
import { quoteOrder } from '../tasks/quote-order.ts';
import { callerOf } from './authenticate.ts';
import { envelopeOf, success } from './envelope.ts';
import type { App, HttpOptions } from './http-options.ts';
import { ErrorAnswer, refTo } from './schemas.ts';
import { PriceQuestion } from './task-bodies.ts';

/** What an order would cost, computed by the function that will charge it. */
export function priceRoutes(v1: App, { desk }: HttpOptions): void {
  v1.post(
    '/v1/prices',
    {
      schema: {
        tags: ['Models'],
        summary: 'Calculate the cost of a generation',
        body: PriceQuestion,
        querystring: Type.Object({}, { additionalProperties: false }),
        response: { 200: envelopeOf(refTo('Quote')), ...ErrorAnswer },
      },
    },
    async (request) => success(await quoteOrder(desk, callerOf(request), request.body as JsonObject)),
  );
}
