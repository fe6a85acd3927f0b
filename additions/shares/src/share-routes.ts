import { ServiceError } from '@darkroom-service/contract';
import { closedObject, refTo } from '@darkroom-service/contract/parts';
import { ActionHeaders, ErrorAnswer, envelopeOf, Limit, success } from '@darkroom-service/contract/schemas';
import type { ServingKernel } from '@darkroom-service/darkroom/kernel';
import type { App } from '@darkroom-service/darkroom/kernel-http';
import { type Static, Type } from 'typebox';
import { createShare, findShare, listShares, revokeShare } from './make-shares.ts';
import { DEFAULT_SHARE_SECONDS, NewShare, Share, ShareDeletion, SharePage } from './share-wire.ts';

const tags = ['Shares'];
const one = '/v1/shares/:share_id';
const nothing = closedObject({});
const ListQuery = closedObject({
  task_id: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'the links that show this task' })),
  limit: Limit,
  after: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'a share_id: the links that follow it, older ones' }),
  ),
});

/**
 * Serves links that show results of tasks to people without a key: made, listed and revoked by the key of the tasks.
 */
export function shareRoutes(v1: App, kernel: ServingKernel): void {
  const { http } = kernel;
  v1.post(
    '/v1/shares',
    {
      preHandler: http.answers.neverStore,
      schema: {
        tags,
        headers: ActionHeaders,
        body: NewShare,
        response: { 201: envelopeOf(refTo(Share), 201), ...ErrorAnswer },
      },
    },
    async (request, reply) => {
      const { expires_in: expiresIn = DEFAULT_SHARE_SECONDS, show_prompt } = request.body;
      const wanted = {
        tasks: tasksOf(request.body),
        showsPrompt: show_prompt === true,
        lifetimeMs: expiresIn * 1000,
      };
      const linked = http.linked(request);
      const key = http.caller(request);
      const share = await http.once(request, reply, {
        make: (binding) => createShare(linked, key, wanted, binding),
        again: (shareId) => findShare(linked, key, shareId),
      });
      reply.code(201).header('location', `${linked.settings.publicUrl}/v1/shares/${share.share_id}`);
      return success(share, 201);
    },
  );

  v1.get(
    '/v1/shares',
    {
      preHandler: http.answers.neverStore,
      schema: { tags, querystring: ListQuery, response: { 200: envelopeOf(SharePage), ...ErrorAnswer } },
    },
    async (request) => {
      const { limit = 20, after = null, task_id: taskId = null } = request.query;
      const { items, hasMore } = await listShares(http.linked(request), http.caller(request), { taskId, limit, after });
      return success({ items, limit, has_more: hasMore });
    },
  );

  v1.get<{ Params: { share_id: string } }>(
    one,
    {
      preHandler: http.answers.neverStore,
      schema: { tags, querystring: nothing, response: { 200: envelopeOf(refTo(Share)), ...ErrorAnswer } },
    },
    async (request) => success(await findShare(kernel, http.caller(request), request.params.share_id)),
  );

  v1.delete<{ Params: { share_id: string } }>(
    one,
    { schema: { tags, querystring: nothing, response: { 200: envelopeOf(refTo(ShareDeletion)), ...ErrorAnswer } } },
    async (request) => {
      const { share_id } = request.params;
      return success({ share_id, deleted_at: await revokeShare(kernel, http.caller(request), share_id) });
    },
  );
}

function tasksOf({ task_id: one, task_ids: several }: Static<typeof NewShare>): string | readonly string[] {
  if (one !== undefined && several === undefined) return one;
  if (one === undefined && several !== undefined) return several;
  throw new ServiceError('invalid_request', 'Send either task_id or task_ids.', { param: 'task_id' });
}
