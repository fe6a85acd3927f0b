import { Type } from 'typebox';
import type { JsonObject } from '../../base/canonical-json.ts';
import { ServiceError } from '../../base/errors.ts';
import { findCall } from '../../openai/calls.ts';
import { readImageCall } from '../../openai/image-call.ts';
import { orderCall } from '../../openai/order-images.ts';
import { OpenaiImages } from '../../wire/openai.ts';
import { callerOf, limitRate } from '../authenticate.ts';
import { readIdempotencyKey, readSimulateHeader } from '../connection/request-headers.ts';
import type { App, HttpOptions } from '../http-options.ts';
import type { TaskAnswers } from '../tasks/answer-task.ts';
import { holdCall } from './hold-call.ts';
import { streamCall } from './stream-call.ts';

/** The model that the body names judges it. */
const OpenBody = Type.Object({}, { 'x-judged-by': 'the model', additionalProperties: true });
const response = { 200: OpenaiImages };

/** Images made from a prompt, and the address where a client waits for them. */
export function imageRoutes(mount: App, options: HttpOptions, answers: TaskAnswers): void {
  const { services, openai } = options;

  mount.post(
    '/images/generations',
    { onRequest: limitRate(options, 'creates'), schema: { hide: true, body: OpenBody, response } },
    async (request, reply) => {
      const key = callerOf(request);
      const body = request.body as JsonObject;
      const streams = body.stream === true;
      const image = readImageCall(body, { catalog: services.catalog(), aliases: openai.aliases });
      const identity = {
        type: 'image' as const,
        path: '/openai/v1/images/generations',
        body,
        idempotencyKey: readIdempotencyKey(request),
        simulate: readSimulateHeader(request),
      };
      // Refused now rather than when the order is taken and cannot be waited for.
      const share = services.budgets.acquire(key.id, streams ? 'streams' : 'waits', 1);
      try {
        const call = await orderCall(services, key, image, identity);
        if (streams) return await streamCall(answers, request, reply, call, 'image_generation');
        return await holdCall({ ...answers, openai }, request, reply, call, 0);
      } finally {
        if (streams && !reply.raw.closed) reply.raw.once('close', () => share.release());
        else share.release();
      }
    },
  );

  mount.get<{ Params: { call_id: string }; Querystring: { hop?: string } }>(
    '/images/results/:call_id',
    { schema: { hide: true, response } },
    async (request, reply) => {
      const { call_id: id } = request.params;
      const call = await findCall(services.database.read, callerOf(request).id, id);
      if (call === null) throw unknownCall(id);
      const hop = Math.max(0, Math.trunc(Number(request.query.hop ?? 0)) || 0);
      return await holdCall({ ...answers, openai }, request, reply, call, hop);
    },
  );
}

export function unknownCall(id: string): ServiceError {
  return new ServiceError('task_not_found', `This API key has no result '${id.slice(0, 64)}'.`, { param: 'call_id' });
}
