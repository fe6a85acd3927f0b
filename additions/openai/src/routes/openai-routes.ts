import { cutText, ServiceError } from '@darkroom-service/contract';
import { LONGEST, Word } from '@darkroom-service/contract/parts';
import type { ServingKernel } from '@darkroom-service/darkroom/kernel';
import {
  type App,
  answerError,
  fileRoute,
  type HttpOptions,
  type KnownRoutes,
} from '@darkroom-service/darkroom/kernel-http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { findOpenaiModel, listOpenaiModels } from '../mapping/list-models.ts';
import { refusalOf } from '../mapping/openai-error.ts';
import { OpenaiModel, OpenaiModels } from '../mapping/video-wire.ts';
import { imageRoutes } from './image-routes.ts';
import { imageTaskRoutes } from './image-task-routes.ts';
import type { OpenaiHttp } from './openai-http.ts';
import { takeForms } from './read-form.ts';
import { openaiVideoRoutes } from './video-routes.ts';

/**
 * Serves the OpenAI-compatible interface as one plugin: its own shapes and errors, the keys and orders of the service.
 */
export function openaiRoutes(
  parts: OpenaiHttp,
  options: HttpOptions,
  routes: KnownRoutes,
): (scope: FastifyInstance) => Promise<void> {
  return async (scope) => {
    const mount = scope as unknown as App;
    mount.setErrorHandler((error, request, reply) => answerOpenaiError(options, error, request, reply));
    mount.setNotFoundHandler((request) => {
      throw routes.refusal(request.method, request.url);
    });
    mount.addHook('onRoute', (route) => {
      const [method = ''] = [route.method].flat();
      const standsFor = operationOf(method, route.url.slice(route.prefix.length));
      route.config = { ...route.config, takesClientTokens: true, standsFor };
    });
    mount.addHook('onRequest', parts.kernel.http.admit);
    await imageRoutes(mount, parts);
    await imageTaskRoutes(mount, parts);
    openaiModelRoutes(mount, parts);
    await mount.register(async (forms) => {
      await takeForms(forms, parts);
      openaiVideoRoutes(forms, parts);
    });
    openaiVideoContentRoutes(mount, parts.kernel);
  };
}

/** Returns the operation of the service that does the same. */
function operationOf(method: string, path: string): string {
  const [, resource = ''] = path.split('/');
  if (method === 'DELETE') return `DELETE /v1/${resource}/{task_id}`;
  return `${method === 'HEAD' ? 'GET' : method} /v1/${resource}`;
}

/** Answers an error in OpenAI's shape. */
function answerOpenaiError(options: HttpOptions, thrown: unknown, request: FastifyRequest, reply: FastifyReply) {
  return answerError(options, thrown, request, reply, (error: ServiceError) => refusalOf(error));
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

const MAX_AGE_SECONDS = 3600;
const ADDRESS_MS = 3_600_000;
/** OpenAI's names of the files, and ours. */
const VARIANTS = { video: 'output', thumbnail: 'thumbnail' } as const;
const ContentQuery = Type.Object({ variant: Type.Optional(Word) });

/** Serves the files of a video: the video itself and a still of it. */
function openaiVideoContentRoutes(mount: App, { clock, http, tasks }: ServingKernel): void {
  fileRoute<{ Params: { video_id: string }; Querystring: Static<typeof ContentQuery> }>(mount, {
    url: '/videos/:video_id/content',
    onRequest: http.limit('reads'),
    files: 'video',
    schema: { hide: true, querystring: ContentQuery },
    handler: async (request, reply) => {
      const { video_id: videoId } = request.params;
      const { variant = 'video' } = request.query;
      if (variant !== 'video' && variant !== 'thumbnail')
        throw new ServiceError(
          'unsupported_value',
          `variant: expected video or thumbnail, found ${cutText(JSON.stringify(variant), 60)}. Sprite sheets are not made.`,
          { param: 'variant' },
        );
      const content = await tasks.content(http.caller(request), 'video', videoId, VARIANTS[variant]);
      return await http.serve(request, reply, content, {
        download: false,
        expiresAt: clock.now() + ADDRESS_MS,
        maxAge: MAX_AGE_SECONDS,
      });
    },
  });
}
