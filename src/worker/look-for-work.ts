import { sql } from 'kysely';
import type { Session } from '../database/database.ts';
import { databaseNow } from '../database/database-now.ts';
import { prepare } from '../database/prepared.ts';
import type { ClaimableQueue } from './claim-tasks.ts';

/** Queues per look. A look is padded to this number, so that one statement is prepared. */
const LOOKED_AT_ONCE = 16;
const PLACES = Array.from({ length: LOOKED_AT_ONCE }, (_, place) => `queue${place}`);

/** For each queue whether a task waits in it, and when the next task is due. */
const look = prepare<Record<string, string>, Record<string, number | boolean | null>>(
  'claim_look',
  (builder, argument) =>
    builder.selectNoFrom((expression) => [
      expression
        .selectFrom('tasks')
        .select(({ fn }) => fn.min<number | null>('next_at').as('at'))
        .where('next_at', 'is not', null)
        .as('due_at'),
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

/** Returns the queues with claimable tasks, and when the next task is due (ms by the database's clock; null = none). */
export async function lookForWork(
  read: Session,
  queues: readonly ClaimableQueue[],
): Promise<{ waiting: ClaimableQueue[]; dueInMs: number | null }> {
  const waiting: ClaimableQueue[] = [];
  let due: number | null = null;
  for (let from = 0; from === 0 || from < queues.length; from += LOOKED_AT_ONCE) {
    const part = queues.slice(from, from + LOOKED_AT_ONCE);
    const names = PLACES.map((place, index) => [place, part[index]?.name ?? '']);
    const found = await read.first(look, Object.fromEntries(names));
    waiting.push(...part.filter((_, index) => Boolean(found?.[`queue${index}`])));
    due = found?.due_at as number | null;
  }
  return { waiting, dueInMs: due === null ? null : due - (await databaseNow(read)) };
}
