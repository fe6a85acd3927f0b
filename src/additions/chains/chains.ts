import type { Addition, Session } from '../../kernel.ts';
import { CHAIN_TABLES } from './chain-tables.ts';
import { CHAIN_HOOKS, CHILDREN, PARENT_GATE } from './waits.ts';

/** Lets orders use tasks that have not ended: they are placed at once and wait for these behind a gate. */
export const CHAINS: Addition = {
  name: 'chains',
  tables: CHAIN_TABLES,
  hooks: CHAIN_HOOKS,
  follower: CHILDREN,
  parentGate: PARENT_GATE,
  findOpenWork: findWaiting,
  async start({ config, services, queues }, closers) {
    if (config.role === 'api') return;
    const { startReleaser } = await import('./releaser.ts');
    const releaser = startReleaser(services);
    // Without `abort`: its work is about tasks that have ended.
    queues.set('children', { wake: () => releaser.wake() });
    closers.defer(() => releaser.stop());
  },
};

/** Orders that wait, and batches that may have such orders. */
async function findWaiting(session: Session): Promise<string | null> {
  const { builder } = session;
  const found =
    (await session.first(builder.selectFrom('task_waits').select('child_id as id').limit(1))) ??
    (await session.first(builder.selectFrom('batch_portions').select('batch_id as id').limit(1)));
  return found === undefined ? null : `'${found.id}' may wait for other orders.`;
}
