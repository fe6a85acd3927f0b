import { Worker } from 'node:worker_threads';
import { compileCacheVariable } from '@darkroom-service/media/process';
import type { FileToWrite, WriteOutcome } from './write-messages.ts';

/** A thread that writes small files below a directory, and hashes them. */
interface FileWriter {
  /** Reserves room for a file, for `write` or `release`. @returns false if it is too large, or others take the room */
  reserve(bytes: number): boolean;
  /** Gives back reserved room that `write` does not use. */
  release(bytes: number): void;
  /**
   * Writes a copy of the bytes, for which there is reserved room, aside, flushes it and moves it to its key.
   * @returns the digest in hexadecimal
   * @throws the file system's error, or an error if the thread ended before it reported
   */
  write(aside: string, key: string, data: Uint8Array): Promise<string>;
  /** Ends the thread once the files that it holds are written. */
  close(): Promise<void>;
}

interface Waiting {
  readonly bytes: number;
  readonly resolve: (sha256: string) => void;
  readonly reject: (error: unknown) => void;
}

/** Size of the largest file that is worth a copy. */
const LARGEST_BYTES = 1024 * 1024;
/** Limit of what a slow disk holds in memory. */
const MOST_BYTES = 8 * 1024 * 1024;
const MEMORY = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 };

/**
 * Creates the thread's handle. The thread starts with the first file, and again with the next one after it died. Files
 * that come while it writes are its next batch.
 */
export function createFileWriter(directory: string): FileWriter {
  const waiting = new Map<number, Waiting>();
  let queued: FileToWrite[] = [];
  let isWriting = false;
  let heldBytes = 0;
  let lastNumber = 0;
  let thread: Worker | null = null;
  let onIdle: (() => void) | null = null;

  function writeNext(): void {
    isWriting = queued.length > 0;
    if (!isWriting) {
      thread?.unref();
      onIdle?.();
      return;
    }
    const batch = queued;
    queued = [];
    try {
      thread ??= start();
      thread.ref();
      thread.postMessage(
        batch,
        batch.map(({ data }) => data.buffer),
      );
    } catch (error) {
      failAll(error);
    }
  }

  function start(): Worker {
    const started = new Worker(new URL('./write-thread.ts', import.meta.url), {
      name: 'files',
      workerData: { directory },
      execArgv: [],
      env: compileCacheVariable(),
      resourceLimits: MEMORY,
    });
    let fault: unknown;
    started.on('message', (outcomes: readonly WriteOutcome[]) => {
      for (const outcome of outcomes) settle(outcome);
      writeNext();
    });
    started.on('error', (error) => {
      fault = error;
    });
    started.on('exit', () => {
      if (thread !== started) return;
      thread = null;
      failAll(new Error('the thread that writes files ended before it reported them', { cause: fault }));
    });
    return started;
  }

  function settle(outcome: WriteOutcome): void {
    const one = waiting.get(outcome.number);
    if (one === undefined) return;
    waiting.delete(outcome.number);
    heldBytes -= one.bytes;
    if ('sha256' in outcome) one.resolve(outcome.sha256);
    else one.reject(Object.assign(new Error(outcome.message), { code: outcome.code }));
  }

  /** Fails all files that are written or queued. Whether one is at its key is not known. */
  function failAll(error: unknown): void {
    const failed = [...waiting.values()];
    waiting.clear();
    queued = [];
    for (const { bytes, reject } of failed) {
      heldBytes -= bytes;
      reject(error);
    }
    writeNext();
  }

  return {
    reserve(bytes) {
      const hasRoom = bytes <= LARGEST_BYTES && heldBytes + bytes <= MOST_BYTES;
      if (hasRoom) heldBytes += bytes;
      return hasRoom;
    },
    release(bytes) {
      heldBytes -= bytes;
    },
    write(aside, key, data) {
      const number = ++lastNumber;
      queued.push({ number, aside, key, data: new Uint8Array(data) });
      return new Promise((resolve, reject) => {
        waiting.set(number, { bytes: data.byteLength, resolve, reject });
        if (isWriting) return;
        isWriting = true;
        // The files of one turn are one batch.
        queueMicrotask(writeNext);
      });
    },
    async close() {
      if (isWriting)
        await new Promise<void>((resolve) => {
          onIdle = resolve;
        });
      const ending = thread;
      thread = null;
      await ending?.terminate();
    },
  };
}
