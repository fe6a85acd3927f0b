import { LONGEST } from '@darkroom-service/contract/parts';
import type { App, HttpOptions, KnownRoutes } from '@darkroom-service/darkroom/kernel-http';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { findOpenaiModel, listOpenaiModels } from '../mapping/list-models.ts';
import { OpenaiModel, OpenaiModels } from '../mapping/video-wire.ts';
import { chatRoutes } from './chat-routes.ts';
import { inOpenaiForm, openDoor } from './door.ts';
import { imageRoutes } from './image-routes.ts';
import { imageTaskRoutes } from './image-task-routes.ts';
import type { OpenaiHttp } from './openai-http.ts';
import { takeForms } from './read-form.ts';
import { resultRoutes } from './result-routes.ts';
import { openCallServer } from './serve-call.ts';
import { videoContentRoutes } from './video-content-routes.ts';
import { openaiVideoRoutes } from './video-routes.ts';

/**
 * Serves the OpenAI-compatible interface as one plugin: its own shapes and errors, the keys and orders of the service.
 */
export function openaiRoutes(
  parts: OpenaiHttp,
  options: HttpOptions,
  routes: KnownRoutes,
): (scope: FastifyInstance) => Promise<void> {
  const { dialect, kernel } = parts;
  return openDoor(kernel, options, routes, {
    ...inOpenaiForm(dialect),
    async serve(mount) {
      const { serve, serveResult } = openCallServer(parts);
      await imageRoutes(mount, parts, serve);
      resultRoutes(mount, serveResult);
      chatRoutes(mount, parts, serve);
      await imageTaskRoutes(mount, parts);
      openaiModelRoutes(mount, parts);
      await mount.register(async (forms) => {
        await takeForms(forms, parts);
        openaiVideoRoutes(forms, parts);
      });
      videoContentRoutes(mount, kernel);
    },
  });
}

/** Serves the models that a key can order, in OpenAI's shape. */
function openaiModelRoutes(mount: App, { kernel, openai }: OpenaiHttp): void {
  const { http } = kernel;
  const onRequest = http.limit('reads');

  mount.get('/models', { onRequest, schema: { hide: true, response: { 200: OpenaiModels } } }, async (request) => ({
    object: 'list' as const,
    data: await listOpenaiModels(kernel, http.caller(request), openai.aliases),
  }));

  mount.get(
    '/models/:model',
    {
      onRequest,
      schema: {
        hide: true,
        params: Type.Object({ model: Type.String({ maxLength: LONGEST.pathPart }) }),
        response: { 200: OpenaiModel },
      },
    },
    async (request) => await findOpenaiModel(kernel, http.caller(request), openai.aliases, request.params.model),
  );
}
