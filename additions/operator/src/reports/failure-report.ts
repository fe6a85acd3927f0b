import { modesOf, searchOf } from '@darkroom-service/addition-common/orders/order-subject';
import { type FailureView, isoTime, type ModeFilter, timeIdPrefix } from '@darkroom-service/contract';
import type { Session } from '@darkroom-service/darkroom/kernel';
import { engineOf, failureOf } from '@darkroom-service/darkroom/kernel-views';
import { sql } from 'kysely';

const ID_PREFIXES = ['img', 'vid'];
const SPAN_MS = 24 * 3_600_000;
/** Number of newest failed orders of each type that are searched. */
const WALK_LIMIT = 20_000;
/** Literal, as in the index of failed orders. */
const FAILED = sql.lit<'failed'>('failed');

/** Range and result of a search. */
interface FailureReport {
  readonly items: FailureView[];
  /** Time since which placed orders were searched. */
  readonly since: string;
  /** Whether there are more failures in this range, or older orders that were not searched. */
  readonly truncated: boolean;
}

interface FailureQuery {
  readonly now: number;
  readonly limit: number;
  readonly mode: ModeFilter;
  /** Text of the search, as in the list of open orders; null or absent = all. */
  readonly search?: string | null;
}

/** Lists failed orders of all keys placed within the last day, latest end first. */
export async function reportFailures(session: Session, query: FailureQuery): Promise<FailureReport> {
  const { failures, ...window } = await readFailures(session, query);
  return {
    items: failures.slice(0, query.limit),
    since: window.since,
    truncated: failures.length > query.limit || window.isCut,
  };
}

/** Reads the latest failures: one of each type more than the limit, if there are more. */
export async function readFailures(
  session: Session,
  query: FailureQuery,
): Promise<{ readonly failures: FailureView[]; readonly since: string; readonly isCut: boolean }> {
  const dayStart = query.now - SPAN_MS;
  const { search } = query;
  const found = await Promise.all(
    ID_PREFIXES.map((prefix) => {
      const newest = session.builder
        .selectFrom('tasks')
        .select(['id', 'model_id', 'queue', 'price', 'route_json', 'mode', 'account_id', 'api_key_id', 'error_json'])
        .select(['created_at', 'completed_at'])
        .where('id', '>=', timeIdPrefix(prefix, dayStart))
        .where('id', '<', `${prefix}_~`)
        .where('status', '=', FAILED)
        .orderBy('id', 'desc')
        .limit(WALK_LIMIT);
      return session.all(
        session.builder
          .selectFrom(newest.as('newest'))
          .innerJoin('accounts', 'accounts.id', 'newest.account_id')
          .innerJoin('api_keys', 'api_keys.id', 'newest.api_key_id')
          .selectAll('newest')
          .select(['accounts.name as account_name', 'api_keys.name as key_name'])
          .where(
            search == null
              ? sql<boolean>`1 = 1`
              : searchOf('newest', search, { texts: ['newest.queue', 'newest.error_json'], prompts: false }),
          )
          .where('newest.mode', 'in', [...modesOf(query.mode)])
          .orderBy('completed_at', 'desc')
          .limit(query.limit + 1),
      );
    }),
  );
  const oldest = await oldestLookedThrough(session, dayStart);
  const failures = found
    .flat()
    .sort((a, b) => (b.completed_at ?? 0) - (a.completed_at ?? 0))
    .map((row): FailureView => {
      const failure = failureOf(row);
      if (failure === null) throw new Error(`the failed task ${row.id} has no error`);
      return {
        task_id: row.id,
        model_id: row.model_id,
        engine: engineOf(row),
        mode: row.mode,
        account_id: row.account_id,
        account_name: row.account_name,
        key_id: row.api_key_id,
        key_name: row.key_name,
        code: failure.code,
        message: failure.message,
        created_at: isoTime(row.created_at),
        completed_at: isoTime(row.completed_at),
      };
    });
  return { failures, since: isoTime(Math.max(dayStart, oldest ?? dayStart)), isCut: oldest !== null };
}

/** Returns the time of the oldest searched order, if a day has more failed orders of a type than are searched. */
async function oldestLookedThrough(session: Session, dayStart: number): Promise<number | null> {
  const oldest = await Promise.all(
    ID_PREFIXES.map((prefix) =>
      session.first(
        session.builder
          .selectFrom('tasks')
          .select('created_at')
          .where('id', '>=', timeIdPrefix(prefix, dayStart))
          .where('id', '<', `${prefix}_~`)
          .where('status', '=', FAILED)
          .orderBy('id', 'desc')
          .limit(1)
          .offset(WALK_LIMIT),
      ),
    ),
  );
  const times = oldest.flatMap((row) => (row === undefined ? [] : [row.created_at]));
  return times.length === 0 ? null : Math.max(...times);
}
