import { openDoor } from '@darkroom-service/addition-openai/routes/door';
import { LONGEST } from '@darkroom-service/contract/parts';
import type { App, HttpOptions, KnownRoutes } from '@darkroom-service/darkroom/kernel-http';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { refusalOf } from '../mapping/gemini-error.ts';
import { findModel, GeminiModel, GeminiModels, listModels } from '../mapping/list-models.ts';
import type { GeminiHttp } from './gemini-http.ts';
import { interactionRoutes } from './interaction-routes.ts';
import { methodRoutes } from './method-routes.ts';
import { operationRoutes } from './operation-routes.ts';

/** Versions of the Gemini API, none, and the path of Vertex AI with an API key. */
const PREFIXES = ['', '/v1', '/v1beta', '/v1beta1/publishers/google'];

/** Serves the interface of the Gemini API: its own shapes and errors, the keys and orders of the service. */
export function geminiRoutes(
  parts: GeminiHttp,
  options: HttpOptions,
  routes: KnownRoutes,
): (scope: FastifyInstance) => Promise<void> {
  return openDoor(parts.kernel, options, routes, {
    refuse: (error, { url }) => ({ body: refusalOf(error, /\/interactions(?:[/?]|$)/.test(url)) }),
    standsFor: operationOf,
    takesBareBase64: true,
    async serve(mount) {
      for (const prefix of PREFIXES)
        await mount.register(
          async (version) => {
            methodRoutes(version as unknown as App, parts);
            operationRoutes(version as unknown as App, parts);
            interactionRoutes(version as unknown as App, parts);
            modelRoutes(version as unknown as App, parts);
          },
          { prefix },
        );
    },
  });
}

/** Returns the operation of the service that does the same. */
function operationOf(method: string, path: string): string {
  if (method === 'DELETE') return 'DELETE /v1/images/{task_id}';
  if (method === 'POST' && /\/(?:cancel|:operation_id)$/.test(path)) return 'POST /v1/images/{task_id}/cancel';
  return `${method} /v1/images`;
}

/** Serves the models that a key can order. */
function modelRoutes(mount: App, { kernel, settings }: GeminiHttp): void {
  const { http } = kernel;
  const onRequest = http.limit('reads');
  mount.get('/models', { onRequest, schema: { hide: true, response: { 200: GeminiModels } } }, async (request) => {
    const listed = await listModels(kernel, http.caller(request));
    if (!request.url.includes('/publishers/google/')) return { models: listed };
    return { publisherModels: listed.map((model) => ({ ...model, name: `publishers/google/${model.name}` })) };
  });
  mount.get(
    '/models/:model',
    {
      onRequest,
      schema: {
        hide: true,
        params: Type.Object({ model: Type.String({ maxLength: LONGEST.pathPart }) }),
        response: { 200: GeminiModel },
      },
    },
    async (request) => await findModel(kernel, http.caller(request), request.params.model, settings.aliases),
  );
}
