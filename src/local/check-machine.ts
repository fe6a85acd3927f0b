import { mkdir, statfs } from 'node:fs/promises';
import { LocalFault } from './local-fault.ts';

/** What must stay free on the disk, for the database and the files of the service. */
const RESERVE_BYTES = 500_000_000;

/** @throws LocalFault if the machine has less main memory than the model needs. */
export function checkMemory(needed: number | null, total: number): void {
  if (needed === null || total >= needed) return;
  throw new LocalFault(
    `The model needs ${needed} bytes of memory, this machine has ${total}. To download it all the same, add --force or send ignore_memory.`,
  );
}

/** Creates the directory. @throws LocalFault if its disk lacks room for the missing bytes. */
export async function checkSpace(directory: string, missing: number): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const { bavail, bsize } = await statfs(directory);
  const free = bavail * bsize;
  if (missing === 0 || free >= missing + RESERVE_BYTES) return;
  throw new LocalFault(
    `The download needs ${missing} bytes and ${RESERVE_BYTES} must stay free, but ${directory} has ${free}. Free some space, or set DARKROOM_LOCAL_DIR to another disk.`,
  );
}
