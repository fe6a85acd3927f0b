import { isoTime } from '../base/clock.ts';
import { timeIdPrefix } from '../base/ids.ts';
import type { Session } from '../database/database.ts';
import type { TaskFailure } from '../engines/engine.ts';
import { engineOf } from './task-view.ts';

/** An order that failed lately, with the reason as the engine gave it. */
export interface FailureView {
  readonly task_id: string;
  readonly model_id: string;
  readonly engine: string;
  readonly mode: 'live' | 'test';
  readonly account_id: string;
  readonly key_id: string;
  readonly code: TaskFailure['code'];
  readonly message: string;
  readonly created_at: string;
  readonly completed_at: string | null;
}

const ID_PREFIXES = ['img', 'vid'];
const SPAN_MS = 24 * 3_600_000;
/** How many of the newest orders of each type are looked through. */
const WALK_LIMIT = 20_000;

/** Failed orders of every key that were placed within the last day, the latest end first. */
export async function reportFailures(
  session: Session,
  query: { readonly now: number; readonly limit: number },
): Promise<FailureView[]> {
  const found = await Promise.all(
    ID_PREFIXES.map((prefix) => {
      const newest = session.builder
        .selectFrom('tasks')
        .select(['id', 'model_id', 'route_json', 'mode', 'account_id', 'api_key_id', 'error_json'])
        .select(['status', 'created_at', 'completed_at'])
        .where('id', '>=', timeIdPrefix(prefix, query.now - SPAN_MS))
        .where('id', '<', `${prefix}_~`)
        .orderBy('id', 'desc')
        .limit(WALK_LIMIT);
      return session.all(
        session.builder
          .selectFrom(newest.as('newest'))
          .selectAll()
          .where('status', '=', 'failed')
          .orderBy('completed_at', 'desc')
          .limit(query.limit),
      );
    }),
  );
  return found
    .flat()
    .sort((a, b) => (b.completed_at ?? 0) - (a.completed_at ?? 0))
    .slice(0, query.limit)
    .map((row) => {
      const { code, message } = JSON.parse(row.error_json ?? '{}') as TaskFailure;
      return {
        task_id: row.id,
        model_id: row.model_id,
        engine: engineOf(row),
        mode: row.mode,
        account_id: row.account_id,
        key_id: row.api_key_id,
        code,
        message,
        created_at: isoTime(row.created_at),
        completed_at: isoTime(row.completed_at),
      };
    });
}
