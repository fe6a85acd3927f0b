import { type RawBuilder, sql } from 'kysely';
import { timeIdPrefix } from '../base/ids.ts';
import type { Session } from '../database/database.ts';

/** What narrows a list of tasks. */
export interface TaskFilters {
  /** The tasks that follow this one in the list, i.e. older ones. */
  readonly after: string | null;
  readonly modelId: string | null;
  readonly endUser: string | null;
  readonly parentTaskId: string | null;
  readonly batchId: string | null;
  /** Milliseconds. */
  readonly createdAfter: number | null;
  readonly createdBefore: number | null;
}

/** A key's tasks of one type between two ids, newest first, in the order of one index. */
export interface TaskRange {
  /** All its ids are smaller. */
  readonly start: string;
  /** The filters that the index does not cover. */
  readonly fits: RawBuilder<boolean>;
  /** Selects the rows below an id. */
  rows(read: Session, below: string): ReturnType<typeof selectRows>;
}

export const AFTER_EVERY_ID = '~';

/**
 * One filter has an index that gives the order; the others are tried on its rows.
 * @param statuses any of these; empty = all
 * @param only the one task to look at, by its id
 */
export function rangeOfTasks(
  keyId: string,
  type: 'image' | 'video',
  statuses: readonly string[],
  filters: TaskFilters,
  only: string | null = null,
): TaskRange {
  const equal: [string, string | null][] = [
    ['batch_id', filters.batchId],
    ['parent_task_id', filters.parentTaskId],
    ['end_user', filters.endUser],
    ['model_id', filters.modelId],
    ['status', statuses.length === 1 ? (statuses[0] ?? null) : null],
  ];
  const [leading, ...rest] = equal.filter(([, value]) => value !== null);
  const prefix = type === 'image' ? 'img' : 'vid';
  const { createdAfter, createdBefore } = filters;
  const starts = [
    filters.after ?? AFTER_EVERY_ID,
    createdBefore === null ? AFTER_EVERY_ID : timeIdPrefix(prefix, createdBefore),
    only === null ? AFTER_EVERY_ID : `${only}${AFTER_EVERY_ID}`,
  ];
  const lowest = [createdAfter === null ? '' : timeIdPrefix(prefix, createdAfter + 1), only ?? ''].sort().at(-1) ?? '';
  const fits = rest.map(([column, value]) => sql<boolean>`${sql.ref(column)} = ${value}`);
  if (statuses.length > 1) fits.push(sql<boolean>`status in (${sql.join(statuses)})`);
  return {
    start: starts.sort()[0] ?? AFTER_EVERY_ID,
    fits: sql<boolean>`${sql.join([sql`deleted_at is null`, ...fits], sql` and `)}`,
    rows: (read, below) => selectRows(read, { keyId, type, leading, lowest, below }),
  };
}

interface Bounds {
  readonly keyId: string;
  readonly type: 'image' | 'video';
  readonly leading: readonly [string, string | null] | undefined;
  readonly lowest: string;
  readonly below: string;
}

function selectRows(read: Session, { keyId, type, leading, lowest, below }: Bounds) {
  const rows = read.builder
    .selectFrom('tasks')
    .where('type', '=', type)
    .where('api_key_id', '=', keyId)
    .where('id', '<', below)
    .orderBy('id', 'desc');
  const bounded = lowest === '' ? rows : rows.where('id', '>=', lowest);
  return leading === undefined ? bounded : bounded.where(sql.ref(leading[0]), '=', leading[1]);
}
