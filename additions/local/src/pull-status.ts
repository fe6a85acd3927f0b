import { rm } from 'node:fs/promises';
import { world } from '@darkroom-service/contract';
import { lockState, processLockPath } from '@darkroom-service/store';
import type { PullProgress } from './execute-pull.ts';
import type { PullPlan } from './pull-model.ts';
import type { LocalStore } from './store.ts';
import { createTransferRate } from './transfer-rate.ts';
import { readJson, writeJson } from './write-json.ts';

/** Progress of the pull that changes the directory now, for other processes of this machine. */
export interface PullStatus {
  readonly name: string;
  readonly work: 'planning' | PullProgress['work'];
  /** File being pulled; null while the pull is planned. */
  readonly file: string | null;
  readonly done_bytes: number;
  readonly total_bytes: number | null;
  readonly bytes_per_second: number | null;
  readonly started_at: string;
}

/** Publishes the progress of one pull, about once a second. Only the holder of the directory's lock may do so. */
interface PublishedPull {
  planned(plan: PullPlan): void;
  progress(progress: PullProgress): void;
  close(): Promise<void>;
}

const EVERY_MS = 500;

export function publishPull(store: LocalStore, name: string, now: () => number): PublishedPull {
  const path = store.status;
  const rate = createTransferRate(now);
  let writing = Promise.resolve();
  let writtenAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let status = beginningOf(name, now());
  // Progress is not worth a failed pull.
  const flush = () => {
    timer = undefined;
    writtenAt = now();
    writing = writing.then(() => writeJson(path, status)).catch(() => {});
  };
  // The last change counts too: a download that stalls makes no further one.
  const write = () => {
    timer ??= world.setTimeout(flush, Math.max(0, EVERY_MS - (now() - writtenAt)));
  };
  write();
  return {
    planned({ missingBytes, totalBytes }) {
      status = { ...status, done_bytes: totalBytes - missingBytes, total_bytes: totalBytes };
      write();
    },
    progress({ name: file, work, bytes }) {
      const arrived = work === 'checking' ? 0 : bytes;
      rate.add(arrived);
      const perSecond = work === 'checking' ? null : rate.perSecond();
      status = { ...status, file, work, done_bytes: status.done_bytes + arrived, bytes_per_second: perSecond };
      write();
    },
    async close() {
      world.clearTimeout(timer);
      await writing;
      await rm(path, { force: true }).catch(() => {});
    },
  };
}

/** Returns the status of a pull that has just begun. @param at milliseconds since 1970 UTC */
export function beginningOf(name: string, at: number): PullStatus {
  const unknown = { file: null, total_bytes: null, bytes_per_second: null };
  return { name, work: 'planning', done_bytes: 0, ...unknown, started_at: new Date(at).toISOString() };
}

/** Returns the current pull, of any process; null if there is none. */
export async function readPull(store: LocalStore): Promise<PullStatus | null> {
  const status = (await readJson(store.status).catch(() => null)) as PullStatus | null;
  // A killed pull leaves its status. Checking the lock takes it for a moment, so that is done only if there is a
  // status.
  if (status === null || lockState(processLockPath(store.directory, 'pull')) !== 'held') return null;
  return status;
}
