import { statfs } from 'node:fs/promises';

/** Returns the free bytes of the disk that a directory is on, as far as this user may use them. */
export async function readFreeSpace(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}
