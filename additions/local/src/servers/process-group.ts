import { readdir, readFile } from 'node:fs/promises';

/** Returns the ids of the processes of a group; none where the system does not report them (only Linux does). */
export async function membersOf(group: number): Promise<string[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const groups = await Promise.all(pids.map((pid) => groupOf(pid)));
  return pids.filter((_, index) => groups[index] === group);
}

/** Returns the main memory of all processes of a group in bytes; null where the system does not report it. */
export async function memoryOfGroup(group: number): Promise<number | null> {
  const members = await membersOf(group);
  // Memory that several processes share counts once. For a single one the cheaper figure is the same.
  const sizes = await Promise.all(
    members.map(
      async (pid) => (members.length > 1 ? await proportionalBytes(pid) : null) ?? (await residentBytes(pid)),
    ),
  );
  const known = sizes.filter((bytes) => bytes !== null);
  return known.length === 0 ? null : known.reduce((sum, bytes) => sum + bytes, 0);
}

async function groupOf(pid: string): Promise<number | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  // The name before it may contain blanks and brackets.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields === undefined ? null : Number(fields[2]);
}

async function proportionalBytes(pid: string): Promise<number | null> {
  return await bytesIn(`/proc/${pid}/smaps_rollup`, 'Pss');
}

async function residentBytes(pid: string): Promise<number | null> {
  return await bytesIn(`/proc/${pid}/status`, 'VmRSS');
}

async function bytesIn(path: string, field: string): Promise<number | null> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const [, kilobytes] = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(text) ?? [];
  return kilobytes === undefined ? null : Number(kilobytes) * 1024;
}
