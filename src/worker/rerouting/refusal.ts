import type { TaskRow } from '../../tasks/task.ts';
import { routeOf } from '../../tasks/task-json.ts';

/** Returns since when an order has been refused or blocked at its route, in ms; null if it was not. */
export function refusedSince(task: Pick<TaskRow, 'route_json'>): number | null {
  return routeOf(task).refused_at ?? null;
}
