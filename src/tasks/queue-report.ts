import { isoTime } from '../base/clock.ts';
import { timeIdPrefix } from '../base/ids.ts';
import type { Session } from '../database/database.ts';
import type { TaskRow } from './task.ts';

/** `simulated`: test orders that only pretend, and so take no painter's time. */
export type QueueMode = 'live' | 'test' | 'simulated';

/** One fair queue: an engine's orders of one mode, as they stand now. */
export interface QueueView {
  readonly engine: string;
  readonly mode: QueueMode;
  readonly waiting: number;
  readonly in_flight: number;
  /** When the order was placed that has waited longest. */
  readonly oldest_waiting_at: string | null;
  /** How the orders placed within the last hour ended so far. */
  readonly last_hour: { readonly succeeded: number; readonly failed: number; readonly canceled: number };
}

const HOUR_MS = 3_600_000;
const ID_PREFIXES = ['img', 'vid'];

/** Depth, age and recent ends of every queue that has any, by name. */
export async function reportQueues(session: Session, now: number): Promise<QueueView[]> {
  const open = await session.all(
    session.builder
      .selectFrom('tasks')
      .select((expression) => [
        'queue',
        'step',
        expression.fn.countAll<number>().as('tasks'),
        expression.fn.min<number>('created_at').as('oldest'),
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
        // Ids sort by time of creation, so that history before the hour costs nothing.
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
  const names = [...new Set([...open, ...ended].map((row) => row.queue))].sort();
  return names.map((queue) => {
    const own = open.filter((row) => row.queue === queue);
    const isWaiting = (row: { readonly step: TaskRow['step'] }) => row.step === 'waiting';
    const waiting = own.filter(isWaiting);
    const endedAs = (status: TaskRow['status']) =>
      sum(ended.filter((row) => row.queue === queue && row.status === status));
    const { engine, mode } = partsOf(queue);
    return {
      engine,
      mode,
      waiting: sum(waiting),
      in_flight: sum(own.filter((row) => !isWaiting(row))),
      oldest_waiting_at: waiting.length === 0 ? null : isoTime(Math.min(...waiting.map((row) => Number(row.oldest)))),
      last_hour: { succeeded: endedAs('succeeded'), failed: endedAs('failed'), canceled: endedAs('canceled') },
    };
  });
}

function sum(rows: readonly { readonly tasks: number }[]): number {
  return rows.reduce((total, row) => total + Number(row.tasks), 0);
}

export function engineOfQueue(queue: string): string {
  return partsOf(queue).engine;
}

/** A queue is named after its engine and mode. */
function partsOf(queue: string): { readonly engine: string; readonly mode: QueueMode } {
  const cut = queue.lastIndexOf(':');
  return { engine: queue.slice(0, cut), mode: queue.slice(cut + 1) as QueueMode };
}
