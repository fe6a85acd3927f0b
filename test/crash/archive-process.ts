import { archiveTasks } from '../../src/archive/archive-tasks.ts';
import { createIdFactory } from '../../src/base/ids.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { openFileStorage } from '../../src/storage/file-storage.ts';

/** Archives in a process of its own, which kills itself at a commit. */
export interface ArchiveWish {
  readonly url: string | null;
  readonly path: string;
  readonly files: string;
  readonly before: number;
  readonly now: number;
  /** How many moments right before or right after a commit it survives. */
  readonly survives: number;
}

const wish = JSON.parse(process.argv[2] ?? '') as ArchiveWish;
const { url, path, before, now } = wish;
let left = wish.survives;
const commitHook = () => {
  if (left-- === 0) process.kill(process.pid, 'SIGKILL');
};
const database = await openDatabase({ url, path, listen: false, commitHook });
const storage = await openFileStorage(wish.files);
const createId = createIdFactory(() => now);
await archiveTasks({ database, storage, before, now, createId, tasksPerFile: 5, tasksPerCommit: 2, readersMs: 0 });
await storage.close();
await database.close();
