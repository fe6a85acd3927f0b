import { openFileStorage } from '@darkroom-service/files';
import { advanceCheckpoint } from '../../src/accounts/balance-checkpoints.ts';
import { recountInZone, type ZoneSubject } from '../../src/accounts/recount-in-zone.ts';
import { ADDITIONS } from '../../src/additions/list.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { cleanErased } from '../../src/erasure/clean-erased.ts';
import { eraseTask } from '../../src/erasure/erase-task.ts';
import type { TaskServices, TaskSettings } from '../../src/tasks/task-services.ts';
import { removeOldTasks } from '../../src/worker/remove-tasks.ts';

export type Chore =
  | { readonly does: 'remove'; readonly taskMs: number }
  | { readonly does: 'recount'; readonly subjects: readonly ZoneSubject[]; readonly zone: string }
  /** Moves past three entries at a time. */
  | { readonly does: 'checkpoint'; readonly accountId: string }
  /** Erases tasks, and then cleans up after some that were erased before, two at a time. */
  | { readonly does: 'erase'; readonly tasks: readonly string[]; readonly erased: readonly string[] };

/** Runs a chore in a process of its own, which kills itself at a commit. */
export interface ChoreWish {
  readonly url: string | null;
  readonly path: string;
  /** The directory of the files. */
  readonly files: string;
  readonly now: number;
  readonly chore: Chore;
  /** How many moments right before or right after a commit it survives. */
  readonly survives: number;
}

const { url, path, files, now, chore, survives } = JSON.parse(process.argv[2] ?? '') as ChoreWish;
let left = survives;
const commitHook = () => {
  if (left-- === 0) process.kill(process.pid, 'SIGKILL');
};
const clock = { now: () => now };
const database = await openDatabase({ url, path, listen: false, commitHook, clock });
const hooks = ADDITIONS.flatMap(({ hooks }) => hooks ?? []);
const storage = await openFileStorage(files);
if (chore.does === 'remove') {
  const settings = { taskMs: chore.taskMs } as TaskSettings;
  await removeOldTasks({ database, clock, hooks, settings }, new AbortController().signal, 2);
} else if (chore.does === 'recount') {
  for (const subject of chore.subjects) await recountInZone({ database, hooks }, subject, chore.zone, now);
} else if (chore.does === 'checkpoint') {
  const advance = () =>
    database.write('checkpoint', (trx) => advanceCheckpoint(trx, chore.accountId, 'live', { least: 1, most: 3 }));
  while (await advance());
} else {
  const services = { database, clock, hooks, storage, wakeWork: () => {} } as unknown as TaskServices;
  for (const id of chore.tasks) await eraseTask(services, id, { deletedAt: null });
  for (let at = 0; at < chore.erased.length; at += 2) {
    const some = chore.erased.slice(at, at + 2).map((id) => ({ id, deleted_at: null }));
    await cleanErased(services, some, { since: 1, within: async () => {} });
  }
}
await storage.close();
await database.close();
