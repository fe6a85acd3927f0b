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
import { releaseBody } from '../bodies/read-body.ts';
import type { App, HttpOptions } from '../http-options.ts';
import type { TaskAnswers } from '../tasks/answer-task.ts';
import { identityOf } from './call-request.ts';
import { createCallHolder } from './hold-call.ts';
import { readForm } from './read-form.ts';
import { streamCall } from './stream-call.ts';

/** The model that the body names judges it. */
const OpenBody = Type.Object({}, { 'x-judged-by': 'the model', additionalProperties: true });
const ROOT = '/openai/v1';
const GENERATIONS = '/images/generations';

/** A request for images, read from JSON or a form. */
interface ImageRequest {
  /** OpenAI's fields. */
  readonly fields: JsonObject;
  /** Null where the request takes none. */
  readonly inputs: ImageInputs | null;
  readonly isForm: boolean;
  /** Equal for equal requests. */
  readonly body: JsonObject;
  /** Returns the budget of the body. */
  readonly release: () => void;
}

/** Images from a prompt or from images, and the address where a client waits for them. */
export async function imageRoutes(mount: App, options: HttpOptions, answers: TaskAnswers): Promise<void> {
  const { services, openai } = options;
  const holdCall = createCallHolder(answers, openai);

  /** Places the orders of a request. Whether it may wait is decided before; nothing of its body is kept after. */
  const placeCall = async (request: FastifyRequest, path: string, read: () => Promise<ImageRequest>) => {
    const key = callerOf(request);
    const { fields, inputs, isForm, body, release } = await read();
    try {
      const streams = fields.stream === true || fields.stream === 'true';
      const share = services.budgets.acquire(key.id, streams ? 'streams' : 'waits', 1);
      try {
        const media = inputs === null ? {} : await mediaFields(services, key.id, inputs);
        const image = readImageCall(fields, { catalog: services.catalog(), aliases: openai.aliases, media, isForm });
        const identity = identityOf(request, { type: 'image', path: `${ROOT}${path}`, body });
        return { call: await orderCall(services, key, image, identity), streams, share };
      } catch (error) {
        share.release();
        throw error;
      }
    } finally {
      release();
    }
  };

  const answerRequest = async (
    request: FastifyRequest,
    reply: FastifyReply,
    path: string,
    read: () => Promise<ImageRequest>,
  ) => {
    const { call, streams, share } = await placeCall(request, path, read);
    try {
      if (!streams) return await holdCall(request, reply, call, 0);
      const kind = path === GENERATIONS ? 'image_generation' : 'image_edit';
      return await streamCall(answers, request, reply, call, kind);
    } finally {
      if (streams && !reply.raw.closed) reply.raw.once('close', () => share.release());
      else share.release();
    }
  };

  const limitCreates = limitRate(options, 'creates');
  const generation = { onRequest: limitCreates, schema: { hide: true, body: OpenBody } };
  mount.post(GENERATIONS, generation, (request, reply) =>
    answerRequest(request, reply, GENERATIONS, async () => readJson(request, () => null)),
  );

  await mount.register(async (forms) => {
    const { maxBodyBytes } = options;
    await forms.register(multipart, { limits: { fileSize: maxBodyBytes } });
    const edit = { onRequest: limitCreates, bodyLimit: maxBodyBytes, schema: { hide: true } };
    for (const path of ['/images/edits', '/images/variations']) {
      forms.post(path, edit, (request, reply) =>
        answerRequest(request, reply, path, async () =>
          request.isMultipart()
            ? readParts(await readForm(services, request, maxBodyBytes))
            : readJson(request, inputsOfJson),
        ),
      );
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

function readJson(request: FastifyRequest, inputsOf: (body: JsonObject) => ImageInputs | null): ImageRequest {
  const body = (request.body ?? {}) as JsonObject;
  return { fields: body, inputs: inputsOf(body), isForm: false, body, release: () => releaseBody(request) };
}

/** Equal forms differ in their boundaries, so the contents of their files stand for them. */
function readParts({ fields, files, release }: Awaited<ReturnType<typeof readForm>>): ImageRequest {
  const digests = files.map(({ name, bytes }) => [name, createHash('sha256').update(bytes).digest('hex')]);
  return { fields, inputs: inputsOfForm(files), isForm: true, body: { fields, files: digests }, release };
}
