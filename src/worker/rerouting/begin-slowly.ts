import { HEARTBEAT_TEMPO } from '@darkroom-service/store';
import { sql } from 'kysely';
import { isClosedIn } from '../../queue/gates.ts';
import { liveQueueOf, partsOf } from '../../queue/queue-names.ts';
import type { WorkerServices } from '../worker-services.ts';

type Waiting = Pick<WorkerServices, 'valves' | 'engines' | 'worker'> & {
  readonly services: Pick<WorkerServices['services'], 'database' | 'log'>;
};

/**
 * Makes orders begin slowly at each engine for which several wait.
 * @param reason the reason why they waited, for operators
 */
export async function beginSlowly({ valves, engines, services }: Waiting, reason: string): Promise<void> {
  const { read } = services.database;
  const rows = await read.all(
    read.builder
      .selectFrom('tasks')
      .select('queue')
      .where(
        'queue',
        'in',
        [...engines.values()].map(({ name }) => liveQueueOf(name)),
      )
      .where('step', 'in', ['waiting', 'preparing', 'deferred'])
      // The index of open orders has this condition.
      .where('step', '<>', sql.lit('final'))
      .where(({ not }) => not(isClosedIn('parent')))
      .groupBy('queue')
      .having(sql<boolean>`count(*) > 1`),
  );
  for (const { queue } of rows) {
    const { engine } = partsOf(queue);
    await valves.beginSlowly(engine, reason);
    if (valves.beginning(engine) !== null) services.log.info({ engine, reason }, 'waiting orders begin slowly');
  }
}

/** Makes orders begin slowly if no other worker runs: they wait for the first worker that returns. */
export async function beginSlowlyIfAlone(waiting: Waiting): Promise<void> {
  const { read } = waiting.services.database;
  const other = await read.first(
    read.builder
      .selectFrom('processes')
      .select('id')
      .where('role', '!=', 'api')
      .where('id', '!=', waiting.worker)
      .where('ended_at', 'is', null)
      .where('beat_at', '>', sql<number>`${read.now} - ${sql.lit(HEARTBEAT_TEMPO.leaseMs)}`)
      .limit(1),
  );
  if (other === undefined) await beginSlowly(waiting, 'no worker ran');
}
