import { sql } from 'kysely';
import type { Transaction } from '../database/database.ts';
import { prepare } from '../database/prepared.ts';
import { IN_FLIGHT } from './claim-tasks.ts';
import type { Desk } from './desk.ts';
import { type Changes, moveWithin } from './move-task.ts';
import type { TaskRow } from './task.ts';

interface Place {
  queue: string;
  /** Whose own step does not count: it may be written again where it is not known whether it was. */
  id: string;
  capacity: number;
}

const countBusy = prepare<Place, { busy: number }>('submit_busy', (builder, argument) =>
  builder
    .selectFrom((from) =>
      from
        .selectFrom('tasks')
        .select('id')
        .where('queue', '=', argument('queue'))
        .where('id', '!=', argument('id'))
        .where(IN_FLIGHT)
        .where('step', '!=', sql.lit('deferred'))
        .limit(sql<number>`${argument('capacity')}`)
        .as('in_flight'),
    )
    .select((expression) => expression.fn.countAll<number>().as('busy')),
);

/**
 * Writes down that the engine is about to be called. A task that was claimed from the queue has its place there; one that was deferred, here
 * or at another engine, needs one that is free.
 * @returns null where none is. @throws LostClaim
 */
export async function takePlace(
  desk: Desk,
  task: TaskRow,
  capacity: number,
  changes: Changes,
): Promise<TaskRow | null> {
  const take = async (trx: Transaction) => {
    if (task.step === 'deferred') {
      await trx.lock(`queue:${task.queue}`);
      const busy = (await trx.first(countBusy, { queue: task.queue, id: task.id, capacity }))?.busy ?? 0;
      if (busy >= capacity) return null;
    }
    return await moveWithin(desk, trx, task, 'submitting', changes);
  };
  return await desk.database.write('submitting', take, { together: true });
}
