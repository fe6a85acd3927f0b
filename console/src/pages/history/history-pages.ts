import { call } from '../../api/client.ts';
import type { Task } from '../../api/types.ts';
import { type HistoryFilter, queryOf } from './history-filter.ts';

/** The last task read from each of the two lists; null = none yet. */
export interface Cursor {
  readonly image: string | null | typeof END;
  readonly video: string | null | typeof END;
}

export interface HistoryPage {
  readonly items: readonly Task[];
  /** Null at the end. */
  readonly next: Cursor | null;
}

export const FIRST: Cursor = { image: null, video: null };
export const PAGE_SIZE = 60;
const END = 'end';

/** Merges images and videos into one page, newest first, and returns where each list continues. */
export async function fetchHistory(filter: HistoryFilter, cursor: Cursor, signal: AbortSignal): Promise<HistoryPage> {
  const types = (['image', 'video'] as const).filter(
    (type) => (filter.type === 'all' || filter.type === type) && cursor[type] !== END,
  );
  const lists = await Promise.all(
    types.map(async (type) => ({ type, ...(await fetchList(type, filter, cursor[type], signal)) })),
  );
  const merged = lists.flatMap(({ items }) => items).sort(newestFirst);
  const items = merged.slice(0, PAGE_SIZE);
  const taken = new Set(items.map((task) => task.task_id));
  const next: Record<Task['type'], string | null> = { image: END, video: END };
  for (const list of lists) {
    const last = list.items.filter((task) => taken.has(task.task_id)).at(-1);
    const isDone = !list.has_more && (list.items.length === 0 || last === list.items.at(-1));
    // A list that found nothing after a long search cannot continue: there is no task to continue from.
    next[list.type] = isDone ? END : (last?.task_id ?? (list.items.length === 0 ? END : cursor[list.type]));
  }
  const isOver = types.every((type) => next[type] === END);
  return { items, next: isOver ? null : next };
}

/** Ids contain their creation time after the prefix that distinguishes images from videos. */
export function newestFirst(a: Pick<Task, 'task_id'>, b: Pick<Task, 'task_id'>): number {
  const [left, right] = [a.task_id.slice(4), b.task_id.slice(4)];
  return left < right ? 1 : left > right ? -1 : 0;
}

async function fetchList(
  type: Task['type'],
  filter: HistoryFilter,
  after: string | null,
  signal: AbortSignal,
): Promise<{ readonly items: readonly Task[]; readonly has_more: boolean }> {
  const query = { ...queryOf(filter), limit: PAGE_SIZE, ...(after === null ? {} : { after }) };
  return type === 'image'
    ? await call('GET /v1/images', { query } as never, { signal })
    : await call('GET /v1/videos', { query } as never, { signal });
}
