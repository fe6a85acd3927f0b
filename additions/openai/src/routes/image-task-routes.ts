import { formatMicros, ServiceError } from '@darkroom-service/contract';
import { LONGEST } from '@darkroom-service/contract/parts';
import type { ServingKernel } from '@darkroom-service/darkroom/kernel';
import type { App } from '@darkroom-service/darkroom/kernel-http';
import { publicPath } from '@darkroom-service/media';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { readResult } from '../mapping/call-result.ts';
import { findCall } from '../mapping/calls.ts';
import { viewImageTask } from '../mapping/image-task.ts';
import { OpenaiImageTask } from '../mapping/video-wire.ts';
import { describeCall } from './answer-call.ts';
import { trackEnd } from './call-request.ts';
import { GENERATIONS, OpenBody, placeImageRequest, unknownCall, wantsStream } from './image-request.ts';
import type { OpenaiHttp } from './openai-http.ts';
import { takeForms } from './read-form.ts';
import { readJson, readJsonOrForm, type SentRequest } from './read-request.ts';

const NEXT_LOOK_SECONDS = 3;

/** Serves images that are ordered at once and collected later, in the form that several gateways share. */
export async function imageTaskRoutes(mount: App, options: OpenaiHttp): Promise<void> {
  const { kernel, maxBodyBytes } = options;
  const onRequest = kernel.http.limit('creates');

  const answerOrdered = async (request: FastifyRequest, reply: FastifyReply, path: string, sent: SentRequest) => {
    try {
      if (wantsStream(sent)) throw streamRefused(path);
      const call = await placeImageRequest(options, request, `${path}/async`, sent);
      describeCall(reply, call);
      trackEnd(options, reply, call, () => 'delivered');
      return await answerTask(kernel, request, reply.code(202), call.id);
    } finally {
      sent.release();
    }
  };

  mount.post(
    `${GENERATIONS}/async`,
    { onRequest, schema: { hide: true, body: OpenBody, response: { 202: OpenaiImageTask } } },
    (request, reply) => answerOrdered(request, reply, GENERATIONS, readJson(kernel, request)),
  );

  await mount.register(async (forms) => {
    await takeForms(forms, options);
    forms.post(
      '/images/edits/async',
      { onRequest, bodyLimit: maxBodyBytes, schema: { hide: true, response: { 202: OpenaiImageTask } } },
      async (request, reply) => answerOrdered(request, reply, '/images/edits', await readJsonOrForm(options, request)),
    );
  });

  mount.get(
    '/images/tasks/:call_id',
    {
      onRequest: kernel.http.limit('reads'),
      schema: {
        hide: true,
        params: Type.Object({ call_id: Type.String({ maxLength: LONGEST.pathPart }) }),
        response: { 200: OpenaiImageTask },
      },
    },
    async (request, reply) => await answerTask(kernel, request, reply, request.params.call_id),
  );
}

async function answerTask({ http, settings }: ServingKernel, request: FastifyRequest, reply: FastifyReply, id: string) {
  const linked = http.linked(request);
  const key = http.caller(request);
  const call = await findCall(linked, key, id);
  if (call === null) throw unknownCall(id);
  const result = await readResult(linked, key, call);
  const pollUrl = `${publicPath(settings.publicUrl)}/openai/v1/images/tasks/${call.id}`;
  const task = viewImageTask(linked, call, result, pollUrl);
  reply.headers({ 'cache-control': 'no-store', location: pollUrl });
  if (task.status === 'processing') reply.header('retry-after', NEXT_LOOK_SECONDS);
  else reply.header('x-litellm-response-cost', formatMicros(result.charged));
  return task;
}

function streamRefused(path: string): ServiceError {
  return new ServiceError(
    'unsupported_value',
    `stream: true is not supported here. Send it to /openai/v1${path}, or ask for the task.`,
    { param: 'stream' },
  );
}
