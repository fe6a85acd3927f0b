import { LONGEST } from '@darkroom-service/contract/parts';
import type { ServingKernel } from '@darkroom-service/darkroom/kernel';
import type { App } from '@darkroom-service/darkroom/kernel-http';
import { Type } from 'typebox';
import { viewImageModel, viewRoutedModel, viewVideoModel } from '../mapping/model-views.ts';
import { OPENROUTER_DIALECT } from '../mapping/openrouter-dialect.ts';
import { ImageModels, RoutedModels, VideoModels } from '../mapping/openrouter-wire.ts';

const ALL = 'all';
const MOST = 500;
const ModelsQuery = Type.Object({
  output_modalities: Type.Optional(Type.String({ maxLength: LONGEST.pathPart })),
  offset: Type.Optional(Type.Integer({ minimum: 0 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST })),
});

/** Serves the models that a key can order: all, those for images, and those for videos. */
export function modelRoutes(mount: App, { http, models }: ServingKernel): void {
  const onRequest = http.limit('reads');

  mount.get(
    '/models',
    { onRequest, schema: { hide: true, querystring: ModelsQuery, response: { 200: RoutedModels } } },
    async (request) => {
      const { output_modalities: kinds = ALL, offset = 0, limit = MOST } = request.query;
      const wanted = kinds.split(',');
      const entries = await models.list(http.caller(request));
      const all = entries.filter(({ type }) => wanted.includes(ALL) || wanted.includes(type));
      const end = offset + limit;
      const query = new URLSearchParams({ output_modalities: kinds, offset: `${end}`, limit: `${limit}` });
      const next = end < all.length ? `${OPENROUTER_DIALECT.root}/models?${query}` : null;
      return { data: all.slice(offset, end).map(viewRoutedModel), links: { next }, total_count: all.length };
    },
  );

  mount.get(
    '/images/models',
    { onRequest, schema: { hide: true, response: { 200: ImageModels } } },
    async (request) => {
      const entries = await models.list(http.caller(request));
      return { data: entries.filter(({ type }) => type === 'image').map(viewImageModel) };
    },
  );

  mount.get(
    '/videos/models',
    { onRequest, schema: { hide: true, response: { 200: VideoModels } } },
    async (request) => {
      const entries = await models.list(http.caller(request));
      return { data: entries.filter(({ type }) => type === 'video').map(viewVideoModel) };
    },
  );
}
