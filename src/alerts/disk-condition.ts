import { readFreeSpace } from '../operations/free-space.ts';
import type { Condition } from './condition.ts';

const MEGABYTE = 1024 * 1024;

/** Finds out if the disk of a directory has less free space than allowed. */
export async function findDiskCondition(disk: {
  readonly directory: string;
  readonly host: string;
  readonly freeBytes: number;
}): Promise<Condition[]> {
  const free = await readFreeSpace(disk.directory);
  if (free >= disk.freeBytes) return [];
  const summary = `${Math.floor(free / MEGABYTE)} MB are free on the disk of ${disk.directory} at ${disk.host}.`;
  return [{ kind: 'disk_nearly_full', subject: disk.host, summary }];
}
