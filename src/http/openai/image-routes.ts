import { createHash } from 'node:crypto';
import multipart from '@fastify/multipart';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { JsonObject } from '../../base/canonical-json.ts';
import { ServiceError } from '../../base/errors.ts';
import { findCall } from '../../openai/calls.ts';
import { readImageCall } from '../../openai/image-call.ts';
import { type ImageInputs, inputsOfForm, inputsOfJson, mediaFields } from '../../openai/image-inputs.ts';
import { orderCall } from '../../openai/order-images.ts';
import { callerOf, limitRate } from '../authenticate.ts';
import type { App, HttpOptions } from '../http-options.ts';
import type { TaskAnswers } from '../tasks/answer-task.ts';
import { identityOf } from './call-request.ts';
import { createCallHolder } from './hold-call.ts';
import { readForm } from './read-form.ts';
import { streamCall } from './stream-call.ts';

/** The model that the body names judges it. */
const OpenBody = Type.Object({}, { 'x-judged-by': 'the model', additionalProperties: true });
const ROOT = '/openai/v1';

/** A request for images, read from JSON or a form. */
interface ImageRequest {
  /** OpenAI's fields. */
  readonly fields: JsonObject;
  /** Null where the request takes none. */
  readonly inputs: ImageInputs | null;
  readonly isForm: boolean;
  /** Equal for equal requests. */
  readonly body: JsonObject;
}

/** Images from a prompt or from images, and the address where a client waits for them. */
export async function imageRoutes(mount: App, options: HttpOptions, answers: TaskAnswers): Promise<void> {
  const { services, openai } = options;
  const holdCall = createCallHolder(answers, openai);

  const orderAndHold = async (
    request: FastifyRequest,
    reply: FastifyReply,
    path: string,
    { fields, inputs, isForm, body }: ImageRequest,
  ) => {
    const key = callerOf(request);
    const streams = fields.stream === true || fields.stream === 'true';
    // Refused now rather than when the order is taken and cannot be waited for.
    const share = services.budgets.acquire(key.id, streams ? 'streams' : 'waits', 1);
    try {
      const media = inputs === null ? {} : await mediaFields(services, key.id, inputs);
      const image = readImageCall(fields, { catalog: services.catalog(), aliases: openai.aliases, media, isForm });
      const identity = identityOf(request, { type: 'image', path: `${ROOT}${path}`, body });
      const call = await orderCall(services, key, image, identity);
      if (!streams) return await holdCall(request, reply, call, 0);
      return await streamCall(answers, request, reply, call, inputs === null ? 'image_generation' : 'image_edit');
    } finally {
      if (streams && !reply.raw.closed) reply.raw.once('close', () => share.release());
      else share.release();
    }
  };

  const order = { onRequest: limitRate(options, 'creates'), schema: { hide: true, body: OpenBody } };
  mount.post('/images/generations', order, async (request, reply) => {
    const body = request.body as JsonObject;
    return await orderAndHold(request, reply, '/images/generations', {
      fields: body,
      inputs: null,
      isForm: false,
      body,
    });
  });

  await mount.register(async (forms) => {
    await forms.register(multipart, { limits: { fileSize: options.maxBodyBytes } });
    for (const path of ['/images/edits', '/images/variations']) {
      forms.post(path, { onRequest: order.onRequest, schema: { hide: true } }, async (request, reply) => {
        if (!request.isMultipart()) {
          const body = (request.body ?? {}) as JsonObject;
          const read = { fields: body, inputs: inputsOfJson(body), isForm: false, body };
          return await orderAndHold(request, reply, path, read);
        }
        const form = await readForm(services, request, options.maxBodyBytes);
        try {
          const { fields, files } = form;
          const digests = files.map(({ name, bytes }) => [name, createHash('sha256').update(bytes).digest('hex')]);
          const read = { fields, inputs: inputsOfForm(files), isForm: true, body: { fields, files: digests } };
          return await orderAndHold(request, reply, path, read);
        } finally {
          form.release();
        }
      });
    }
  });

  mount.get<{ Params: { call_id: string }; Querystring: { hop?: string } }>(
    '/images/results/:call_id',
    { schema: { hide: true } },
    async (request, reply) => {
      const { call_id: id } = request.params;
      const call = await findCall(services.database.read, callerOf(request).id, id);
      if (call === null) throw unknownCall(id);
      const hop = Math.max(0, Math.trunc(Number(request.query.hop ?? 0)) || 0);
      return await holdCall(request, reply, call, hop);
    },
  );
}

export function unknownCall(id: string): ServiceError {
  return new ServiceError('task_not_found', `This API key has no result '${id.slice(0, 64)}'.`, { param: 'call_id' });
}
