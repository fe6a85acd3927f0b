import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The resources that a process holds at a moment. */
export interface Holdings {
  readonly megabytes: number;
  /** Open files and sockets; null where the system does not tell them. */
  readonly handles: number | null;
}

export function holdingsOf(pid: number): Holdings {
  const kilobytes = Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }));
  const directory = `/proc/${pid}/fd`;
  return { megabytes: kilobytes / 1024, handles: existsSync(directory) ? readdirSync(directory).length : null };
}

/** Bytes of all files below a directory. */
export function bytesBelow(directory: string): number {
  let bytes = 0;
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) bytes += bytesBelow(path);
    // A file may be renamed or removed while this looks.
    else bytes += statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  }
  return bytes;
}
