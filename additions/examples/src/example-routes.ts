import { closedObject, Word } from '@darkroom-service/contract/parts';
import {
  adminSchema,
  CacheHeaders,
  ErrorAnswer,
  envelopeOf,
  Limit,
  plainAnswer,
  success,
} from '@darkroom-service/contract/schemas';
import type { ServingKernel } from '@darkroom-service/darkroom/kernel';
import type { App } from '@darkroom-service/darkroom/kernel-http';
import { type Static, Type } from 'typebox';
import { AdminModelExample, AdminModelExamplePage, ModelExampleDeletion, ModelExampleList } from './example-wire.ts';
import { lastExamples, listExamples, pageExamples, readPicture } from './list-examples.ts';
import { markExample, unmarkExample } from './mark-example.ts';

const nothing = closedObject({});
const ListQuery = closedObject({
  model_id: Type.Optional(Word),
  task_id: Type.Optional(Word),
  limit: Limit,
  after: Type.Optional(Word),
});
const Picture = plainAnswer('A WebP', ['image/webp'], { type: 'string', format: 'binary' });
/** Seconds after which a removed picture is gone from caches. */
const KEPT_SECONDS = 300;

type OneTask = { Params: { task_id: string } };

/** Serves the pictures of examples to everybody. */
export function examplePictures(app: App, { http, store }: Pick<ServingKernel, 'http' | 'store'>): void {
  app.get<{ Params: { example_id: string } }>(
    '/examples/:example_id',
    {
      schema: {
        tags: ['Models'],
        security: [],
        headers: CacheHeaders,
        querystring: nothing,
        response: { 200: Picture, ...ErrorAnswer },
      },
    },
    async (request, reply) => {
      const { example_id: id } = request.params;
      await http.turn(id);
      const picture = await readPicture(store.read, id);
      reply.removeHeader('x-frame-options').headers({
        'cache-control': `public, max-age=${KEPT_SECONDS}, must-revalidate`,
        'content-security-policy': http.answers.filePolicy,
        'cross-origin-resource-policy': 'cross-origin',
      });
      return http.answers.isUnchanged(request, reply, `"${id}"`)
        ? reply.send()
        : reply.type('image/webp').send(picture);
    },
  );
}

/** Serves the examples of the models that the caller may order. */
export function exampleRoutes(v1: App, { http, models, store }: ServingKernel): void {
  v1.get(
    '/v1/examples',
    {
      schema: {
        tags: ['Models'],
        querystring: nothing,
        response: { 200: envelopeOf(ModelExampleList), ...ErrorAnswer },
      },
    },
    async (request) => {
      const key = http.caller(request);
      const { publicUrl } = http.linked(request).settings;
      return success({ items: await lastExamples(store.read, publicUrl, (modelId) => models.isOpenTo(key, modelId)) });
    },
  );
  v1.get<{ Params: { model_id: string } }>(
    '/v1/models/:model_id/examples',
    {
      schema: {
        tags: ['Models'],
        querystring: nothing,
        response: { 200: envelopeOf(ModelExampleList), ...ErrorAnswer },
      },
    },
    async (request) => {
      const { model_id: modelId } = models.find(http.caller(request), request.params.model_id);
      const { publicUrl } = http.linked(request).settings;
      return success({ items: await listExamples(store.read, publicUrl, modelId) });
    },
  );
}

/** Serves the operators' choice of the orders that are shown. */
export function adminExampleRoutes(admin: App, kernel: ServingKernel): void {
  const { http, store } = kernel;
  admin.get<{ Querystring: Static<typeof ListQuery> }>(
    '/admin/v1/examples',
    { schema: { ...adminSchema(AdminModelExamplePage), querystring: ListQuery } },
    async (request) => {
      const { model_id: modelId = null, task_id: taskId = null, limit = 20, after = null } = request.query;
      const { publicUrl } = http.linked(request).settings;
      const page = await pageExamples(store.read, publicUrl, { modelId, taskId, limit, after });
      return success({ items: page.items, limit, has_more: page.hasMore });
    },
  );

  const path = '/admin/v1/tasks/:task_id/example';
  admin.put<OneTask>(path, { schema: adminSchema(AdminModelExample) }, async (request) =>
    success(await markExample(http.linked(request), http.by(request), request.params.task_id)),
  );
  admin.delete<OneTask>(path, { schema: adminSchema(ModelExampleDeletion) }, async (request) => {
    const { task_id: taskId } = request.params;
    return success({ task_id: taskId, deleted_at: await unmarkExample(kernel, http.by(request), taskId) });
  });
}
