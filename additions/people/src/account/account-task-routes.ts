import { isoTime } from '@darkroom-service/contract';
import { closedObject, refTo } from '@darkroom-service/contract/parts';
import { ErrorAnswer, envelopeOf, FileHeaders, Limit, success } from '@darkroom-service/contract/schemas';
import type { ServingKernel } from '@darkroom-service/darkroom/kernel';
import type { App } from '@darkroom-service/darkroom/kernel-http';
import { type Static, Type } from 'typebox';
import { accountOf } from '../members/member-routes.ts';
import { AccountTask, AccountTaskPage } from '../people-wire.ts';
import { listAccountTasks, viewAccountTask } from './account-tasks.ts';

const tags = ['People'];
const one = '/v1/account/tasks/:task_id';
const MAX_AGE_SECONDS = 3600;
const ADDRESS_MS = 3_600_000;
const TaskQuery = closedObject({
  type: Type.Optional(Type.Enum(['image', 'video'], { description: 'default: both' })),
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        "words that each order has: of the prompt, the model, the metadata, the name of who ordered; or an order's whole id, your own customer's id, a price",
    }),
  ),
  limit: Limit,
  after: Type.Optional(Type.String({ maxLength: 64, description: 'a task_id: older orders' })),
});
const ContentQuery = closedObject({
  variant: Type.Optional(Type.Enum(['output', 'original', 'thumbnail', 'preview'])),
  download: Type.Optional(Type.Enum(['0', '1'], { description: '1 = to be saved under a name' })),
});

/** Serves the orders of everybody in the caller's account, read-only. Keys see their own orders only. */
export function accountTaskRoutes(v1: App, kernel: ServingKernel): void {
  const { clock, http, tasks } = kernel;

  v1.get(
    '/v1/account/tasks',
    { schema: { tags, querystring: TaskQuery, response: { 200: envelopeOf(AccountTaskPage), ...ErrorAnswer } } },
    async (request) => {
      accountOf(http.caller(request));
      const { type = null, search = '', limit = 20, after = null } = request.query;
      const query = { type, search: search.trim() === '' ? null : search, limit, after };
      const { items, nextAfter, since, foundBy } = await listAccountTasks(kernel, http.caller(request), query);
      const searchedSince = since === null ? null : isoTime(since);
      const found = { found_by: foundBy, searched_since: searchedSince };
      return success({ items, limit, has_more: nextAfter !== null, next_after: nextAfter, ...found });
    },
  );

  v1.get<{ Params: { task_id: string } }>(
    one,
    {
      schema: {
        tags,
        querystring: closedObject({}),
        response: { 200: envelopeOf(refTo(AccountTask)), ...ErrorAnswer },
      },
    },
    async (request) => {
      accountOf(http.caller(request));
      return success(await viewAccountTask(kernel, http.caller(request), request.params.task_id));
    },
  );

  http.answers.fileRoute<{ Params: { task_id: string }; Querystring: Static<typeof ContentQuery> }>(v1, {
    url: `${one}/content`,
    files: 'output',
    schema: { tags, headers: FileHeaders, querystring: ContentQuery },
    handler: async (request, reply) => {
      accountOf(http.caller(request));
      const { task_id: taskId } = request.params;
      const { variant = 'output', download } = request.query;
      const owner = await tasks.ownerInAccount(http.caller(request), 'order', taskId);
      const { type } = await tasks.row(owner, null, taskId);
      const content = await tasks.content(owner, type, taskId, variant);
      return await http.answers.serve(request, reply, content, {
        download: download === '1',
        expiresAt: clock.now() + ADDRESS_MS,
        maxAge: MAX_AGE_SECONDS,
      });
    },
  });
}
