import { sleep } from '@darkroom-service/contract';
import type { Engine } from '@darkroom-service/engines';
import { selectOpenGroups } from '../accounts/open-groups.ts';
import type { Database } from '../database/database.ts';
import { openOrdersOf } from '../installation/suspend.ts';
import type { Suspension } from '../installation/suspension.ts';
import { isClosed } from '../queue/gates.ts';
import { partsOf } from '../queue/queue-names.ts';
import type { TaskRow } from '../record/task.ts';
import { type SettleServices, settleTask } from '../tasks/settle-task.ts';
import type { TaskServices } from '../tasks/task-services.ts';

const AT_ONCE = 50;
const PLACED_EVERY_MS = 100;
const MESSAGE =
  'The service was restored from a backup, or copied. It is not known whether the engine received the order since. The order is not charged and was not sent again.';

/**
 * Ends each order that was open when the database was copied as `outcome_unknown`: its original may have sent it since.
 * Simulated orders continue, and orders of engines that cost nothing, unless their model has a route that does: the
 * original may have moved them there. Can be repeated.
 */
export async function reconcileOpenOrders(
  services: SettleServices & Pick<TaskServices, 'catalog' | 'database' | 'hooks'>,
  engines: { get(name: string): Engine | undefined },
  { since, release }: Suspension,
): Promise<void> {
  const { database } = services;
  if (release?.as === 'copy') await forgetLocks(database, since);
  const { read } = database;
  const isFree = ({ isFree: costsNothing, repeatable = false }: Engine) => costsNothing ?? repeatable;
  const costs = ({ queue, model_id }: Pick<TaskRow, 'queue' | 'model_id'>) => {
    const { engine: name, mode } = partsOf(queue);
    if (mode === 'simulated') return false;
    const engine = engines.get(name);
    if (engine === undefined || !isFree(engine)) return true;
    const routes = mode === 'live' ? (services.catalog().find(model_id)?.routes ?? []) : [];
    return routes.map((route) => engines.get(route.engine)).some((other) => other !== undefined && !isFree(other));
  };
  await placeGroups(services, since);
  if (release?.dropsWebhooks === true) await forgetReceivers(database, since);
  const kinds = await read.all(openOrdersOf(read, since).select(['queue', 'model_id']).distinct());
  const openOf = ({ queue, model_id }: (typeof kinds)[number]) =>
    openOrdersOf(read, since).selectAll().where('queue', '=', queue).where('model_id', '=', model_id).limit(AT_ONCE);
  let orders = 0;
  for (const kind of kinds.filter(costs)) {
    for (let open = await read.all(openOf(kind)); open.length > 0; open = await read.all(openOf(kind))) {
      for (const task of open) {
        const ending = {
          status: 'failed',
          failure: { code: 'outcome_unknown', message: MESSAGE },
          detail: { engine: partsOf(task.queue).engine, step: isClosed(task, 'parent') ? 'blocked' : task.step },
        } as const;
        if (await database.write('settle_unknown', (trx) => settleTask(services, trx, task, ending))) orders++;
      }
    }
  }
  const dropped = release?.dropsWebhooks === true ? await dropUntold(services, since) : 0;
  services.log.warn({ orders, dropped_webhooks: dropped }, 'orders of before the copy are in reconciliation');
}

/**
 * Removes the locks of the original's processes, which run on beside the copy: what they leave on this machine when
 * they end must not be taken over by the copy. A process of the copy writes its lock again with its next heartbeat.
 */
async function forgetLocks(database: Database, since: number): Promise<void> {
  await database.write('forget_locks', (trx) =>
    trx.run(trx.builder.updateTable('processes').set({ lock_path: '' }).where('beat_at', '<=', since)),
  );
}

/**
 * Waits until the orders of older groups are tasks; their addition inserts them also while the service is suspended.
 */
async function placeGroups(
  { database: { read }, hooks, wakeWork }: Pick<TaskServices, 'database' | 'hooks' | 'wakeWork'>,
  since: number,
): Promise<void> {
  const unplaced = selectOpenGroups(read, hooks)
    .select('id')
    .where('unplaced', '>', 0)
    .where('created_at', '<=', since);
  while ((await read.first(unplaced.limit(1))) !== undefined) {
    wakeWork();
    await sleep(PLACED_EVERY_MS);
  }
}

/** Removes the webhook of orders from before the copy: the original sends it. */
async function forgetReceivers(database: Database, since: number): Promise<void> {
  await database.write('forget_receivers', async (trx) => {
    const open = openOrdersOf(trx, since).select('id');
    await trx.run(trx.builder.updateTable('tasks').set({ webhook_url: null }).where('id', 'in', open));
  });
}

/** Drops the messages that followers have not sent yet. @returns the number of messages */
async function dropUntold(
  { database, followers }: Pick<TaskServices, 'database' | 'followers'>,
  since: number,
): Promise<number> {
  return await database.write('drop_untold', async (trx) => {
    let dropped = 0;
    for (const follower of followers) dropped += (await follower.dropped?.(trx, since)) ?? 0;
    return dropped;
  });
}
