import { sql } from 'kysely';
import type { Session } from '../database/database.ts';
import { prepareWithClock } from '../database/prepared.ts';
import type { ClaimableQueue } from './claimable-queue.ts';

/** Queues per poll. A poll is padded to this number, so that one statement is prepared. */
const LOOKED_AT_ONCE = 16;
const PLACES = Array.from({ length: LOOKED_AT_ONCE }, (_, place) => `queue${place}`);

/** Selects for each queue whether a task waits in it, and in how many milliseconds the next task is due. */
const selectQueues = prepareWithClock<Record<string, string>, Record<string, number | boolean | null>>(
  'claim_look',
  (builder, now, argument) =>
    builder.selectNoFrom((expression) => [
      expression
        .selectFrom('tasks')
        .select(({ fn }) => sql<number | null>`${fn.min('next_at')} - ${now}`.as('in'))
        .where('next_at', 'is not', null)
        .as('due_in_ms'),
      ...PLACES.map((place) =>
        expression
          .exists(
            expression
              .selectFrom('tasks')
              .select('id')
              .where('queue', '=', argument(place))
              .where('step', '=', sql.lit('waiting'))
              .where('claimable', '=', sql.lit(1)),
          )
          .as(place),
      ),
    ]),
);

/**
 * Returns the queues with claimable tasks, and the time when the next task is due (ms by the database's clock; null =
 * none).
 */
export async function pollQueues(
  read: Session,
  queues: readonly ClaimableQueue[],
): Promise<{ waiting: ClaimableQueue[]; dueInMs: number | null }> {
  const waiting: ClaimableQueue[] = [];
  let dueInMs: number | null = null;
  for (let from = 0; from === 0 || from < queues.length; from += LOOKED_AT_ONCE) {
    const part = queues.slice(from, from + LOOKED_AT_ONCE);
    const names = PLACES.map((place, index) => [place, part[index]?.name ?? '']);
    const found = await read.first(selectQueues(read), Object.fromEntries(names));
    waiting.push(...part.filter((_, index) => Boolean(found?.[`queue${index}`])));
    dueInMs = (found?.due_in_ms ?? null) as number | null;
  }
  return { waiting, dueInMs };
}
