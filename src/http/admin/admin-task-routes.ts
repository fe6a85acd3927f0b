import { AdminTask } from '@darkroom-service/contract/admin';
import { ServiceError } from '@darkroom-service/contract/errors';
import { closedObject, pageOf, Word } from '@darkroom-service/contract/parts';
import { TASK_STATUSES } from '@darkroom-service/contract/words';
import { Type } from 'typebox';
import type { Act } from '../../accounts/audit.ts';
import { listOpenTasks, lookUpTask, lookUpTasksOfKey } from '../../operations/look-up-task.ts';
import { cancelForCustomer } from '../../orders/cancel-task.ts';
import { askUpstream } from '../../tasks/ask-upstream.ts';
import { giveUpTask } from '../../tasks/give-up-task.ts';
import { refundTask } from '../../tasks/refund-task.ts';
import { success } from '../envelope.ts';
import type { App, HttpOptions } from '../http-options.ts';
import { repeatableAct } from '../repeatable.ts';
import { Limit, ModeQuery } from '../tasks/task-query.ts';
import { adminDeed, adminSchema } from './admin-schema.ts';
import { createExplain } from './explain-standing.ts';

const TaskQuery = closedObject({
  state: Type.Optional(
    Type.Enum(['open'], { description: 'the orders of all keys that are not final, oldest first; without `key_id`' }),
  ),
  search: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'with `state`: a part of the name of account or key, of the model or of what the upstream said; an id; a price',
    }),
  ),
  mode: ModeQuery,
  key_id: Type.Optional(Word),
  type: Type.Optional(Type.Enum(['image', 'video'])),
  status: Type.Optional(Type.Enum(TASK_STATUSES)),
  limit: Limit,
  after: Type.Optional(Type.String({ maxLength: 64, description: 'the last id of the page before' })),
});

/** Orders as operators see them, and what operators do about one that stands still. */
export function adminTaskRoutes(admin: App, options: HttpOptions): void {
  const { services } = options;
  const { database } = services;
  const explain = createExplain(options);

  admin.get(
    '/admin/v1/tasks',
    { schema: { ...adminSchema(pageOf(AdminTask)), querystring: TaskQuery } },
    async (request) => {
      const { state, search = null, mode = 'live', limit = 20, after = null, ...ofKey } = request.query;
      const { key_id: keyId, type, status = null } = ofKey;
      if (state !== undefined) {
        if (keyId !== undefined || type !== undefined || status !== null) throw notBoth();
        const page = await listOpenTasks(database.read, { mode, search, limit, after }, explain);
        return success({ items: page.items, limit, has_more: page.hasMore });
      }
      if (keyId === undefined || type === undefined || search !== null) throw notBoth();
      const page = await lookUpTasksOfKey(database.read, { keyId, type, status, limit, after }, explain);
      return success({ items: page.items, limit, has_more: page.hasMore });
    },
  );
  admin.get<{ Params: { task_id: string } }>(
    '/admin/v1/tasks/:task_id',
    { schema: adminSchema(AdminTask) },
    async (request) => success(await lookUpTask(database.read, request.params.task_id, explain)),
  );

  deed('refund', async (by, taskId) => {
    await refundTask(database, by, taskId);
    services.events.changed(taskId);
    services.wakeWebhooks();
  });
  deed('ask', (by, taskId) => askUpstream(services, by, taskId));
  deed('cancel', (by, taskId) => cancelForCustomer(services, by, taskId));
  deed('give_up', (by, taskId) => giveUpTask(services, by, taskId));

  function deed(name: string, make: (by: Act, taskId: string) => Promise<void>): void {
    admin.post<{ Params: { task_id: string } }>(
      `/admin/v1/tasks/:task_id/${name}`,
      { schema: adminDeed(AdminTask) },
      async (request, reply) => {
        const { task_id: taskId } = request.params;
        await repeatableAct(options, request, reply, { make: (by) => make(by, taskId), again: async () => {} });
        return success(await lookUpTask(database.read, taskId, explain));
      },
    );
  }
}

function notBoth(): ServiceError {
  const message =
    'Send either `state`, which may go with `search`, or `key_id` and `type`, which may go with `status`.';
  return new ServiceError('invalid_request', message, { param: 'state' });
}
