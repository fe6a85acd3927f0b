import { sendEvents } from '@darkroom-service/addition-common/http/event-streams';
import { type App, releaseBody } from '@darkroom-service/darkroom/kernel-http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestEnd } from '../mapping/abandoned-calls.ts';
import { type Call, findCall } from '../mapping/calls.ts';
import { type StreamKind, streamImages } from '../mapping/image-events.ts';
import { describeCall } from './answer-call.ts';
import { trackEnd } from './call-request.ts';
import { createCallHolder } from './hold-call.ts';
import { GENERATIONS, OpenBody, placeImageRequest, unknownCall, wantsStream } from './image-request.ts';
import type { OpenaiHttp } from './openai-http.ts';
import { takeForms } from './read-form.ts';
import { readJson, readJsonOrForm, type SentRequest } from './read-request.ts';

/** Serves images from a prompt or from images, and the address at which a client waits for them. */
export async function imageRoutes(mount: App, options: OpenaiHttp): Promise<void> {
  const { kernel, maxBodyBytes } = options;
  const { accounts, http } = kernel;
  const holdCall = createCallHolder(options);

  /** Places the orders of a request. The wait is decided before; nothing of the body is kept afterwards. */
  const placeCall = async (request: FastifyRequest, path: string, sent: SentRequest) => {
    try {
      const streams = wantsStream(sent);
      const share = accounts.budgets.take(http.caller(request), streams ? 'streams' : 'waits', 1);
      try {
        return { call: await placeImageRequest(options, request, path, sent), streams, share };
      } catch (error) {
        share.release();
        throw error;
      }
    } finally {
      sent.release();
    }
  };

  const answerRequest = async (request: FastifyRequest, reply: FastifyReply, path: string, sent: SentRequest) => {
    const { call, streams, share } = await placeCall(request, path, sent);
    try {
      if (!streams) return await holdCall(request, reply, call, 0);
      const kind = path === GENERATIONS ? 'image_generation' : 'image_edit';
      return await streamCall(options, request, reply, call, kind);
    } finally {
      if (streams && !reply.raw.closed) reply.raw.once('close', () => share.release());
      else share.release();
    }
  };

  const limitCreates = http.limit('creates');
  const generation = { onRequest: limitCreates, schema: { hide: true, body: OpenBody } };
  mount.post(GENERATIONS, generation, (request, reply) =>
    answerRequest(request, reply, GENERATIONS, readJson(request)),
  );

  await mount.register(async (forms) => {
    await takeForms(forms, options);
    const edit = { onRequest: limitCreates, bodyLimit: maxBodyBytes, schema: { hide: true } };
    for (const path of ['/images/edits', '/images/variations']) {
      forms.post(path, edit, async (request, reply) =>
        answerRequest(request, reply, path, await readJsonOrForm(options, request)),
      );
    }
  });

  mount.get<{ Params: { call_id: string }; Querystring: { hop?: string } }>(
    '/images/results/:call_id',
    { schema: { hide: true } },
    async (request, reply) => {
      const { call_id: id } = request.params;
      const call = await findCall(kernel, http.caller(request), id);
      if (call === null) throw unknownCall(id);
      const hop = Math.max(0, Math.trunc(Number(request.query.hop ?? 0)) || 0);
      return await holdCall(request, reply, call, hop);
    },
  );
}

/** Answers a call by server-sent events, which keep the connection alive however long it takes. */
async function streamCall(
  options: OpenaiHttp,
  request: FastifyRequest,
  reply: FastifyReply,
  call: Call,
  kind: StreamKind,
) {
  const { http } = options.kernel;
  describeCall(reply, call);
  let end: RequestEnd = 'left';
  trackEnd(options, reply, call, () => end);
  releaseBody(request);
  const wait = options.waits.open(reply.raw);
  async function* events() {
    if (yield* streamImages(http.linked(request), http.caller(request), call, { kind, signal: wait.signal }))
      end = 'delivered';
  }
  reply.raw.once('close', wait.close);
  return sendEvents(reply, events());
}
