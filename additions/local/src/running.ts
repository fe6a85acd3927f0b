import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  acquireEndedLock,
  acquireProcessLock,
  lockState,
  type ProcessLock,
  processLockPath,
} from '@darkroom-service/store';
import { killGroup } from './servers/kill-group.ts';
import type { ServerView } from './servers/server-spec.ts';
import { readJson, writeJson } from './write-json.ts';

/** A server as a process of the service has published it. */
interface PublishedServer extends ServerView {
  /** Start time of the process that leads its group, as the system counts; null where the system does not say. */
  readonly birth: string | null;
}

/** Publishes the servers of this process for commands and for other processes of this machine. */
export interface RunningServers {
  publish(views: readonly ServerView[]): Promise<void>;
  /** Removes the servers that this process has published. */
  close(): Promise<void>;
}

const FOLDER = 'running';

/**
 * Ends servers whose keeper and whose service were both killed, and opens the file of this process.
 * @param id id of this process, unique for all time
 */
export async function openRunning(directory: string, id: string): Promise<RunningServers> {
  const folder = join(directory, FOLDER);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of await readdir(folder)) {
    if (name.endsWith('.json')) await removeEnded(folder, name.slice(0, -'.json'.length));
  }
  const lock: ProcessLock = acquireProcessLock(folder, id);
  const path = join(folder, `${id}.json`);
  let written = Promise.resolve();
  return {
    async publish(views) {
      const published = await Promise.all(views.map(async (view) => ({ ...view, birth: await birthOf(view.pid) })));
      written = written.then(() => writeJson(path, published)).catch(() => {});
      await written;
    },
    async close() {
      await written;
      await rm(path, { force: true });
      lock.release();
    },
  };
}

/** Returns the servers of all living processes that use the directory. */
export async function readRunning(directory: string): Promise<ServerView[]> {
  const folder = join(directory, FOLDER);
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json'));
  const living = names.filter((name) => lockState(processLockPath(folder, name.slice(0, -'.json'.length))) === 'held');
  const read = await Promise.all(living.sort().map((name) => readJson(join(folder, name)).catch(() => null)));
  return read.flatMap((views) => (views as PublishedServer[] | null) ?? []).map(({ birth: _, ...view }) => view);
}

async function removeEnded(folder: string, id: string): Promise<void> {
  const lock = acquireEndedLock(processLockPath(folder, id));
  if (lock === null) return;
  const path = join(folder, `${id}.json`);
  const views = ((await readJson(path).catch(() => null)) as PublishedServer[] | null) ?? [];
  for (const { pid, birth } of views) {
    // Another process may have its number by now.
    if (pid !== null && birth !== null && birth === (await birthOf(pid))) killGroup(pid, 'SIGKILL');
  }
  await rm(path, { force: true });
  lock.release();
}

async function birthOf(pid: number | null): Promise<string | null> {
  if (pid === null) return null;
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
}
