import { sql } from 'kysely';
import { liveQueueOf } from '../../queue/queue-names.ts';
import { NAMES_SEVERAL } from '../../record/order-models.ts';
import type { TaskRow } from '../../record/task.ts';
import { readTask } from '../../record/task-record.ts';
import { LostClaim } from '../../tasks/move-task.ts';
import type { WorkerServices } from '../worker-services.ts';
import { findNextRoute } from './next-route.ts';
import { reroute } from './release.ts';

const BATCH = 100;

/**
 * Moves orders that wait for a blocked engine to ready routes, in queue order. Orders without another route keep
 * waiting.
 * @param signal stops it after the current order
 * @returns the number of moved orders
 */
export async function rerouteWaiting(
  { services }: WorkerServices,
  engine: string,
  reason: string,
  signal: AbortSignal,
): Promise<number> {
  const { read } = services.database;
  // Skips orders without a better route, which may be many.
  const anyOrder = { account: null, multiplier: null };
  const models = services
    .catalog()
    .models.filter((model) => (services.routing.route(model, 'live', anyOrder)?.engine ?? engine) !== engine)
    .map((model) => model.model_id);
  let moved = 0;
  let after: Pick<TaskRow, 'rank' | 'id'> = { rank: -1, id: '' };
  for (;;) {
    const { rank, id } = after;
    const batch = await read.all(
      read.builder
        .selectFrom('tasks')
        .selectAll()
        .where('queue', '=', liveQueueOf(engine))
        .where('step', '=', 'waiting')
        .where('claimable', '=', 1)
        // Compared as a row value, so that the index is used.
        .where(sql<boolean>`(rank, id) > (${rank}, ${id})`)
        .where(({ or, eb }) =>
          or([
            ...(models.length === 0 ? [] : [eb('model_id', 'in', models)]),
            eb('route_json', 'like', `%${NAMES_SEVERAL}%`),
          ]),
        )
        .orderBy('rank')
        .orderBy('id')
        .limit(BATCH),
    );
    for (const task of batch.map(readTask)) {
      if (signal.aborted) return moved;
      const next = await findNextRoute(services, task, { reason, standings: ['ready'] });
      if (next === null) continue;
      try {
        await reroute(services, task, next);
        moved++;
      } catch (error) {
        // Another worker has claimed it meanwhile.
        if (!(error instanceof LostClaim)) throw error;
      }
    }
    const last = batch.at(-1);
    if (last === undefined || batch.length < BATCH) return moved;
    after = last;
  }
}
