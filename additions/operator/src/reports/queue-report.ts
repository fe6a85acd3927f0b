import { isoTime, type ModeFilter, type QueueView, timeIdPrefix } from '@darkroom-service/contract';
import type { Kernel, TaskRow } from '@darkroom-service/darkroom/kernel';

const HOUR_MS = 3_600_000;
const ID_PREFIXES = ['img', 'vid'];

/** Reports depth, age and recent ends of every non-empty queue, by name. */
export async function reportQueues(
  { checks, clock, engines, store }: Pick<Kernel, 'checks' | 'clock' | 'engines' | 'store'>,
  filter: ModeFilter,
): Promise<QueueView[]> {
  const now = clock.now();
  const session = store.read;
  const open = await session.all(
    session.builder
      .selectFrom('tasks')
      .select((expression) => [
        'queue',
        'step',
        expression.fn.countAll<number>().as('tasks'),
        expression.fn.min<number>('created_at').as('created'),
        expression.fn.min<number>('deadline_at').as('deadline'),
      ])
      .where('next_at', 'is not', null)
      .where('step', '!=', 'final')
      .groupBy(['queue', 'step']),
  );
  const ended = await session.all(
    session.builder
      .selectFrom('tasks')
      .select((expression) => ['queue', 'status', expression.fn.countAll<number>().as('tasks')])
      .where('step', '=', 'final')
      .where((expression) =>
        // Ids sort by creation time, so older tasks are skipped.
        expression.or(
          ID_PREFIXES.map((prefix) =>
            expression.and([
              expression('id', '>=', timeIdPrefix(prefix, now - HOUR_MS)),
              expression('id', '<', `${prefix}_~`),
            ]),
          ),
        ),
      )
      .groupBy(['queue', 'status']),
  );
  const names = [...new Set([...open, ...ended].map((row) => row.queue))]
    .filter((name) => isOf(engines.ofQueue(name).mode, filter))
    .sort();
  return names.map((queue) => {
    const own = open.filter((row) => row.queue === queue);
    const isWaiting = (row: { readonly step: TaskRow['step'] }) => row.step === 'waiting';
    const waiting = own.filter(isWaiting);
    const endedAs = (status: TaskRow['status']) =>
      sum(ended.filter((row) => row.queue === queue && row.status === status));
    const { engine, mode } = engines.ofQueue(queue);
    // The deadline begins when a task enters the queue.
    const enteredAt = (row: (typeof open)[number]) =>
      Math.max(Number(row.created), Number(row.deadline) - checks.deadlineMs(engine));
    return {
      engine,
      mode,
      waiting: sum(waiting),
      in_flight: sum(own.filter((row) => !isWaiting(row))),
      oldest_waiting_at: waiting.length === 0 ? null : isoTime(Math.min(...waiting.map(enteredAt))),
      last_hour: { succeeded: endedAs('succeeded'), failed: endedAs('failed'), canceled: endedAs('canceled') },
    };
  });
}

/**
 * Tells whether a queue has orders of a mode. Test orders have two queues: one for painting and one for simulations
 * only.
 */
function isOf(mode: string, filter: ModeFilter): boolean {
  return filter === 'all' || (mode === 'live') === (filter === 'live');
}

function sum(rows: readonly { readonly tasks: number }[]): number {
  return rows.reduce((total, row) => total + Number(row.tasks), 0);
}
