import { lookUpTask } from '@darkroom-service/addition-common/operators/look-up-task';
import { ORDER_DEEDS, ORDER_STATES, type OrderDeedName } from '@darkroom-service/contract';
import { closedObject } from '@darkroom-service/contract/parts';
import {
  AdminTask,
  AdminTaskPage,
  adminAction,
  adminSchema,
  Limit,
  OrderDeed,
  OrderDeedCounts,
  success,
} from '@darkroom-service/contract/schemas';
import type { Act, ServingKernel } from '@darkroom-service/darkroom/kernel';
import type { App, RouteTools } from '@darkroom-service/darkroom/kernel-http';
import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { cancelForCustomer } from './deeds/cancel-for-customer.ts';
import { BULK_ACTIONS, DEED_COLUMNS } from './deeds/deed-table.ts';
import { giveUpTask } from './deeds/give-up-task.ts';
import { findBulkActions, insertBulkActions } from './deeds/insert-bulk-actions.ts';
import { requestPoll } from './deeds/request-poll.ts';
import { createExplain } from './explain-standing.ts';
import { ModeQuery } from './mode-query.ts';
import { listOrders, type OpenFilter, selectOpen } from './reports/list-orders.ts';

const filter = {
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        "the id of an order; a customer's id (`end_user`); the id or a part of the name of an account or a key; a request id of the last days; else words of the model, the metadata, the error, a price, and for those who may export also of the prompt",
    }),
  ),
  mode: ModeQuery,
  engine: Type.Optional(Type.String({ maxLength: 64, description: 'the engine of the orders; default: all' })),
};
const Filter = closedObject(filter);
const TaskQuery = closedObject({
  state: Type.Optional(
    Type.Enum(ORDER_STATES, {
      default: 'all',
      description:
        '`open`: not final. `unknown`: with an entry to reconcile that nobody has resolved, of the newest 5,000 of these',
    }),
  ),
  ...filter,
  limit: Limit,
  after: Type.Optional(Type.String({ maxLength: 64, description: 'the `next_after` of the page before' })),
});
const DeedForMany = closedObject({
  ...filter,
  expected: Type.Integer({ minimum: 1, description: 'the number of orders that this is to change, as you saw it' }),
});

/** Maximum number of open orders that one request changes, the oldest first. */
const MOST_AT_ONCE = 10_000;
/** Permission to read prompts, which also allows searching orders by the words of their prompts. */
const READS_PROMPTS = 'POST /admin/v1/exports';

/** Serves orders as operators see them, and the operators' actions on orders that make no progress. */
export function adminTaskRoutes(
  admin: App,
  kernel: ServingKernel,
  { additions, mayCall }: Pick<RouteTools, 'additions' | 'mayCall'>,
): void {
  const { http, orders, store, tasks } = kernel;
  const explain = createExplain(kernel);
  const named = additions.flatMap(({ namedOrders }) => namedOrders ?? []);

  admin.get(
    '/admin/v1/tasks',
    { schema: { ...adminSchema(AdminTaskPage), querystring: TaskQuery } },
    async (request) => {
      const { state = 'all', limit = 20, after = null } = request.query;
      const wanted = { state, ...filterOf(request, request.query) };
      const { items, ...page } = await listOrders(sourceOf(wanted), wanted, { limit, after }, explain);
      return success({ items, limit, has_more: page.next_after !== null, ...page });
    },
  );
  admin.get(
    '/admin/v1/tasks/deeds',
    { schema: { ...adminSchema(OrderDeedCounts), querystring: Filter } },
    async (request) => {
      const open = await readOpen(filterOf(request, request.query));
      const count = (name: OrderDeedName) => open.filter((task) => BULK_ACTIONS[name].applies(kernel, task)).length;
      return success({ ask: count('ask'), cancel: count('cancel'), give_up: count('give_up') });
    },
  );
  admin.get<{ Params: { task_id: string } }>(
    '/admin/v1/tasks/:task_id',
    { schema: adminSchema(AdminTask) },
    async (request) => success(await lookUpTask(store.read, request.params.task_id, explain)),
  );

  addAction('refund', async (by, taskId) => {
    await orders.refund(by, taskId);
    tasks.events.changed(taskId);
  });
  addAction('ask', (by, taskId) => requestPoll(kernel, by, taskId));
  addAction('cancel', (by, taskId) => cancelForCustomer(kernel, by, taskId));
  addAction('give_up', (by, taskId) => giveUpTask(kernel, by, taskId));
  for (const name of ORDER_DEEDS) deedForMany(name);

  function addAction(name: string, make: (by: Act, taskId: string) => Promise<void>): void {
    admin.post<{ Params: { task_id: string } }>(
      `/admin/v1/tasks/:task_id/${name}`,
      { schema: adminAction(AdminTask) },
      async (request, reply) => {
        const { task_id: taskId } = request.params;
        await http.once(request, reply, { make: (_binding, by) => make(by, taskId), again: async () => {} });
        return success(await lookUpTask(store.read, taskId, explain));
      },
    );
  }

  function deedForMany(name: OrderDeedName): void {
    admin.post<{ Body: Static<typeof DeedForMany> }>(
      `/admin/v1/tasks/${name}`,
      { schema: { ...adminAction(OrderDeed), body: DeedForMany } },
      async (request, reply) => {
        const { expected, ...given } = request.body;
        const deedId = await http.once(request, reply, {
          async make(_binding, by) {
            const found = await readOpen(filterOf(request, given));
            const ids = found.filter((task) => BULK_ACTIONS[name].applies(kernel, task)).map(({ id }) => id);
            const { mode = 'live', engine = null } = given;
            return await insertBulkActions(kernel, by, name, { ids, expected, filter: { mode, engine } });
          },
          again: async (subject) => subject,
        });
        return success(await findBulkActions(store.read, deedId));
      },
    );
  }

  async function readOpen(wanted: OpenFilter) {
    const source = sourceOf({ ...wanted, state: 'open' });
    const select = await selectOpen(source, wanted);
    return await source.all(select.select(DEED_COLUMNS.map((name) => `tasks.${name}` as const)).limit(MOST_AT_ONCE));
  }

  /** Returns the session for a list: only the plain list of open orders is read on the event loop. */
  function sourceOf({ state, search }: { readonly state: string; readonly search: string | null }) {
    return state === 'open' && search === null ? store.read : store.reports;
  }

  function filterOf(request: FastifyRequest, given: Static<typeof Filter>): OpenFilter {
    const { mode = 'live', search = '', engine = null } = given;
    const prompts = mayCall(request, READS_PROMPTS);
    return { mode, engine, prompts, named, search: search.trim() === '' ? null : search };
  }
}
