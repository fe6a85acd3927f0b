import { sql } from 'kysely';
import { liveQueueOf } from '../../queue/queue-names.ts';
import { NAMES_SEVERAL } from '../../record/order-models.ts';
import type { TaskRow } from '../../record/task.ts';
import { readTask, type TaskRecord } from '../../record/task-record.ts';
import { LostClaim } from '../../tasks/move-task.ts';
import type { TaskServices } from '../../tasks/task-services.ts';
import type { WorkerServices } from '../worker-services.ts';
import { findNextRoute } from './next-route.ts';
import { reroute } from './release.ts';

const PAGE = 200;
const MOST_IN_VAIN = 1_000;

/** The place in a queue up to which a pass over its waiting orders has come. */
export type PlaceInQueue = Pick<TaskRow, 'rank' | 'id'>;

/**
 * Moves orders that wait for a blocked engine to ready routes, in queue order. Orders without another route keep
 * waiting. A call reads at most about 1,000 orders that it does not move, because a queue may have a million of them.
 * @param after the place after which it begins; null = the beginning of the queue
 * @param signal stops it after the current order
 * @returns the place after which the next call goes on; null if this one came to the end of the queue
 */
export async function rerouteWaiting(
  { services }: WorkerServices,
  engine: string,
  reason: string,
  after: PlaceInQueue | null,
  signal: AbortSignal,
): Promise<PlaceInQueue | null> {
  const elsewhere = modelsElsewhere(services, engine);
  // No order has a better route, not even at another model that it names.
  if (elsewhere.size === 0) return null;
  let place = after;
  for (let inVain = 0; inVain < MOST_IN_VAIN; ) {
    const page = await readPage(services, engine, place);
    const movable = page.filter(({ model_id, names_several }) => names_several || elsewhere.has(model_id));
    for (const task of await readWaiting(services, movable)) {
      if (signal.aborted) return null;
      const next = await findNextRoute(services, task, { reason, standings: ['ready'] });
      if (next === null) continue;
      try {
        await reroute(services, task, next);
        inVain--;
      } catch (error) {
        // Another worker has claimed it meanwhile.
        if (!(error instanceof LostClaim)) throw error;
      }
    }
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE || signal.aborted) return null;
    inVain += page.length;
    place = { rank: last.rank, id: last.id };
  }
  return place;
}

/** Returns the ids of models whose best route is at another engine. */
function modelsElsewhere({ catalog, routing }: Pick<TaskServices, 'catalog' | 'routing'>, engine: string): Set<string> {
  const anyOrder = { account: null, multiplier: null };
  const found = catalog().models.filter(
    (model) => (routing.route(model, 'live', anyOrder)?.engine ?? engine) !== engine,
  );
  return new Set(found.map((model) => model.model_id));
}

/** Reads what tells which of the next waiting orders may have another route. */
async function readPage(
  { database: { read } }: Pick<TaskServices, 'database'>,
  engine: string,
  after: PlaceInQueue | null,
) {
  const { rank, id } = after ?? { rank: -1, id: '' };
  const page = await read.all(
    read.builder
      .selectFrom('tasks')
      .select(['rank', 'id', 'model_id'])
      .select(sql<number | boolean>`route_json like ${`%${NAMES_SEVERAL}%`}`.as('names_several'))
      .where('queue', '=', liveQueueOf(engine))
      .where('step', '=', 'waiting')
      .where('claimable', '=', 1)
      // Compared as a row value, so that the index is used.
      .where(sql<boolean>`(rank, id) > (${rank}, ${id})`)
      .orderBy('rank')
      .orderBy('id')
      .limit(PAGE),
  );
  return page.map((one) => ({ ...one, names_several: Boolean(one.names_several) }));
}

/** Reads orders that still wait, in queue order. */
async function readWaiting(
  { database: { read } }: Pick<TaskServices, 'database'>,
  orders: readonly PlaceInQueue[],
): Promise<TaskRecord[]> {
  if (orders.length === 0) return [];
  const rows = await read.all(
    read.builder
      .selectFrom('tasks')
      .selectAll()
      .where(
        'id',
        'in',
        orders.map(({ id }) => id),
      )
      .where('step', '=', 'waiting')
      .where('claimable', '=', 1)
      .orderBy('rank')
      .orderBy('id'),
  );
  return rows.map(readTask);
}
