import { mkdir, statfs } from 'node:fs/promises';
import { LocalFault } from './local-fault.ts';

/** Disk space that must stay free for the database and the files of the service, in bytes. */
const RESERVE_BYTES = 500_000_000;

/**
 * Checks that the machine has the main memory that a model needs.
 * @throws LocalFault if the machine has less main memory than the model needs.
 */
export function checkMemory(needed: number | null, total: number): void {
  if (needed === null || total >= needed) return;
  throw new LocalFault(
    `The model needs ${needed} bytes of memory, this machine has ${total}. To download it anyway, add --force or send ignore_memory.`,
  );
}

/** Whether the disk failed, and not the connection. */
export function isDiskFault(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EFBIG'].includes((error as NodeJS.ErrnoException).code ?? '');
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

/** Explains an error while a file is written. @param missing the bytes that are not stored yet */
export async function explainFullDisk(error: unknown, directory: string, missing: number): Promise<unknown> {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return error;
  const { bavail, bsize } = await statfs(directory);
  const free = bavail * bsize;
  const advice = `Free at least ${Math.max(missing, missing + RESERVE_BYTES - free)} bytes, or set DARKROOM_LOCAL_DIR to another disk.`;
  return new LocalFault(
    `The disk of ${directory} is full${code === 'EDQUOT' ? ' for this user' : ''}: the download needs ${missing} more bytes and ${RESERVE_BYTES} must stay free, but it has ${free}. ${advice} The downloaded part is kept; run the same command again to continue.`,
    { cause: error },
  );
}
