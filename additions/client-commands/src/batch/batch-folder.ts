import { type FileHandle, link, mkdir, open, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { world } from '@darkroom-service/contract';
import { CommandFault } from '@darkroom-service/darkroom/kernel-cli';
import type { ProcessLock } from '@darkroom-service/store';

/** Record of a batch's order. It is on disk before the first request, so that a repeated command finds the batch. */
export interface BatchRecord {
  /** URL of the service. */
  readonly service: string;
  /** SHA-256 of the API key, in hex. */
  readonly api_key_sha256: string;
  /** SHA-256 of the orders as they were given, in hex. */
  readonly orders_sha256: string;
  readonly idempotency_key: string;
  /** Query of the request, beside the orders. */
  readonly query: Readonly<Record<string, string>>;
  /** The batch's id; null until the service has answered. */
  readonly batch_id: string | null;
}

/** Folder where a batch is saved. The data of a repeated command are in `.darkroom-batch` within it. */
export interface BatchFolder {
  readonly path: string;
  /** Reads the record of the batch; null if none was ordered here. @throws CommandFault if the record cannot be read */
  read(): Promise<BatchRecord | null>;
  /** Records that a batch will be ordered. @throws CommandFault if another command has done so meanwhile */
  begin(record: BatchRecord, orders: string): Promise<void>;
  /** Returns the orders as they are sent. */
  orders(record: BatchRecord): Promise<Blob>;
  setPlaced(record: BatchRecord, batchId: string): Promise<void>;
  /** Removes the record of a batch that was refused. */
  forget(record: BatchRecord): Promise<void>;
  /** Returns the path at which an output is written before it gets its name. */
  partialPath(taskId: string): string;
  /** Removes the temporary data of this command. */
  close(): Promise<void>;
}

const HIDDEN = '.darkroom-batch';
const RECORD = 'batch.json';
const LOCK = '.lock';

/** Opens a folder and creates it if needed. @throws CommandFault if that is impossible */
export async function openBatchFolder(path: string): Promise<BatchFolder> {
  const hidden = join(path, HIDDEN);
  const id = world.randomUUID();
  const own = join(hidden, id);
  const recordPath = join(hidden, RECORD);
  const ordersPath = ({ idempotency_key: key }: BatchRecord) => join(hidden, `orders-${key}.jsonl`);
  // Loaded here, since it loads more slowly than the other commands need.
  const { acquireEndedLock, acquireProcessLock } = await import('@darkroom-service/store');
  await mkdir(own, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    throw new CommandFault(`Cannot create files in ${path} (${error.code}). Name another folder.`, { cause: error });
  });
  const lock = openLock();
  await removeLeftovers();

  return {
    path,
    async read() {
      const text = await readFile(recordPath, 'utf8').catch(() => null);
      if (text === null) return null;
      try {
        return JSON.parse(text) as BatchRecord;
      } catch (error) {
        const message = `${recordPath} cannot be read. Was it changed? Name another folder, unless you know its batch.`;
        throw new CommandFault(message, { cause: error });
      }
    },
    async begin(record, orders) {
      await writeDurably(ordersPath(record), orders);
      const draft = join(own, RECORD);
      await writeDurably(draft, JSON.stringify(record, null, 2));
      try {
        await link(draft, recordPath);
      } catch (error) {
        await rm(ordersPath(record), { force: true });
        const isTaken = (error as NodeJS.ErrnoException).code === 'EEXIST';
        const why = isTaken ? 'another command has ordered here meanwhile' : 'its file system has no hard links';
        throw new CommandFault(`Nothing was ordered into ${path}: ${why}.`, { cause: error });
      }
      await rm(draft);
    },
    orders: async (record) => new Blob([await readFile(ordersPath(record))]),
    async setPlaced(record, batchId) {
      const draft = join(own, RECORD);
      await writeDurably(draft, JSON.stringify({ ...record, batch_id: batchId }, null, 2));
      await rename(draft, recordPath);
      await rm(ordersPath(record), { force: true });
    },
    async forget(record) {
      await rm(recordPath, { force: true });
      await rm(ordersPath(record), { force: true });
    },
    partialPath: (taskId) => join(own, taskId),
    async close() {
      await rm(own, { recursive: true, force: true });
      lock.release();
      // Only if nothing was ordered.
      for (const folder of [hidden, path]) await rmdir(folder).catch(() => undefined);
    },
  };

  function openLock(): ProcessLock {
    try {
      return acquireProcessLock(hidden, id);
    } catch (error) {
      const message = `Cannot lock files in ${path}. Name a folder on a file system that keeps locks.`;
      throw new CommandFault(message, { cause: error });
    }
  }

  /** Removes leftovers: a command that is killed leaves its folder, and a lock without a holder. */
  async function removeLeftovers(): Promise<void> {
    for (const name of await readdir(hidden)) {
      const left = name.endsWith(LOCK) ? acquireEndedLock(join(hidden, name)) : null;
      if (left === null) continue;
      await rm(join(hidden, name.slice(0, -LOCK.length)), { recursive: true, force: true });
      left.release();
    }
  }
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file: FileHandle = await open(path, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
