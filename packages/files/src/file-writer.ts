import { Worker } from 'node:worker_threads';
import { compileCacheVariable } from '@darkroom-service/media/process';
import type { FileToWrite, WriteOutcome } from './write-messages.ts';

/** A thread that writes small files below a directory, and hashes them. */
interface FileWriter {
  /** Tells whether bytes of this number are few enough for the thread, also beside those that it still holds. */
  hasRoomFor(bytes: number): boolean;
  /**
   * Writes a file aside, flushes it and moves it to its key. The bytes are copied.
   * @returns the digest in hexadecimal
   * @throws the file system's error, or that of a thread that ended; then nothing is left aside
   */
  write(aside: string, key: string, data: Uint8Array): Promise<string>;
  close(): Promise<void>;
}

interface Waiting {
  readonly bytes: number;
  readonly resolve: (sha256: string) => void;
  readonly reject: (error: unknown) => void;
}

const LARGEST_BYTES = 1024 * 1024;
const MOST_BYTES = 8 * 1024 * 1024;
const HEAP_MB = 16;

/** Creates the thread's handle. The thread starts with the first file, and again after its death. */
export function createFileWriter(directory: string): FileWriter {
  const waiting = new Map<number, Waiting>();
  let queued: FileToWrite[] = [];
  let isWriting = false;
  let heldBytes = 0;
  let lastNumber = 0;
  let thread: Worker | null = null;

  /** Hands over all that is queued as one batch, once the last one is written. */
  function next(): void {
    isWriting = queued.length > 0;
    if (!isWriting) return void thread?.unref();
    const batch = queued;
    queued = [];
    thread ??= start();
    thread.ref();
    thread.postMessage(
      batch,
      batch.map(({ data }) => data.buffer),
    );
  }

  function start(): Worker {
    const started = new Worker(new URL('./write-thread.ts', import.meta.url), {
      name: 'files',
      workerData: { directory },
      execArgv: [],
      env: compileCacheVariable(),
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: 2 },
    });
    let fault: unknown;
    started.on('message', (outcomes: readonly WriteOutcome[]) => {
      for (const outcome of outcomes) settle(outcome);
      next();
    });
    started.on('error', (error) => {
      fault = error;
    });
    started.on('exit', () => {
      if (thread !== started) return;
      thread = null;
      const error = new Error('the thread that writes files ended before they were written', { cause: fault });
      for (const one of waiting.values()) one.reject(error);
      waiting.clear();
      queued = [];
      heldBytes = 0;
      isWriting = false;
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

  return {
    hasRoomFor: (bytes) => bytes <= LARGEST_BYTES && heldBytes + bytes <= MOST_BYTES,
    write(aside, key, data) {
      const number = ++lastNumber;
      heldBytes += data.byteLength;
      queued.push({ number, aside, key, data: new Uint8Array(data) });
      return new Promise((resolve, reject) => {
        waiting.set(number, { bytes: data.byteLength, resolve, reject });
        if (!isWriting) {
          isWriting = true;
          queueMicrotask(next);
        }
      });
    },
    async close() {
      await thread?.terminate();
    },
  };
}
