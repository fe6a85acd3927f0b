import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { JsonObject } from '../../base/canonical-json.ts';
import { ServiceError } from '../../base/errors.ts';
import { formatMicros } from '../../base/money.ts';
import { readResult } from '../../openai/call-result.ts';
import { findCall } from '../../openai/calls.ts';
import { readImageCall } from '../../openai/image-call.ts';
import { viewImageTask } from '../../openai/image-task.ts';
import { orderCall } from '../../openai/order-images.ts';
import { OpenaiImageTask } from '../../wire/openai-videos.ts';
import { callerOf, limitRate } from '../authenticate.ts';
import type { App, HttpOptions } from '../http-options.ts';
import { describeCall } from './answer-call.ts';
import { identityOf, trackDelivery } from './call-request.ts';
import { unknownCall } from './image-routes.ts';

const NEXT_LOOK_SECONDS = 3;
const OpenBody = Type.Object({}, { 'x-judged-by': 'the model', additionalProperties: true });

/** Images that are ordered at once and collected later, in the form that several gateways share. */
export function imageTaskRoutes(mount: App, options: HttpOptions): void {
  const { services, openai } = options;

  mount.post(
    '/images/generations/async',
    {
      onRequest: limitRate(options, 'creates'),
      schema: { hide: true, body: OpenBody, response: { 202: OpenaiImageTask } },
    },
    async (request, reply) => {
      const body = request.body as JsonObject;
      refuseStream(body);
      const image = readImageCall(body, { catalog: services.catalog(), aliases: openai.aliases });
      const identity = identityOf(request, { type: 'image', path: '/openai/v1/images/generations/async', body });
      const call = await orderCall(services, callerOf(request), image, identity);
      describeCall(reply, call);
      trackDelivery(services, reply, call);
      return await answerTask(options, request, reply.code(202), call.id);
    },
  );

  mount.get(
    '/images/tasks/:call_id',
    {
      onRequest: limitRate(options, 'reads'),
      schema: { hide: true, params: Type.Object({ call_id: Type.String() }), response: { 200: OpenaiImageTask } },
    },
    async (request, reply) => await answerTask(options, request, reply, request.params.call_id),
  );
}

async function answerTask({ services }: HttpOptions, request: FastifyRequest, reply: FastifyReply, id: string) {
  const key = callerOf(request);
  const call = await findCall(services.database.read, key.id, id);
  if (call === null) throw unknownCall(id);
  const result = await readResult(services, key, call);
  const pollUrl = `/openai/v1/images/tasks/${call.id}`;
  const task = viewImageTask(services, call, result, pollUrl);
  reply.headers({ 'cache-control': 'no-store', location: pollUrl });
  if (task.status === 'processing') reply.header('retry-after', NEXT_LOOK_SECONDS);
  else reply.header('x-litellm-response-cost', formatMicros(result.charged));
  return task;
}

function refuseStream(body: JsonObject): void {
  if (body.stream !== true) return;
  throw new ServiceError(
    'unsupported_value',
    'stream: true is not supported here. Send it to /openai/v1/images/generations, or ask for the task.',
    { param: 'stream' },
  );
}
