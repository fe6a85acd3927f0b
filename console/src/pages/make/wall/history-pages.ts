import type { TaskView as Task } from '@darkroom-service/contract/task';
import { call } from '../../../api/client.ts';
import { type HistoryFilter, queryOf } from './history-filter.ts';

/** The last task read from each of the two lists; null = none yet. */
interface Cursor {
  readonly image: string | null | typeof END;
  readonly video: string | null | typeof END;
}

interface HistoryPage {
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
  // What is older than the place up to which a list was read may have to stand behind what it still holds.
  const readTo = lists.map((list) => (list.next === null ? '' : timeOf(list.next))).sort();
  const floor = readTo.at(-1) ?? '';
  const merged = lists.flatMap(({ items }) => items).sort(newestFirst);
  const items = merged.slice(0, PAGE_SIZE).filter((task) => timeOf(task.task_id) >= floor);
  const taken = new Set(items.map((task) => task.task_id));
  const next: Record<Task['type'], string | null> = { image: END, video: END };
  for (const list of lists) {
    const rest = list.items.filter((task) => !taken.has(task.task_id));
    const last = list.items.filter((task) => taken.has(task.task_id)).at(-1);
    next[list.type] = rest.length === 0 ? (list.next ?? END) : (last?.task_id ?? cursor[list.type]);
  }
  const isOver = types.every((type) => next[type] === END);
  return { items, next: isOver ? null : next };
}

/** Ids contain their creation time after the prefix that distinguishes images from videos. */
export function newestFirst(a: Pick<Task, 'task_id'>, b: Pick<Task, 'task_id'>): number {
  const [left, right] = [timeOf(a.task_id), timeOf(b.task_id)];
  return left < right ? 1 : left > right ? -1 : 0;
}

function timeOf(taskId: string): string {
  return taskId.slice('img_'.length);
}

/** @returns `next`: after which id the list continues; null at its end */
async function fetchList(
  type: Task['type'],
  filter: HistoryFilter,
  after: string | null,
  signal: AbortSignal,
): Promise<{ readonly items: readonly Task[]; readonly next: string | null }> {
  const query = { ...queryOf(filter), include: 'tags', limit: PAGE_SIZE, ...(after === null ? {} : { after }) };
  const page =
    type === 'image'
      ? await call('GET /v1/images', { query } as never, { signal })
      : await call('GET /v1/videos', { query } as never, { signal });
  const { items, has_more, next_after } = page as Listed;
  return { items, next: has_more ? (next_after ?? items.at(-1)?.task_id ?? null) : null };
}

interface Listed {
  readonly items: readonly Task[];
  readonly has_more: boolean;
  /** Of a search: where it continues, also after a page without tasks. */
  readonly next_after?: string | null;
}
