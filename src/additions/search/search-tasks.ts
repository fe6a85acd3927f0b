import { isId, type TaskView } from '@darkroom-service/contract';
import { foldText } from '@darkroom-service/store';
import { sql } from 'kysely';
import type { Kernel, OrderingKey } from '../../kernel.ts';
import type { TaskListQuery } from '../../kernel-http.ts';
import { VIEW_COLUMNS } from '../../kernel-views.ts';

/** Words that a task must all contain, and the id if the text is one. */
export interface TaskSearch {
  readonly words: readonly string[];
  readonly taskId: string | null;
}

/** Reads the text of a search. Without words it finds nothing. */
export function readSearch(text: string): TaskSearch {
  const words = [...new Set(foldText(text).split(/\s+/u).filter(Boolean))];
  const [first = ''] = words;
  return { words, taskId: words.length === 1 && isId(first, 'img', 'vid') ? first : null };
}

/**
 * Returns a page of the key's tasks that contain all words, newest first. Examines a limited number of tasks, and for a
 * limited time.
 * @returns `nextAfter`: the id after which the search continues; null if it has reached the end
 * @throws ServiceError `rate_limited` if too many searches of the key wait for their turn
 */
export async function searchTasks(
  { store, tasks }: Pick<Kernel, 'store' | 'tasks'>,
  key: OrderingKey,
  type: 'image' | 'video',
  query: TaskListQuery & { readonly search: TaskSearch },
): Promise<{ readonly items: TaskView[]; readonly nextAfter: string | null }> {
  const { search, status, limit } = query;
  return await store.inTurn(key, async () => {
    const range = tasks.range(key, type, status, query, search.taskId);
    const words = search.taskId === null ? search.words : [];
    const { read } = store.replica;
    const { ids, nextAfter } = await store.scanTexts({
      owner: key.id,
      rows: (below, most) =>
        range
          .rows(read, below)
          .select(['model_id as text', sql<string | null>`case when ${range.fits} then input_json end`.as('json')])
          .limit(most),
      start: range.start,
      field: 'prompt',
      words,
      wanted: limit,
    });
    const rows =
      ids.length === 0
        ? []
        : await read.all(
            read.builder.selectFrom('tasks').select(VIEW_COLUMNS).where('id', 'in', ids).orderBy('id', 'desc'),
          );
    // A task may have been deleted or have changed since.
    const shown = rows.filter((row) => row.deleted_at === null && (status.length === 0 || status.includes(row.status)));
    return { items: await tasks.show(key, read, shown), nextAfter };
  });
}
