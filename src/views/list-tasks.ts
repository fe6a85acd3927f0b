import { nextTurn, TASK_STATUSES, type TaskView } from '@darkroom-service/contract';
import type { Argument } from '@darkroom-service/store';
import { sql } from 'kysely';
import type { OrderingKey } from '../accounts/api-key.ts';
import type { Session } from '../database/database.ts';
import { prepare } from '../database/prepared.ts';
import { VIEW_COLUMNS, type ViewRow } from '../record/task-columns.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import type { FindServices } from './find-tasks.ts';
import { AFTER_EVERY_ID, rangeOfTasks, type TaskFilters, type TaskRange } from './task-range.ts';
import { viewTasks } from './task-view.ts';

/** The filters of a list of tasks, and its page. */
export interface TaskListQuery extends TaskFilters {
  readonly limit: number;
  readonly offset: number;
  /** Any of these statuses; empty = all. */
  readonly status: readonly string[];
}

/** A page of tasks. */
interface TaskPage {
  readonly items: TaskView[];
  readonly hasMore: boolean;
}

interface PageArguments {
  key: string;
  type: 'image' | 'video';
  before: string;
  limit: number;
}

/**
 * Number of rows that a list with several filters reads at a time; the matches so far are the page, unless there are
 * none.
 */
const WALK_LIMIT = 20_000;

const selectPage = prepare<PageArguments, ViewRow>('list_tasks', (builder, argument) =>
  onePage(builder, argument).select(VIEW_COLUMNS),
);

/** Skips rows by id only: a row's texts are read with it. */
const selectLaterPage = prepare<PageArguments & { offset: number }, ViewRow>('list_tasks_later', (builder, argument) =>
  builder
    .selectFrom('tasks')
    .select(VIEW_COLUMNS)
    .where(
      'id',
      'in',
      onePage(builder, argument)
        .select('id')
        .offset(sql<number>`${argument('offset')}`),
    )
    .orderBy('id', 'desc'),
);

