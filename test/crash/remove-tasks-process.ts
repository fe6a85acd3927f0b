import { ADDITIONS } from '../../src/additions/list.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import type { TaskSettings } from '../../src/tasks/task-services.ts';
import { removeOldTasks } from '../../src/worker/remove-tasks.ts';

/** Removes old tasks in a process of its own, which kills itself at a commit. */
export interface RemovalWish {
  readonly url: string | null;
  readonly path: string;
  readonly now: number;
  readonly taskMs: number;
  /** How many moments right before or right after a commit it survives. */
  readonly survives: number;
}

const { url, path, now, taskMs, survives } = JSON.parse(process.argv[2] ?? '') as RemovalWish;
let left = survives;
const commitHook = () => {
  if (left-- === 0) process.kill(process.pid, 'SIGKILL');
};
const clock = { now: () => now };
const database = await openDatabase({ url, path, listen: false, commitHook, clock });
const hooks = ADDITIONS.flatMap(({ hooks }) => hooks ?? []);
const settings = { taskMs } as TaskSettings;
await removeOldTasks({ database, clock, hooks, settings }, new AbortController().signal, 2);
await database.close();
