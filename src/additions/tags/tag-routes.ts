import { closedObject, refTo } from '@darkroom-service/contract/parts';
import { ErrorAnswer, envelopeOf, Limit, success } from '@darkroom-service/contract/schemas';
import { type Static, Type } from 'typebox';
import type { ServingKernel } from '../../kernel.ts';
import type { App } from '../../kernel-http.ts';
import { listTags } from './list-tags.ts';
import { NewTaskTags, TagPage, TaskTags } from './tag-wire.ts';
import { findTags, setTags } from './task-tags.ts';

const tags = ['Tags'];
const config = { takesClientTokens: true };
const nothing = closedObject({});
const ListQuery = closedObject({
  limit: Limit,
  after: Type.Optional(Type.String({ maxLength: 40, description: 'a tag: those that follow it by name' })),
});
type OneTask = { Params: { task_id: string } };

/** Serves tags of customers on their tasks, by which lists can be filtered. */
export function tagRoutes(v1: App, kernel: ServingKernel): void {
  const { http } = kernel;
  v1.get(
    '/v1/tags',
    { config, schema: { tags, querystring: ListQuery, response: { 200: envelopeOf(TagPage), ...ErrorAnswer } } },
    async (request, reply) => {
      const { limit = 20, after = '' } = request.query;
      const key = http.caller(request);
      http.budgets(reply, key, ['reports']);
      const { items, hasMore } = await listTags(kernel, key, { limit, after });
      return success({ items, limit, has_more: hasMore });
    },
  );

  for (const type of ['image', 'video'] as const) {
    const path = `/v1/${type}s/:task_id/tags`;
    const response = { 200: envelopeOf(refTo(TaskTags)), ...ErrorAnswer };
    v1.get<OneTask>(path, { config, schema: { tags, querystring: nothing, response } }, async (request) =>
      success(await findTags(kernel, http.caller(request), type, request.params.task_id)),
    );
    v1.put<OneTask & { Body: Static<typeof NewTaskTags> }>(
      path,
      { config, schema: { tags, body: NewTaskTags, querystring: nothing, response } },
      async (request) => {
        const { task_id: taskId } = request.params;
        return success(await setTags(kernel, http.caller(request), type, taskId, request.body.tags));
      },
    );
  }
}
