import type { TaskRow } from '../../tasks/task.ts';
import { routeOf } from '../../tasks/task-json.ts';

/** Since when an order has been refused or held at its route, in ms; null = it was not. */
export function refusedSince(task: Pick<TaskRow, 'route_json'>): number | null {
  return routeOf(task).refused_at ?? null;
}
