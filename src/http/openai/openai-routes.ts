import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ServiceError } from '../../base/errors.ts';
import { refusalOf } from '../../openai/openai-error.ts';
import { answerError } from '../answer-error.ts';
import { requireOrderingKey } from '../authenticate.ts';
import type { App, HttpOptions } from '../http-options.ts';
import type { KnownRoutes } from '../known-routes.ts';
import type { TaskAnswers } from '../tasks/answer-task.ts';
import { imageRoutes } from './image-routes.ts';
import { imageTaskRoutes } from './image-task-routes.ts';
import { openaiModelRoutes } from './model-routes.ts';
import { takeForms } from './read-form.ts';
import { openaiVideoContentRoutes } from './video-content-routes.ts';
import { openaiVideoRoutes } from './video-routes.ts';

/** The OpenAI-compatible interface as one plugin: its own shapes and errors, the keys and orders of the service. */
export function openaiRoutes(
  options: HttpOptions,
  answers: TaskAnswers,
  routes: KnownRoutes,
): (scope: FastifyInstance) => Promise<void> {
  return async (scope) => {
    const mount = scope as unknown as App;
    mount.setErrorHandler((error, request, reply) => answerOpenaiError(options, error, request, reply));
    mount.setNotFoundHandler((request) => {
      throw routes.refusal(request.method, request.url);
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

/** Answers an error in OpenAI's shape. */
function answerOpenaiError(options: HttpOptions, thrown: unknown, request: FastifyRequest, reply: FastifyReply) {
  return answerError(options, thrown, request, reply, (error: ServiceError) => refusalOf(error));
}
