import type { Session } from '../../database/database.ts';
import { prepare } from '../../database/prepared.ts';

const selectWishes = prepare<{ worker: string }, { id: string }>('held_cancel_wishes', (builder, argument) =>
  builder
    .selectFrom('tasks')
    .select('id')
    .where('worker', '=', argument('worker'))
    // Must equal the partial index's predicate.
    .where('worker', 'is not', null)
    .where('cancel_requested_at', 'is not', null),
);

/** Returns the tasks of a process with a requested cancel. */
export async function readWishesToCancel(read: Session, worker: string): Promise<string[]> {
  return (await read.all(selectWishes, { worker })).map(({ id }) => id);
}

/** Returns the current fence of each task by id. If it differs from that of the claim, the claim is lost. */
export async function readFences(read: Session, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await read.all(read.builder.selectFrom('tasks').select(['id', 'fence']).where('id', 'in', ids));
  return new Map(rows.map(({ id, fence }) => [id, fence]));
}