function onePage(builder: Session['builder'], argument: Argument<PageArguments>) {
  return builder
    .selectFrom('tasks')
    .where('api_key_id', '=', argument('key'))
    .where('type', '=', argument('type'))
    .where('id', '<', argument('before'))
    .where('deleted_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(sql<number>`${argument('limit')}`);
}

/** Returns a page of the key's tasks, newest first. */
export async function listTasks(
  services: FindServices,
  key: OrderingKey,
  type: 'image' | 'video',
  query: TaskListQuery,
): Promise<TaskPage> {
  const { rows, hasMore } = isPlain(query)
    ? await plainPage(services, key, type, query)
    : await filteredPage(services, key, type, query);
  return { items: await viewTasks(services, key, services.database.replica.read, rows), hasMore };
}

function isPlain(query: TaskListQuery): boolean {
  const { status, modelId, endUser, parentTaskId, batchId, source, createdAfter, createdBefore } = query;
  return (
    status.length === 0 &&
    modelId === null &&
    endUser === null &&
    parentTaskId === null &&
    batchId === null &&
    source === null &&
    createdAfter === null &&
    createdBefore === null
  );
}

async function plainPage(
  services: Pick<TaskServices, 'database'>,
  key: OrderingKey,
  type: 'image' | 'video',
  query: TaskListQuery,
) {
  const { read } = services.database.replica;
  const { offset } = query;
  const page = { key: key.id, type, before: query.after ?? AFTER_EVERY_ID, limit: query.limit + 1 };
  const rows = await (offset === 0 ? read.all(selectPage, page) : read.all(selectLaterPage, { ...page, offset }));
  return { rows: rows.slice(0, query.limit), hasMore: rows.length > query.limit };
}

/**
 * Finds a page by several filters. An index of one filter gives the order; the others are tried on its rows, WALK_LIMIT
 * of them at a time. Several statuses are several ordered walks, merged down to the position that all of them have
 * reached. A page may be short after a long walk, but it has a row to continue from, or it is the end. Only ids are
 * walked: the rows of the page are read at the end.
 */
async function filteredPage(
  services: Pick<TaskServices, 'database' | 'hooks'>,
  key: OrderingKey,
  type: 'image' | 'video',
  query: TaskListQuery,
): Promise<{ readonly rows: ViewRow[]; readonly hasMore: boolean }> {
  const { read } = services.database.replica;
  const wanted = query.offset + query.limit + 1;
  // In the order of a task's life: a task that moves on between two walks is found twice rather than never.
  const statuses = query.status.length === 0 ? [null] : TASK_STATUSES.filter((status) => query.status.includes(status));
  const walks = statuses.map(
    (status) => new Walk(rangeOfTasks(services, key.id, type, status === null ? [] : [status], query)),
  );
  for (const walk of walks) await walk.goOn(read, wanted);
  let ids = merge(walks);
  for (let open = furthestBehind(walks); ids.length <= query.offset && open !== null; open = furthestBehind(walks)) {
    // Lets other requests run in between.
    await nextTurn();
    await open.goOn(read, wanted);
    ids = merge(walks);
  }
  const page = ids.slice(query.offset, query.offset + query.limit);
  const rows =
    page.length === 0
      ? []
      : await read.all(
          read.builder.selectFrom('tasks').select(VIEW_COLUMNS).where('id', 'in', page).orderBy('id', 'desc'),
        );
  const shown = query.status.length === 0 ? rows : rows.filter((row) => query.status.includes(row.status));
  // All of them have changed their status meanwhile.
  if (shown.length === 0 && page.length > 0) return await filteredPage(services, key, type, query);
  return { rows: shown, hasMore: ids.length >= wanted || furthestBehind(walks) !== null };
}

/** Merges the results of all walks, newest first, down to the id below which a walk may still find more. */
function merge(walks: readonly Walk[]): string[] {
  const reached = furthestBehind(walks)?.reached ?? '';
  const ids = new Set(walks.flatMap((walk) => walk.ids));
  return [...ids]
    .filter((id) => id >= reached)
    .sort()
    .reverse();
}

/** Returns the walk that delays the others; null when all have ended. */
function furthestBehind(walks: readonly Walk[]): Walk | null {
  const open = walks.filter((walk) => !walk.hasEnded).sort((a, b) => (a.reached < b.reached ? 1 : -1));
  return open[0] ?? null;
}

/** A walk through a range of a key's tasks from the newest to the oldest. */
class Walk {
  /** The tasks found so far. */
  readonly ids: string[] = [];
  hasEnded = false;
  /** Lowest id that was reached: all rows from it on have been examined. */
  reached: string;
  readonly #range: TaskRange;

  constructor(range: TaskRange) {
    this.#range = range;
    this.reached = range.start;
  }

  /** Examines the next rows until `wanted` are found in all, WALK_LIMIT rows were examined, or the range ends. */
  async goOn(read: Session, wanted: number): Promise<void> {
    const missing = wanted - this.ids.length;
    let found = await read.all(this.#fitting(read, missing));
    let last = found.at(-1);
    if (found.length < missing) {
      last = await read.first(
        this.#range
          .rows(read, this.reached)
          .limit(1)
          .offset(WALK_LIMIT - 1),
      );
      // Again down to that row, as rows may have left the index between the two reads.
      if (last !== undefined) found = await read.all(this.#fitting(read, missing, last.id));
    }
    this.ids.push(...found.map(({ id }) => id));
    if (last === undefined) this.hasEnded = true;
    else this.reached = last.id;
  }

  #fitting(read: Session, limit: number, downTo = '') {
    const walked = this.#range
      .rows(read, this.reached, downTo)
      .select(sql<0 | 1>`case when ${this.#range.fits} then 1 else 0 end`.as('fits'))
      .limit(WALK_LIMIT);
    return read.builder
      .selectFrom(walked.as('walked'))
      .select('walked.id')
      .where('walked.fits', '=', 1)
      .orderBy('walked.id', 'desc')
      .limit(limit);
  }
}
