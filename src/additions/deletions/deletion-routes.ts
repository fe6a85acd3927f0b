import { closedObject, OPTIONAL_BODY, refTo } from '@darkroom-service/contract/parts';
import { ActionHeaders, Deletion, ErrorAnswer, envelopeOf, success, Task } from '@darkroom-service/contract/schemas';
import { type Static, Type } from 'typebox';
import type { ServingKernel } from '../../kernel.ts';
import type { App } from '../../kernel-http.ts';
import { deleteLater, restoreTask } from './delayed-deletions.ts';

const config = { takesClientTokens: true };
const nothing = closedObject({});
const emptyBody = closedObject({}, OPTIONAL_BODY);

const MOST_DELAY_SECONDS = 86_400;
const DeleteQuery = closedObject({
  after: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MOST_DELAY_SECONDS,
      description:
        'seconds until the prompt and the files are erased; the task is hidden at once, and can be restored until then',
    }),
  ),
});
type OneTask = { Params: { task_id: string } };

/** Serves deletions of tasks by their customers, and the reversal of delayed ones. */
export function deletionRoutes(v1: App, { http }: Pick<ServingKernel, 'http'>): void {
  for (const type of ['image', 'video'] as const) {
    const one = `/v1/${type}s/:task_id`;
    const tags = [type === 'image' ? 'Images' : 'Videos'];

    v1.post<OneTask>(
      `${one}/restore`,
      {
        config,
        schema: {
          tags,
          headers: ActionHeaders,
          body: emptyBody,
          querystring: nothing,
          response: { 200: envelopeOf(refTo(Task)), ...ErrorAnswer },
        },
      },
      async (request, reply) => {
        const linked = http.linked(request);
        const key = http.caller(request);
        const task = await http.once(request, reply, {
          make: (binding) => restoreTask(linked, key, type, request.params.task_id, binding),
          again: (taskId) => linked.tasks.find(key, type, taskId),
        });
        return success(task);
      },
    );

    v1.delete<OneTask & { Querystring: Static<typeof DeleteQuery> }>(
      one,
      {
        config,
        schema: { tags, querystring: DeleteQuery, response: { 200: envelopeOf(refTo(Deletion)), ...ErrorAnswer } },
      },
      async (request) => {
        const linked = http.linked(request);
        const key = http.caller(request);
        const { task_id: taskId } = request.params;
        const { after } = request.query;
        const deleted =
          after === undefined
            ? await linked.orders.delete(key, type, taskId)
            : await deleteLater(linked, key, type, taskId, after);
        return success(deleted);
      },
    );
  }
}
