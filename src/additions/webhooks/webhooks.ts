import { sql } from 'kysely';
import {
  type Addition,
  DAILY_MS,
  type Follower,
  findPendingDelivery,
  type OpenQuestion,
  type Session,
  type TaskHooks,
} from '../../kernel.ts';
import type { DeliveryRow } from './list-deliveries.ts';
import {
  removeDeliveries,
  removeDeliveriesOf,
  removeDeliveriesOfTask,
  removeOldDeliveries,
} from './remove-deliveries.ts';
import { dropPending, enterDelivery } from './webhook-deliveries.ts';
import { removeHeaders, sealHeadersAgain } from './webhook-headers.ts';
import { removeSecrets } from './webhook-secrets.ts';
import { WEBHOOK_TABLES } from './webhook-tables.ts';

type FollowedEnd = Parameters<NonNullable<Follower['ended']>>;

const BIT = 1;

const HOOKS: TaskHooks = {
  // Also by age: no end is to be reported any more, because the row and its files stay until then.
  erased: (trx, { id }) => removeDeliveriesOfTask(trx, id),
  forgotten: removeDeliveries,
  async accountErased(trx, accountId) {
    await removeSecrets(trx, accountId);
    await removeHeaders(trx, { accountId });
    await removeDeliveriesOf(trx, accountId);
  },
  needs: sql`exists (select 1 from webhook_deliveries as sent where sent.task_id = tasks.id and sent.status = 'pending')`,
  personalTables: [
    { table: 'webhook_deliveries', accountColumn: 'account_id', taskColumn: 'task_id' },
    { table: 'webhook_headers', accountColumn: 'account_id', hidden: ['sealed'] },
  ],
};

const FOLLOWER: Follower = {
  name: 'webhooks',
  bit: BIT,
  follows: ({ webhook_url }) => webhook_url !== null,
  ended: (unit, followed, { event, now }) => enter(unit, followed, event, now),
  refunded: (unit, followed, { now }) => enter(unit, followed, 'task.refunded', now),
  delivered: (unit, followed, { isComplete, now }) =>
    enter(unit, followed, isComplete ? 'task.delivered' : 'task.delivery_failed', now),
  told: (unit, followed, { type, data, now }) => enter(unit, followed, type, now, JSON.stringify(data)),
  dropped: dropPending,
};

/** Signed events for receivers of customers. */
export const WEBHOOKS: Addition = {
  name: 'webhooks',
  tables: WEBHOOK_TABLES,
  hooks: HOOKS,
  follower: FOLLOWER,
  // Events of batches and notices, and of orders that were erased before their end was reported.
  chores: ({ store, work }, signal) => [
    {
      name: 'webhook deliveries',
      everyMs: DAILY_MS,
      run: () =>
        store.erase({ unit: 'trim_deliveries', signal }, (trx) => removeOldDeliveries(trx, work.erasedBefore())),
    },
  ],
  findOpenWork: findUntold,
  open: (kernel) => ({
    async start() {
      const { createWebhookFigures } = await import('./webhook-figures.ts');
      const figures = createWebhookFigures(kernel.figures);
      if (kernel.settings.role === 'api') return;
      const [{ startWebhookSender }, { viewForOwner }] = await Promise.all([
        import('./webhook-sender.ts'),
        import('./webhook-view.ts'),
      ]);
      const { vault } = kernel.settings;
      if (vault !== null) await sealHeadersAgain(kernel.store, vault);
      startWebhookSender(kernel, { figures, view: (delivery) => viewForOwner(kernel, delivery) });
    },
    async http(kernel) {
      const [{ webhookRoutes }, { adminWebhookRoutes }, { WEBHOOK_OPERATIONS }, { createTestSender }] =
        await Promise.all([
          import('./webhook-routes.ts'),
          import('./admin-webhook-routes.ts'),
          import('./webhook-operations.ts'),
          import('./send-test-event.ts'),
        ]);
      const sendTestEvent = createTestSender(kernel);
      return {
        v1: (v1) => webhookRoutes(v1, kernel, sendTestEvent),
        admin: (admin) => adminWebhookRoutes(admin, kernel),
        operations: WEBHOOK_OPERATIONS,
        behind: ['/v1/client_tokens', '/admin/v1/failures/causes'],
        marks: readMark,
      };
    },
  }),
};

function enter(
  unit: FollowedEnd[0],
  { id, account_id: account, api_key_id: key, webhook_url: url }: FollowedEnd[1],
  type: DeliveryRow['type'],
  now: number,
  data: string | null = null,
): void {
  // Its URL was erased, or the event is not to be sent any more.
  if (url === null) return;
  enterDelivery(unit, { id: unit.createId('whd'), account, key, subject: id, type, url, now, data });
  unit.wakeAfterCommit('webhook');
}

/** Reads a mark that changes with each attempt. */
async function readMark(session: Session): Promise<unknown> {
  return await session.first(
    session.builder.selectFrom('webhook_attempts').select(({ fn }) => fn.max('id').as('mark')),
  );
}

/** Finds receivers that wait for an event, also of orders that have not ended yet. */
async function findUntold(session: Session, { hooks }: OpenQuestion): Promise<string | null> {
  const id = await findPendingDelivery(session, hooks, 'webhook', 'webhook_url');
  return id === null
    ? null
    : `a receiver is to be told of '${id}'. That takes two days at most once an order has ended.`;
}
