import type { Database } from '@darkroom-service/darkroom/kernel';
import { liveQueueOf, routeOf } from '@darkroom-service/darkroom/kernel-views';

/** Maximum number of orders read: a machine has few of them, and their routes are read one by one. */
const MOST_ORDERS = 10_000;

/** Counts the live orders of one upstream model that have not ended; at most 10,000 orders of the engine are read. */
export async function countOpenOrders(
  read: Database['read'],
  { engine, model }: { readonly engine: string; readonly model: string },
): Promise<number> {
  const rows = await read.all(
    read.builder
      .selectFrom('tasks')
      .select('route_json')
      .where('queue', '=', liveQueueOf(engine))
      .where('status', 'in', ['queued', 'processing'])
      .limit(MOST_ORDERS),
  );
  return rows.filter((row) => routeOf(row).model === model).length;
}
