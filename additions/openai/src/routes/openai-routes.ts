import { cutText, ServiceError } from '@darkroom-service/contract';
import { LONGEST, Word } from '@darkroom-service/contract/parts';
import {
  type App,
  answerError,
  callerOf,
  fileRoute,
  type KnownRoutes,
  limitRate,
  requireOrderingKey,
  serveFile,
  type TaskAnswers,
} from '@darkroom-service/darkroom/kernel-http';
import { taskContent } from '@darkroom-service/darkroom/kernel-views';
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
  options: OpenaiHttp,
  answers: TaskAnswers,
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
    mount.addHook('onRequest', requireOrderingKey(options));
    await imageRoutes(mount, options, answers);
    await imageTaskRoutes(mount, options);
    openaiModelRoutes(mount, options);
    await mount.register(async (forms) => {
      await takeForms(forms, options);
      openaiVideoRoutes(forms, options, answers);
    });
    openaiVideoContentRoutes(mount, options);
  };
}

/** Returns the operation of the service that does the same. */
function operationOf(method: string, path: string): string {
  const [, resource = ''] = path.split('/');
  if (method === 'DELETE') return `DELETE /v1/${resource}/{task_id}`;
  return `${method === 'HEAD' ? 'GET' : method} /v1/${resource}`;
}

/** Answers an error in OpenAI's shape. */
function answerOpenaiError(options: OpenaiHttp, thrown: unknown, request: FastifyRequest, reply: FastifyReply) {
  return answerError(options, thrown, request, reply, (error: ServiceError) => refusalOf(error));
}

/** Serves the models that a key can order, in OpenAI's shape. */
function openaiModelRoutes(mount: App, options: OpenaiHttp): void {
  const { services, openai } = options;
  const onRequest = limitRate(options, 'reads');

  mount.get('/models', { onRequest, schema: { hide: true, response: { 200: OpenaiModels } } }, async (request) => ({
    object: 'list' as const,
    data: await listOpenaiModels(services, callerOf(request), openai.aliases),
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
    async (request) => await findOpenaiModel(services, callerOf(request), openai.aliases, request.params.model),
  );
}

const MAX_AGE_SECONDS = 3600;
const ADDRESS_MS = 3_600_000;
/** OpenAI's names of the files, and ours. */
const VARIANTS = { video: 'output', thumbnail: 'thumbnail' } as const;
const ContentQuery = Type.Object({ variant: Type.Optional(Word) });

/** Serves the files of a video: the video itself and a still of it. */
function openaiVideoContentRoutes(mount: App, options: OpenaiHttp): void {
  const { services } = options;
  fileRoute<{ Params: { video_id: string }; Querystring: Static<typeof ContentQuery> }>(mount, {
    url: '/videos/:video_id/content',
    onRequest: limitRate(options, 'reads'),
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
      const content = await taskContent(services, callerOf(request), 'video', videoId, VARIANTS[variant]);
      return await serveFile(request, reply, services, content, {
        download: false,
        expiresAt: services.clock.now() + ADDRESS_MS,
        maxAge: MAX_AGE_SECONDS,
      });
    },
  });
}
