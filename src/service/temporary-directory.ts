import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { world } from '@darkroom-service/contract';
import { lockState, processLockPath, removeEndedLocks } from '@darkroom-service/store';
import type { Log } from '../base/log.ts';

/** Age after which the directory of an unknown process is removed: nobody took over its work in that time. */
const LEFT_OVER_MS = 7 * 24 * 3_600_000;

/**
 * Creates the directory of a process's temporary files, and removes those of ended processes, whose partial files are
 * useless. Only its lock tells whether a process has ended: in containers, all of them may have the same number. The
 * directory of an unknown process stays until nobody has used it for a week.
 * @param processId id of this process, which holds the directory's lock
 * @returns the path of the directory; the caller removes it
 */
export async function openTemporaryDirectory(dataDirectory: string, processId: string, log: Log): Promise<string> {
  const parent = join(dataDirectory, 'tmp');
  const locks = join(dataDirectory, 'processes');
  const before = world.now() - LEFT_OVER_MS;
  const own = join(parent, processId);
  await mkdir(own, { recursive: true, mode: 0o700 });
  for (const name of await readdir(parent)) {
    const path = join(parent, name);
    const state = lockState(processLockPath(locks, name));
    try {
      if (state === 'free' || (state === 'unknown' && (await stat(path)).mtimeMs < before))
        await rm(path, { recursive: true, force: true });
    } catch (error) {
      log.warn({ err: error, path }, 'could not remove temporary files of an ended process');
    }
  }
  removeEndedLocks(locks, before);
  return own;
}
