import type { App } from '@darkroom-service/darkroom/kernel-http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { imageEvents } from '../mapping/image-events.ts';
import { GENERATIONS, OpenBody, placeImageRequest } from './image-request.ts';
import type { OpenaiHttp } from './openai-http.ts';
import { takeForms } from './read-form.ts';
import { readJson, readJsonOrForm, type SentRequest } from './read-request.ts';
import type { ServeCall } from './serve-call.ts';

/** Serves images from a prompt or from images. */
export async function imageRoutes(mount: App, options: OpenaiHttp, serve: ServeCall): Promise<void> {
  const { kernel, maxBodyBytes } = options;

  const answerRequest = (request: FastifyRequest, reply: FastifyReply, path: string, sent: SentRequest) =>
    serve(request, reply, sent, {
      place: () => placeImageRequest(options, request, path, sent),
      events: imageEvents(path === GENERATIONS ? 'image_generation' : 'image_edit'),
    });

  const limitCreates = kernel.http.limit('creates');
  const generation = { onRequest: limitCreates, schema: { hide: true, body: OpenBody } };
  mount.post(GENERATIONS, generation, (request, reply) =>
    answerRequest(request, reply, GENERATIONS, readJson(kernel, request)),
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
}
