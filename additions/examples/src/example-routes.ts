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
import { isHidden, mayOrder } from '@darkroom-service/darkroom/kernel-accounts';
import {
  type App,
  actOf,
  callerOf,
  FILE_SECURITY_POLICY,
  type HttpOptions,
  isUnchanged,
} from '@darkroom-service/darkroom/kernel-http';
import { chooseModel } from '@darkroom-service/darkroom/kernel-views';
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
export function examplePictures(app: App, { services, takeKeyTurn }: HttpOptions): void {
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
      await takeKeyTurn(id);
      const picture = await readPicture(services.database.read, id);
      reply.removeHeader('x-frame-options').headers({
        'cache-control': `public, max-age=${KEPT_SECONDS}, must-revalidate`,
        'content-security-policy': FILE_SECURITY_POLICY,
        'cross-origin-resource-policy': 'cross-origin',
      });
      return isUnchanged(request, reply, `"${id}"`) ? reply.send() : reply.type('image/webp').send(picture);
    },
  );
}

/** Serves the examples of the models that the caller may order. */
export function exampleRoutes(v1: App, { services, servicesFor }: HttpOptions): void {
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
      const key = callerOf(request);
      const isAsked = (modelId: string) => mayOrder(key, modelId) && !isHidden(key.account, modelId);
      return success({
        items: await lastExamples(services.database.read, servicesFor(request).settings.publicUrl, isAsked),
      });
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
      const model = chooseModel(services, callerOf(request), request.params.model_id, null);
      const items = await listExamples(services.database.read, servicesFor(request).settings.publicUrl, model.model_id);
      return success({ items });
    },
  );
}

/** Serves the operators' choice of the orders that are shown. */
export function adminExampleRoutes(admin: App, options: HttpOptions): void {
  const { services } = options;
  const { database } = services;
  admin.get<{ Querystring: Static<typeof ListQuery> }>(
    '/admin/v1/examples',
    { schema: { ...adminSchema(AdminModelExamplePage), querystring: ListQuery } },
    async (request) => {
      const { model_id: modelId = null, task_id: taskId = null, limit = 20, after = null } = request.query;
      const page = await pageExamples(database.read, options.servicesFor(request).settings.publicUrl, {
        modelId,
        taskId,
        limit,
        after,
      });
      return success({ items: page.items, limit, has_more: page.hasMore });
    },
  );

  const path = '/admin/v1/tasks/:task_id/example';
  admin.put<OneTask>(path, { schema: adminSchema(AdminModelExample) }, async (request) =>
    success(await markExample(options.servicesFor(request), actOf(request, options), request.params.task_id)),
  );
  admin.delete<OneTask>(path, { schema: adminSchema(ModelExampleDeletion) }, async (request) => {
    const { task_id: taskId } = request.params;
    return success({ task_id: taskId, deleted_at: await unmarkExample(services, actOf(request, options), taskId) });
  });
}
