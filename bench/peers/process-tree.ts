import { readdir, readFile } from 'node:fs/promises';

/** A process and all that it has started, in any depth. */
export async function withChildren(pid: number): Promise<number[]> {
  const all = (await readdir('/proc')).map(Number).filter((id) => id > 0);
  const parents = new Map(await Promise.all(all.map(async (id) => [id, await parentOf(id)] as const)));
  const found = [pid];
  for (const parent of found) found.push(...all.filter((id) => parents.get(id) === parent));
  return found;
}

export async function parentOf(pid: number): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const parent = /^PPid:\s*(\d+)$/m.exec(status)?.[1];
  return parent === undefined ? null : Number(parent);
}
