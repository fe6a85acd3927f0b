import { sleep } from '@darkroom-service/contract';
import type { Engine } from '@darkroom-service/engines';
import { selectOpenGroups } from '../accounts/open-groups.ts';
import type { Database } from '../database/database.ts';
import { openOrdersOf } from '../routing/installation/suspend.ts';
import type { Suspension } from '../routing/installation/suspension.ts';
import { isClosed } from '../tasks/gates.ts';
import { partsOf } from '../tasks/queue-names.ts';
import { type SettleServices, settleTask } from '../tasks/settle-task.ts';
import type { TaskServices } from '../tasks/task-services.ts';

const AT_ONCE = 50;
const PLACED_EVERY_MS = 100;
const MESSAGE =
  'The service was restored from a backup, or copied. It is not known whether the engine received the order since. The order is not charged and was not sent again.';

/**
 * Ends each order that was open when the database was copied as `outcome_unknown`: its original may have sent it since.
 * Orders of engines that cost nothing, and simulated ones, go on. Can be repeated.
 */
export async function reconcileOpenOrders(
  services: SettleServices & Pick<TaskServices, 'database' | 'hooks'>,
  engines: { get(name: string): Engine | undefined },
  { since, release }: Suspension,
): Promise<void> {
  const { database } = services;
  if (release?.as === 'copy') await forgetLocks(database, since);
  const { read } = database;
  const costs = (queue: string) => {
    const { engine: name, mode } = partsOf(queue);
    const engine = engines.get(name);
    const isFree = engine?.isFree ?? engine?.repeatable ?? false;
    return mode !== 'simulated' && !isFree;
  };
  await placeGroups(services, since);
  if (release?.dropsWebhooks === true) await forgetReceivers(database, since);
  const queues = await read.all(openOrdersOf(read, since).select('queue').distinct());
  const paid = queues.map(({ queue }) => queue).filter(costs);
  let orders = 0;
  for (;;) {
    if (paid.length === 0) break;
    const open = await read.all(openOrdersOf(read, since).selectAll().where('queue', 'in', paid).limit(AT_ONCE));
    if (open.length === 0) break;
    for (const task of open) {
      const ending = {
        status: 'failed',
        failure: { code: 'outcome_unknown', message: MESSAGE },
        detail: { engine: partsOf(task.queue).engine, step: isClosed(task, 'parent') ? 'blocked' : task.step },
      } as const;
      if (await database.write('settle_unknown', (trx) => settleTask(services, trx, task, ending))) orders++;
    }
  }
  const dropped = release?.dropsWebhooks === true ? await dropUntold(services, since) : 0;
  services.log.warn({ orders, dropped_webhooks: dropped }, 'orders of before the copy are in reconciliation');
}

/**
 * The original's processes go on beside the copy, so that what they leave on this machine when they end is not the
 * copy's to take over. A process of the copy writes its lock again with its next heartbeat.
 */
async function forgetLocks(database: Database, since: number): Promise<void> {
  await database.write('forget_locks', (trx) =>
    trx.run(trx.builder.updateTable('processes').set({ lock_path: '' }).where('beat_at', '<=', since)),
  );
}

/** Waits until the orders of older groups are tasks, which their addition makes also while the service is suspended. */
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

/** Orders of before the copy end without a webhook: the original sends it. */
async function forgetReceivers(database: Database, since: number): Promise<void> {
  await database.write('forget_receivers', async (trx) => {
    const open = openOrdersOf(trx, since).select('id');
    await trx.run(trx.builder.updateTable('tasks').set({ webhook_url: null }).where('id', 'in', open));
  });
}

/** Drops what followers have not told yet. @returns how much that is */
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
