import { closedObject } from '@darkroom-service/contract/parts';
import { ErrorAnswer, envelopeOf, success } from '@darkroom-service/contract/schemas';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import type { OrderingKey } from '../../accounts/api-key.ts';
import { callerOf } from '../../http/authenticate.ts';
import type { Operation } from '../../http/docs/operation.ts';
import type { HttpAddition } from '../../http/http-options.ts';

/** An operation under `/v1`: its texts, its schemas, and the function that answers it. */
export interface AddedOperation extends Operation {
  /** Schema of the query; absent = it takes none. */
  readonly query?: TSchema;
  /** Schema of the body; absent = it takes none. */
  readonly body?: TSchema;
  /** Schema of `data` in the answer. */
  readonly answer: TSchema;
  /** Returns `data` of the answer. @throws ServiceError */
  readonly run: (asked: {
    readonly key: OrderingKey;
    readonly request: FastifyRequest;
    readonly reply: FastifyReply;
  }) => Promise<unknown>;
}

/** Makes routes of operations. @param operations by method and path, such as `GET /v1/brands/{brand}` */
export function openOperations(
  operations: Readonly<Record<string, AddedOperation>>,
): Pick<HttpAddition, 'v1' | 'operations'> {
  return {
    operations,
    v1(v1) {
      for (const [name, { query, body, answer, run }] of Object.entries(operations)) {
        const [method = 'GET', path = ''] = name.split(' ');
        v1.route({
          method,
          url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
          schema: {
            querystring: query ?? closedObject({}),
            ...(body === undefined ? {} : { body }),
            response: { 200: envelopeOf(answer), ...ErrorAnswer },
          },
          handler: async (request, reply) => success(await run({ key: callerOf(request), request, reply })),
        });
      }
    },
  };
}
