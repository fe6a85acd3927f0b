import { sql } from 'kysely';
import type { OrderingKey } from '../accounts/api-key.ts';
import type { Session } from '../database/database.ts';
import { VIEW_COLUMNS } from '../tasks/task-columns.ts';
import { inputOf } from '../tasks/task-json.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import type { TaskView } from '../wire/task.ts';
import type { TaskListQuery } from './list-tasks.ts';
import { rangeOfTasks, type TaskRange } from './task-range.ts';
import { viewTask } from './task-view.ts';

/** The words that a task must all contain, and the id if it is one. */
export interface TaskSearch {
  readonly words: readonly string[];
  readonly taskId: string | null;
}

/** How many tasks, and how many characters of their inputs, one search examines. */
const MOST_ROWS = 5_000;
const MOST_CHARACTERS = 4_000_000;
/** Small, because an input can have tens of thousands of characters. */
const ROWS_AT_A_TIME = 100;

/** Reads the text of a search. Without words it finds nothing. */
export function readSearch(text: string): TaskSearch {
  const words = [...new Set(fold(text).split(/\s+/u).filter(Boolean))];
  const [first = ''] = words;
  return { words, taskId: words.length === 1 && /^(img|vid)_[0-9a-z]{26}$/.test(first) ? first : null };
}

/**
 * A page of the key's tasks that contain all words, newest first. It examines a limited number of tasks.
 * @returns `nextAfter`: the id after which the search continues; null if it has come to the end
 * @throws ServiceError `rate_limited` if too many searches of the key wait for their turn
 */
export async function searchTasks(
  services: TaskServices,
  key: OrderingKey,
  type: 'image' | 'video',
  query: TaskListQuery & { readonly search: TaskSearch },
): Promise<{ readonly items: TaskView[]; readonly nextAfter: string | null }> {
  const { search, status, limit } = query;
  const share = await services.budgets.acquireInTurn(key, 'reports', 1);
  try {
    const range = rangeOfTasks(key.id, type, status, query, search.taskId);
    const words = search.taskId === null ? search.words : [];
    const { ids, nextAfter } = await findIds(services.database.replica.reports, range, words, limit);
    const { read } = services.database.replica;
    const rows =
      ids.length === 0
        ? []
        : await read.all(
            read.builder.selectFrom('tasks').select(VIEW_COLUMNS).where('id', 'in', ids).orderBy('id', 'desc'),
          );
    // A task may have been deleted or have moved on since.
    const shown = rows.filter((row) => row.deleted_at === null && (status.length === 0 || status.includes(row.status)));
    return { items: shown.map((row) => viewTask(services, key, row, null)), nextAfter };
  } finally {
    share.release();
  }
}

async function findIds(
  reports: Session,
  range: TaskRange,
  words: readonly string[],
  wanted: number,
): Promise<{ readonly ids: string[]; readonly nextAfter: string | null }> {
  const ids: string[] = [];
  let reached = range.start;
  let characters = 0;
  for (let examined = 0; examined < MOST_ROWS && characters < MOST_CHARACTERS; ) {
    const rows = await reports.all(
      range
        .rows(reports, reached)
        .select(['model_id', sql<string | null>`case when ${range.fits} then input_json end`.as('input_json')])
        .limit(ROWS_AT_A_TIME),
    );
    for (const [place, row] of rows.entries()) {
      reached = row.id;
      characters += row.input_json?.length ?? 0;
      if (row.input_json === null || !contains(row.model_id, row.input_json, words)) continue;
      ids.push(row.id);
      const isLast = rows.length < ROWS_AT_A_TIME && place === rows.length - 1;
      if (ids.length === wanted) return { ids, nextAfter: isLast ? null : reached };
    }
    if (rows.length < ROWS_AT_A_TIME) return { ids, nextAfter: null };
    examined += rows.length;
  }
  return { ids, nextAfter: reached };
}

function contains(modelId: string, inputJson: string, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const { prompt } = inputOf({ input_json: inputJson });
  const text = fold(`${modelId}\n${typeof prompt === 'string' ? prompt : ''}`);
  return words.every((word) => text.includes(word));
}

/** The same for letters in upper and lower case and for signs that Unicode has in several forms. */
function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
