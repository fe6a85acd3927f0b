import { type SelectQueryBuilder, sql } from 'kysely';
import type { OrderingKey } from '../accounts/api-key.ts';
import { timeIdPrefix } from '../base/ids.ts';
import { prepare } from '../database/prepared.ts';
import type { Schema } from '../database/schema.ts';
import type { Desk } from './desk.ts';
import { TASK_STATUSES } from './task.ts';
import { type TaskView, VIEW_COLUMNS, type ViewRow, viewTask } from './task-view.ts';

export interface TaskListQuery {
  readonly limit: number;
  readonly offset: number;
  /** The tasks that follow this one in the list, i.e. older ones. */
  readonly after: string | null;
  /** Any of these; empty = all. */
  readonly status: readonly string[];
  readonly modelId: string | null;
  readonly endUser: string | null;
  readonly parentTaskId: string | null;
  /** Milliseconds. */
  readonly createdAfter: number | null;
  readonly createdBefore: number | null;
}

interface PageArguments {
  key: string;
  type: 'image' | 'video';
  before: string;
  limit: number;
  offset: number;
}

/** How many rows a list with several filters may walk; what it found by then is the page. */
const WALK_LIMIT = 20_000;
const AFTER_EVERY_ID = '~';

const selectPage = prepare<PageArguments, ViewRow>('list_tasks', (builder, argument) =>
  builder
    .selectFrom('tasks')
    .select(VIEW_COLUMNS)
    .where('api_key_id', '=', argument('key'))
    .where('type', '=', argument('type'))
    .where('id', '<', argument('before'))
    .where('deleted_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(sql<number>`${argument('limit')}`)
    .offset(sql<number>`${argument('offset')}`),
);

/** A page of the key's tasks, newest first. */
export async function listTasks(
  desk: Desk,
  key: OrderingKey,
  type: 'image' | 'video',
  query: TaskListQuery,
): Promise<{ readonly items: TaskView[]; readonly hasMore: boolean }> {
  const { rows, hasMore } = isPlain(query)
    ? await plainPage(desk, key, type, query)
    : await filteredPage(desk, key, type, query);
  return { items: rows.map((row) => viewTask(desk, key, row, null)), hasMore };
}

function isPlain(query: TaskListQuery): boolean {
  const { status, modelId, endUser, parentTaskId, createdAfter, createdBefore } = query;
  return (
    status.length === 0 &&
    modelId === null &&
    endUser === null &&
    parentTaskId === null &&
    createdAfter === null &&
    createdBefore === null
  );
}

async function plainPage(desk: Desk, key: OrderingKey, type: 'image' | 'video', query: TaskListQuery) {
  const rows = await desk.database.read.all(selectPage, {
    key: key.id,
    type,
    before: query.after ?? AFTER_EVERY_ID,
    limit: query.limit + 1,
    offset: query.offset,
  });
  return { rows: rows.slice(0, query.limit), hasMore: rows.length > query.limit };
}

/**
 * One filter has an index that gives the order; the others are tried on at most WALK_LIMIT of its rows. Several statuses are several
 * ordered walks, merged. Only ids are walked: the rows of the page are read at the end.
 */
async function filteredPage(desk: Desk, key: OrderingKey, type: 'image' | 'video', query: TaskListQuery) {
  const { read } = desk.database;
  const wanted = query.offset + query.limit + 1;
  // In the order of a task's life: one that moves on between two walks is met twice rather than never.
  const walks = query.status.length === 0 ? [null] : TASK_STATUSES.filter((status) => query.status.includes(status));
  const ids: string[] = [];
  let cutOff = false;
  for (const status of walks) {
    const walked = walk(read.builder.selectFrom('tasks'), key.id, type, status, query);
    const fitting = await read.all(
      read.builder
        .selectFrom(walked.as('walked'))
        .select('walked.id')
        .where('walked.fits', '=', 1)
        .orderBy('walked.id', 'desc')
        .limit(wanted),
    );
    ids.push(...fitting.map((row) => row.id));
    if (fitting.length < wanted) {
      const count = await read.first(
        read.builder
          .selectFrom(walked.as('walked'))
          .select((expression) => expression.fn.countAll<number>().as('rows')),
      );
      cutOff ||= count?.rows === WALK_LIMIT;
    }
  }
  const sorted = [...new Set(ids)].sort().reverse();
  const page = sorted.slice(query.offset, query.offset + query.limit);
  const rows =
    page.length === 0
      ? []
      : await read.all(
          read.builder.selectFrom('tasks').select(VIEW_COLUMNS).where('id', 'in', page).orderBy('id', 'desc'),
        );
  const shown = query.status.length === 0 ? rows : rows.filter((row) => query.status.includes(row.status));
  return { rows: shown, hasMore: sorted.length >= wanted || cutOff };
}

type TasksQuery = SelectQueryBuilder<Schema, 'tasks', object>;

function walk(tasks: TasksQuery, keyId: string, type: 'image' | 'video', status: string | null, query: TaskListQuery) {
  let ordered = tasks.where('type', '=', type).where('api_key_id', '=', keyId);
  const filters: ReturnType<typeof sql<boolean>>[] = [sql<boolean>`deleted_at is null`];
  const others: [string, string | null][] = [
    ['end_user', query.endUser],
    ['model_id', query.modelId],
    ['status', status],
  ];
  if (query.parentTaskId !== null) {
    ordered = ordered.where('parent_task_id', '=', query.parentTaskId);
    for (const [column, value] of others) if (value !== null) filters.push(sql<boolean>`${sql.ref(column)} = ${value}`);
  } else {
    const [leading, ...rest] = others.filter(([, value]) => value !== null);
    if (leading !== undefined) ordered = ordered.where(sql.ref(leading[0]), '=', leading[1]);
    for (const [column, value] of rest) filters.push(sql<boolean>`${sql.ref(column)} = ${value}`);
  }
  if (query.after !== null) ordered = ordered.where('id', '<', query.after);
  const prefix = type === 'image' ? 'img' : 'vid';
  if (query.createdBefore !== null) ordered = ordered.where('id', '<', timeIdPrefix(prefix, query.createdBefore));
  if (query.createdAfter !== null) ordered = ordered.where('id', '>=', timeIdPrefix(prefix, query.createdAfter + 1));
  const fits = sql<0 | 1>`case when ${sql.join(filters, sql` and `)} then 1 else 0 end`;
  return ordered
    .select(['id', fits.as('fits')])
    .orderBy('id', 'desc')
    .limit(WALK_LIMIT);
}
