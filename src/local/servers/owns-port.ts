import { readdir, readFile, readlink } from 'node:fs/promises';

const LISTENING = '0A';

/**
 * Tells whether a process group listens on a TCP port of this machine.
 * @param group the id of the process that leads the group
 * @returns null where the system does not tell (only Linux does)
 */
export async function ownsPort(group: number, port: number): Promise<boolean | null> {
  if (process.platform !== 'linux') return null;
  const sockets = await listeningSockets(port);
  if (sockets.size === 0) return false;
  for (const pid of await membersOf(group)) {
    const handles = await readdir(`/proc/${pid}/fd`).catch(() => []);
    for (const handle of handles) {
      const target = await readlink(`/proc/${pid}/fd/${handle}`).catch(() => '');
      if (sockets.has(target)) return true;
    }
  }
  return false;
}

/** Returns the sockets that listen on a port, as links of `/proc/<pid>/fd` name them. */
async function listeningSockets(port: number): Promise<Set<string>> {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')),
  );
  const rows = tables.flatMap((table) => table.split('\n').map((line) => line.trim().split(/\s+/)));
  const found = rows.filter(([, local, , state]) => local?.endsWith(suffix) === true && state === LISTENING);
  return new Set(found.map((row) => `socket:[${row[9]}]`));
}

async function membersOf(group: number): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const groups = await Promise.all(pids.map((pid) => groupOf(pid)));
  return pids.filter((_, index) => groups[index] === group);
}

async function groupOf(pid: string): Promise<number | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  // The name before it may contain blanks and brackets.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields === undefined ? null : Number(fields[2]);
}
