import { sql } from 'kysely';
import type { Transaction } from '../database/database.ts';
import { prepare } from '../database/prepared.ts';
import { IN_FLIGHT } from '../tasks/in-flight.ts';
import { type Changes, moveWithin } from '../tasks/move-task.ts';
import type { TaskRow } from '../tasks/task.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import { claimableAgain } from './rerouting/park-order.ts';

interface Place {
  queue: string;
  /** This task is not counted: it may be a retry of an unconfirmed write. */
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
 * Writes `submitting` before the engine is called. A task claimed from the queue already has a slot of the engine. A deferred task needs a
 * free one, and also a slot of its key if it gave that up.
 * @returns null if no slot is free
 * @throws LostClaim
 */
export async function claimEngineSlot(
  services: TaskServices,
  task: TaskRow,
  capacity: number,
  changes: Changes,
): Promise<TaskRow | null> {
  const take = async (trx: Transaction) => {
    if (task.step === 'deferred') {
      await trx.lock(`queue:${task.queue}`);
      const busy = (await trx.first(countBusy, { queue: task.queue, id: task.id, capacity }))?.busy ?? 0;
      if (busy >= capacity) return null;
      if (task.claimable === 0) {
        if ((await claimableAgain(trx, task)) === 0) return null;
        return await moveWithin(services, trx, task, 'submitting', { ...changes, claimable: 1 });
      }
    }
    return await moveWithin(services, trx, task, 'submitting', changes);
  };
  return await services.database.write('submitting', take, { together: true });
}
