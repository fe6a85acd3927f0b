import type { Addition, OpenQuestion, Session } from '../../kernel.ts';
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
  open: (kernel) => ({
    async start() {
      if (kernel.settings.role === 'api') return;
      const { startReleaser } = await import('./releaser.ts');
      const releaser = startReleaser(kernel);
      // Without `abort`: its work is about tasks that have ended.
      kernel.work.serve('children', { wake: () => releaser.wake() });
    },
  }),
};

/** Finds orders that wait, and batches that may have such orders. */
async function findWaiting(session: Session, { findUnplaced }: OpenQuestion): Promise<string | null> {
  const { builder } = session;
  const waiting = await session.first(builder.selectFrom('task_waits').select('child_id as id').limit(1));
  const found = waiting?.id ?? (await findUnplaced());
  return found === null ? null : `'${found}' may wait for other orders.`;
}
