import { existsSync } from 'node:fs';
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A memory cgroup: what its processes may take together. */
export interface MemoryGroup {
  /** The file that a process writes its id into to join. */
  readonly members: string;
  /** How many of its processes the system has killed for lack of memory. */
  kills(): Promise<number>;
  /** Its processes must have ended. */
  close(): Promise<void>;
}

const ROOT = '/sys/fs/cgroup';
const FIRST_VERSION = {
  root: join(ROOT, 'memory'),
  limits: ['memory.limit_in_bytes', 'memory.memsw.limit_in_bytes'],
  kills: 'memory.oom_control',
};
const SECOND_VERSION = { root: ROOT, limits: ['memory.max'], kills: 'memory.events' };

/** Makes a group that may take so much memory. @returns null if this machine, or this user of it, may make none */
export async function openMemoryGroup(bytes: number): Promise<MemoryGroup | null> {
  const { root, limits, kills } = existsSync(FIRST_VERSION.root) ? FIRST_VERSION : SECOND_VERSION;
  const path = join(root, `darkroom-${process.pid}`);
  try {
    await mkdir(path);
  } catch {
    return null;
  }
  try {
    const [limit = '', ...others] = limits;
    await writeFile(join(path, limit), String(bytes));
    // Some kernels do not count swapped memory.
    for (const other of others) await writeFile(join(path, other), String(bytes)).catch(() => {});
  } catch {
    await rmdir(path);
    return null;
  }
  return {
    members: join(path, 'cgroup.procs'),
    kills: async () => Number(/oom_kill (\d+)/.exec(await readFile(join(path, kills), 'utf8'))?.[1]),
    close: () => rmdir(path),
  };
}
