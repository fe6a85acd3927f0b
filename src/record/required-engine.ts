import type { Session } from '../database/database.ts';
import { prepare } from '../database/prepared.ts';
import type { TaskRow } from './task.ts';
import { routeOf } from './task-json.ts';

const selectMaker = prepare<{ id: string }, Pick<TaskRow, 'route_json' | 'keep_json'>>(
  'next_route_maker',
  (builder, argument) =>
    builder.selectFrom('tasks').select(['route_json', 'keep_json']).where('id', '=', argument('id')),
);

/**
 * Returns the only engine that can follow up on a task: the one that made it, if it stored its own data with the task.
 * Else null.
 */
export async function requiredEngine(read: Session, parentTaskId: string | null): Promise<string | null> {
  const parent = parentTaskId === null ? undefined : await read.first(selectMaker, { id: parentTaskId });
  if (parent === undefined || parent.keep_json === null) return null;
  return routeOf(parent).engine;
}
