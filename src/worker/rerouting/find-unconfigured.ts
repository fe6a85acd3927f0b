import { enginesInUse } from '@darkroom-service/engines';
import type { Session } from '../../database/database.ts';
import { engineOfQueue } from '../../queue/queue-names.ts';
import type { WorkerServices } from '../worker-services.ts';

/** Finds the engines that orders wait for and that no worker has any more. */
export async function findUnconfigured({
  services,
  engines,
  processState,
}: Pick<WorkerServices, 'services' | 'engines' | 'processState'>): Promise<string[]> {
  const inUse = new Set(enginesInUse(engines).map(({ name }) => name));
  const found: string[] = [];
  for await (const queue of queuesWithOrders(services.database.read)) {
    const engine = engineOfQueue(queue);
    if (!inUse.has(engine) && !processState.isElsewhere(engine)) found.push(engine);
  }
  return found;
}

/** Yields the queues in which orders wait: one step in the index for each, however many orders it has. */
async function* queuesWithOrders(read: Session): AsyncGenerator<string> {
  for (let after = ''; ; ) {
    const row = await read.first(
      read.builder
        .selectFrom('tasks')
        .select('queue')
        .where('step', '=', 'waiting')
        .where('claimable', '=', 1)
        .where('queue', '>', after)
        .orderBy('queue')
        .limit(1),
    );
    if (row === undefined) return;
    yield row.queue;
    after = row.queue;
  }
}
