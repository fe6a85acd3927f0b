import type { Session } from '../../database/database.ts';
import { prepare } from '../../database/prepared.ts';

const selectWishes = prepare<{ worker: string }, { id: string }>('held_cancel_wishes', (builder, argument) =>
  builder
    .selectFrom('tasks')
    .select('id')
    .where('worker', '=', argument('worker'))
    // As the partial index says it.
    .where('worker', 'is not', null)
    .where('cancel_requested_at', 'is not', null),
);

/** The tasks that a process holds and somebody wishes canceled. */
export async function readWishesToCancel(read: Session, worker: string): Promise<string[]> {
  return (await read.all(selectWishes, { worker })).map(({ id }) => id);
}

/** The present fence of each task, by id: another one than at its claim means that the claim was lost. */
export async function readFences(read: Session, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await read.all(read.builder.selectFrom('tasks').select(['id', 'fence']).where('id', 'in', ids));
  return new Map(rows.map(({ id, fence }) => [id, fence]));
}
