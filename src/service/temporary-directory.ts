import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Creates a directory for this process, named by its process id, and removes those of ended processes, whose partial
 * files are useless.
 * @returns its path; the caller removes it.
 */
export async function openTemporaryDirectory(parent: string): Promise<string> {
  await mkdir(parent, { recursive: true, mode: 0o700 });
  for (const name of await readdir(parent)) {
    const owner = Number(/^(\d+)-/.exec(name)?.[1]);
    if (!isAlive(owner)) await rm(join(parent, name), { recursive: true, force: true });
  }
  const own = join(parent, `${process.pid}-${randomUUID().slice(0, 8)}`);
  await mkdir(own, { mode: 0o700 });
  return own;
}

function isAlive(processId: number): boolean {
  // In containers, a new process often has the same id as the previous one.
  if (!Number.isInteger(processId) || processId === process.pid) return false;
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
