import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Makes a directory for this process alone, named by its id, and removes those of processes that are no more: what they left half done is
 * of no use to anyone.
 * @returns its path; whoever opened it removes it.
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
  // Within containers a new process often has the number of the one before it.
  if (!Number.isInteger(processId) || processId === process.pid) return false;
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
