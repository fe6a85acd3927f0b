import { canonicalName, timeIdPrefix } from '@darkroom-service/contract';
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Session } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import type { TaskServices } from '../tasks/task-services.ts';

/** The filters of a list of tasks. */
export interface TaskFilters {
  /** The tasks that follow this one in the list, i.e. older ones. */
  readonly after: string | null;
  readonly modelId: string | null;
  readonly endUser: string | null;
  readonly parentTaskId: string | null;
  readonly batchId: string | null;
  /** The source of the tasks; null = all of the key. */
  readonly source: TaskSource | null;
  /** Earliest time of creation, in milliseconds. */
  readonly createdAfter: number | null;
  readonly createdBefore: number | null;
}

/** A key's tasks of one type between two ids, newest first, in the order of one index. */
export interface TaskRange {
  /** The lower bound: all ids of the range are larger. */
  readonly start: string;
  /** The filters that the index does not cover. */
  readonly fits: RawBuilder<boolean>;
  /** Selects the ids below an id, and not below another one. */
  rows(read: Session, below: string, downTo?: string): TaskRows;
}

export const AFTER_EVERY_ID = '~';

/**
 * Returns the range of tasks that match the filters. An index of one filter gives the order; the others are tried on
 * its rows.
 * @param services know the orders of a group
 * @param statuses any of these; empty = all
 * @param only id of the only task to read
 */
export function rangeOfTasks(
  services: Pick<TaskServices, 'hooks'>,
  keyId: string,
  type: 'image' | 'video',
  statuses: readonly string[],
  filters: TaskFilters,
  only: string | null = null,
): TaskRange {
  const status = statuses.length === 1 ? (statuses[0] ?? null) : null;
  const isOpen = status === 'queued' || status === 'processing';
  // Filters with the fewest orders first.
  const equal: [string, string | null][] = [
    ['status', isOpen ? status : null],
    ['parent_task_id', filters.parentTaskId],
    ['end_user', filters.endUser === null ? null : canonicalName(filters.endUser)],
    ['status', isOpen ? null : status],
    ['model_id', filters.modelId],
  ];
  // The index of statuses excludes the status that most tasks have.
  const isIndexed = (column: string, value: string | null) => column !== 'status' || value !== 'succeeded';
  const grouped = filters.batchId === null ? null : ordersOfGroup(services, filters.batchId);
  const source = filters.source ?? (grouped === null ? null : tasksAmong(grouped));
  const filtered = equal.filter(([, value]) => value !== null);
  // The index of a source covers no other filter.
  const leading = source === null ? filtered.find(([column, value]) => isIndexed(column, value)) : undefined;
  const rest = filtered.filter((one) => one !== leading);
  const prefix = type === 'image' ? 'img' : 'vid';
  const { createdAfter, createdBefore } = filters;
  const starts = [
    filters.after ?? AFTER_EVERY_ID,
    createdBefore === null ? AFTER_EVERY_ID : timeIdPrefix(prefix, createdBefore),
    only === null ? AFTER_EVERY_ID : `${only}${AFTER_EVERY_ID}`,
    // Rows of a source have no type.
    `${prefix}_${AFTER_EVERY_ID}`,
  ];
  const lows = [`${prefix}_`, createdAfter === null ? '' : timeIdPrefix(prefix, createdAfter + 1), only ?? ''];
  const fits = rest.map(([column, value]) => sql<boolean>`${sql.ref(`tasks.${column}`)} = ${value}`);
  if (grouped !== null && filters.source !== null) fits.push(sql<boolean>`tasks.id in (${grouped})`);
  if (statuses.length > 1) fits.push(sql<boolean>`tasks.status in (${sql.join(statuses)})`);
  return {
    start: starts.sort()[0] ?? AFTER_EVERY_ID,
    fits: sql<boolean>`${sql.join([sql`tasks.deleted_at is null`, ...fits], sql` and `)}`,
    rows: (read, below, downTo = '') => {
      const bounds = { keyId, lowest: [...lows, downTo].sort().at(-1) ?? '', below };
      return source === null ? selectRows(read, { ...bounds, type, leading }) : source(read, bounds);
    },
  };
}

/** Selects the ids of a group's orders, each as `task_id`; none if there is no such group. */
export function ordersOfGroup(
  { hooks }: Pick<TaskServices, 'hooks'>,
  groupId: string,
): RawBuilder<{ readonly task_id: string }> {
  const parts = hooks.flatMap((hook) => hook.ordersOfGroup?.(groupId) ?? []);
  return parts.length === 0 ? sql`select '' as task_id where 1 = 0` : sql.join(parts, sql` union all `);
}

/** Selects the tasks of a group. A cross join, because SQLite then reads the group first, which is in order. */
function tasksAmong(grouped: RawBuilder<{ readonly task_id: string }>): TaskSource {
  return ({ builder }, { keyId, lowest, below }) =>
    builder
      .selectFrom(sql<{ task_id: string }>`(${grouped})`.as('grouped'))
      .crossJoin('tasks')
      // Not the other id, which SQLite does not know to be in order.
      .select('grouped.task_id as id')
      .whereRef('tasks.id', '=', 'grouped.task_id')
      .where('tasks.api_key_id', '=', keyId)
      .where('grouped.task_id', '<', below)
      .where('grouped.task_id', '>=', lowest)
      .orderBy('grouped.task_id', 'desc') as unknown as TaskRows;
}

/** Selects ids of tasks of both types, newest first, in the order of one index. */
export type TaskSource = (read: Session, bounds: Bounds) => TaskRows;
/** A select of ids of tasks, to which a list adds its filters. */
export type TaskRows = SelectQueryBuilder<Schema, 'tasks', { readonly id: string }>;

interface Bounds {
  readonly keyId: string;
  readonly lowest: string;
  readonly below: string;
}

interface OwnBounds extends Bounds {
  readonly type: 'image' | 'video';
  readonly leading: readonly [string, string | null] | undefined;
}

function selectRows(read: Session, { keyId, type, leading, lowest, below }: OwnBounds): TaskRows {
  const rows = read.builder
    .selectFrom('tasks')
    .select('id')
    .where('type', '=', type)
    .where('api_key_id', '=', keyId)
    .where('id', '<', below)
    .where('id', '>=', lowest)
    .orderBy('id', 'desc');
  if (leading === undefined) return rows;
  const led = rows.where(sql.ref(leading[0]), '=', leading[1]);
  // Word for word as in the index: SQLite does not conclude it from a value that is bound.
  return leading[0] === 'status' ? led.where(sql<boolean>`status <> 'succeeded'`) : led;
}
