import { type EngineHourView, isoTime, timeIdPrefix } from '@darkroom-service/contract';
import type { Kernel, Session } from '@darkroom-service/darkroom/kernel';
import { sql } from 'kysely';

const ID_PREFIXES = ['img', 'vid'];
const HOUR_MS = 3_600_000;
const HOURS = 24;
/** Time for which a report is used, since the console asks often. */
const FRESH_MS = 60_000;

/** Counts the live orders of the last 24 hours, by hour and engine; remembers the result for a minute. */
export function createHourReport(
  session: Session,
  engines: Pick<Kernel['engines'], 'ofQueue'>,
  now: () => number,
): () => Promise<readonly EngineHourView[]> {
  let latest: { readonly at: number; readonly hours: Promise<readonly EngineHourView[]> } | null = null;
  return () => {
    const at = now();
    if (latest === null || at - latest.at >= FRESH_MS || at < latest.at) {
      const hours = readHours(session, engines, at);
      hours.catch(() => {
        latest = null;
      });
      latest = { at, hours };
    }
    return latest.hours;
  };
}

/** Reads them by ranges of ids, which sort by the time of creation. The current hour is the last one. */
async function readHours(
  session: Session,
  engines: Pick<Kernel['engines'], 'ofQueue'>,
  now: number,
): Promise<readonly EngineHourView[]> {
  const since = (Math.floor(now / HOUR_MS) - HOURS + 1) * HOUR_MS;
  const hour = sql<number>`created_at / ${sql.lit(HOUR_MS)}`;
  const endedAs = (status: string) => sql<number>`sum(case when status = ${sql.lit(status)} then 1 else 0 end)`;
  const rows = await session.all(
    session.builder
      .selectFrom('tasks')
      .select((expression) => [
        hour.as('hour'),
        'queue',
        expression.fn.countAll<number>().as('orders'),
        endedAs('succeeded').as('succeeded'),
        endedAs('failed').as('failed'),
        endedAs('canceled').as('canceled'),
        sql<number>`sum(case when status = 'succeeded' then completed_at - coalesce(started_at, created_at) else 0 end)`.as(
          'took',
        ),
      ])
      .where('mode', '=', 'live')
      .where((expression) =>
        expression.or(
          ID_PREFIXES.map((prefix) =>
            expression.and([expression('id', '>=', timeIdPrefix(prefix, since)), expression('id', '<', `${prefix}_~`)]),
          ),
        ),
      )
      .groupBy([hour, 'queue']),
  );
  return rows
    .map(({ hour: begin, queue, took, ...counts }) => {
      const succeeded = Number(counts.succeeded);
      return {
        hour: isoTime(Number(begin) * HOUR_MS),
        engine: engines.ofQueue(queue).engine,
        orders: Number(counts.orders),
        succeeded,
        failed: Number(counts.failed),
        canceled: Number(counts.canceled),
        seconds: succeeded === 0 ? null : Math.round(Number(took) / succeeded / 100) / 10,
      };
    })
    .sort((one, other) => (one.hour + one.engine < other.hour + other.engine ? -1 : 1));
}
