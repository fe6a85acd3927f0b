import { spawnSync } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { withChildren } from './process-tree.ts';

const SECTOR_BYTES = 512;
const TICK_MS = 10;

/** Returns the memory of processes and of all that they have started, with shared parts counted once. */
export async function readMegabytes(pids: readonly number[]): Promise<number> {
  const all = new Set((await Promise.all(pids.map(withChildren))).flat());
  let kilobytes = 0;
  for (const pid of all) {
    // A process may end meanwhile.
    const memory = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
    kilobytes += Number(/^Pss:\s*(\d+)/m.exec(memory)?.[1] ?? 0);
  }
  return Math.round(kilobytes / 1024);
}

/**
 * Returns the processor time that processes and all that they have started used so far, in milliseconds. A process that
 * has ended counts for the one that started it.
 */
export async function readProcessorMs(pids: readonly number[]): Promise<number> {
  const all = new Set((await Promise.all(pids.map(withChildren))).flat());
  let ticks = 0;
  for (const pid of all) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    // The name of the program, which ends with a bracket, may have spaces: utime is the twelfth field after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    ticks += fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  }
  return ticks * TICK_MS;
}

/**
 * Returns the bytes that were written to the disk of a folder so far, by whatever process. What Linux counts for a
 * process is no measure: it counts a whole part of the page cache where a few bytes of it were written.
 */
export async function readWrittenBytes(directory: string): Promise<number> {
  spawnSync('sync');
  const { dev } = await stat(directory);
  const device = `${(dev >> 8) & 0xfff}:${(dev & 0xff) | ((dev >> 12) & 0xfff00)}`;
  const fields = (await readFile(`/sys/dev/block/${device}/stat`, 'utf8')).trim().split(/\s+/);
  return Number(fields[6]) * SECTOR_BYTES;
}
