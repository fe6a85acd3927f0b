import { Type } from 'typebox';
import { findOpenaiModel, listOpenaiModels } from '../../openai/list-models.ts';
import { OpenaiModel, OpenaiModels } from '../../wire/openai-videos.ts';
import { callerOf, limitRate } from '../authenticate.ts';
import type { App, HttpOptions } from '../http-options.ts';

/** The models that a key can order, in OpenAI's shape. */
export function openaiModelRoutes(mount: App, options: HttpOptions): void {
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
      schema: { hide: true, params: Type.Object({ model: Type.String() }), response: { 200: OpenaiModel } },
    },
    async (request) => await findOpenaiModel(services, callerOf(request), openai.aliases, request.params.model),
  );
}
