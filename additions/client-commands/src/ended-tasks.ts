import type { ApiClient } from '@darkroom-service/addition-common/commands/api-client';
import { RefusedFault } from '@darkroom-service/addition-common/commands/client-faults';
import { type TaskView, world } from '@darkroom-service/contract';
import { CommandFault, parseDuration } from '@darkroom-service/darkroom/kernel-cli';
import { isFinal, taskPath } from './describe-task.ts';
import { readTaskPages } from './task-list.ts';

/** Finds the tasks of this key that end, in the service's lists. */
interface EndedTasks {
  /** Returns the tasks that ended since the last call. A call that fails changes nothing and can be repeated. */
  poll(): Promise<TaskView[]>;
}

const PAGE = '100';
const OPEN = 'queued,processing';
const ENDED = 'succeeded,failed,canceled';
/** Overlap of two reads: a task may become visible a moment after a newer one. */
const OVERLAP_MS = 60_000;

/**
 * Starts to watch: reports tasks that end from now on. A task that ends is found because it left the list of open
 * tasks, or because it is new and ended already.
 */
export async function watchEndedTasks(client: ApiClient): Promise<EndedTasks> {
  let open: ReadonlySet<string> = new Set();
  /** Reported tasks that the next read may find again. */
  let reported: ReadonlySet<string> = new Set();
  // Times of the service only, so that the clock of this machine does not matter.
  let newest = await newestTime(client);

  async function poll(): Promise<TaskView[]> {
    const running = await list(client, { status: OPEN });
    const recent = await list(client, { status: ENDED, ...createdAfter(newest - OVERLAP_MS) });
    const nowOpen = new Set(running.map((task) => task.task_id));
    const found = new Map(recent.map((task) => [task.task_id, task]));
    for (const id of open) {
      if (nowOpen.has(id) || found.has(id)) continue;
      const task = await find(client, id);
      if (task !== null && isFinal(task)) found.set(id, task);
      else if (task !== null) nowOpen.add(id);
    }
    const ended = [...found.values()].filter((task) => !reported.has(task.task_id));
    open = nowOpen;
    reported = new Set(found.keys());
    newest = Math.max(newest, ...[...running, ...found.values()].map((task) => Date.parse(task.created_at)));
    return inOrder(ended);
  }

  await poll();
  return { poll };
}

/**
 * Returns tasks that ended before, the earliest first.
 * @param which the id of a task, or a duration such as `1h`: the tasks that were ordered within it.
 * @throws CommandFault
 */
export async function findEndedTasks(client: ApiClient, which: string): Promise<TaskView[]> {
  if (/^(img|vid)_/.test(which)) {
    const task = await client.get<TaskView>(taskPath(which));
    if (isFinal(task)) return [task];
    throw new CommandFault(`${which} is ${task.status}, so it has no event yet.`);
  }
  const since = world.now() - parseDuration(which, '--replay');
  return inOrder(await list(client, { status: ENDED, ...createdAfter(since) }));
}

async function list(client: ApiClient, filters: Readonly<Record<string, string>>): Promise<TaskView[]> {
  const items: TaskView[] = [];
  for (const type of ['image', 'video'] as const)
    for await (const page of readTaskPages(client, type, { limit: PAGE, ...filters })) items.push(...page.items);
  return items;
}

async function newestTime(client: ApiClient): Promise<number> {
  const paths = ['/v1/images?limit=1', '/v1/videos?limit=1'];
  const pages = await Promise.all(paths.map((path) => client.get<{ items: TaskView[] }>(path)));
  return Math.max(0, ...pages.flatMap(({ items }) => items.map((task) => Date.parse(task.created_at))));
}

function createdAfter(time: number): { created_after?: string } {
  return time <= 0 ? {} : { created_after: new Date(time).toISOString() };
}

/** Returns null for a task that was deleted meanwhile. */
async function find(client: ApiClient, taskId: string): Promise<TaskView | null> {
  try {
    return await client.get<TaskView>(taskPath(taskId));
  } catch (error) {
    if (error instanceof RefusedFault && error.status === 404) return null;
    throw error;
  }
}

function inOrder(tasks: readonly TaskView[]): TaskView[] {
  return [...tasks].sort((a, b) => ((a.completed_at ?? '') < (b.completed_at ?? '') ? -1 : 1));
}
