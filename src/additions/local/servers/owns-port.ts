import { readdir, readFile, readlink } from 'node:fs/promises';
import { membersOf } from './process-group.ts';

const LISTENING = '0A';

/**
 * Tells whether a process group listens on a TCP port of its network.
 * @param group the id of the process that leads the group
 * @returns null where the system does not tell (only Linux does)
 */
export async function ownsPort(group: number, port: number): Promise<boolean | null> {
  if (process.platform !== 'linux') return null;
  const sockets = await listeningSockets(group, port);
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

/** Returns the sockets that listen on a port in the network of a process, as links of `/proc/<pid>/fd` name them. */
async function listeningSockets(pid: number, port: number): Promise<Set<string>> {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`/proc/${pid}/net/${name}`, 'utf8').catch(() => '')),
  );
  const rows = tables.flatMap((table) => table.split('\n').map((line) => line.trim().split(/\s+/)));
  const found = rows.filter(([, local, , state]) => local?.endsWith(suffix) === true && state === LISTENING);
  return new Set(found.map((row) => `socket:[${row[9]}]`));
}
