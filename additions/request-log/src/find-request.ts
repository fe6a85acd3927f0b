import type { Session } from '@darkroom-service/darkroom/kernel';

/** Form of `X-Request-Id`. */
const REQUEST_ID = /^[\w.:/=+@-]{6,128}$/;
/** Number of latest requests that are searched for an id. */
const MOST_SEARCHED = 20_000;
const MOST_ORDERS = 200;

/** Finds the orders that a request of the last days placed or named. @param text the id of the request */
export async function findRequest(session: Session, text: string): Promise<string[]> {
  if (!REQUEST_ID.test(text)) return [];
  const latest = session.builder
    .selectFrom('request_log')
    .select(['request_id', 'task_id'])
    .orderBy('id', 'desc')
    .limit(MOST_SEARCHED);
  const rows = await session.all(
    session.builder
      .selectFrom(latest.as('latest'))
      .select('task_id')
      .distinct()
      .where('request_id', '=', text)
      .where('task_id', 'is not', null)
      .limit(MOST_ORDERS),
  );
  return rows.flatMap(({ task_id: id }) => (id === null ? [] : [id]));
}
