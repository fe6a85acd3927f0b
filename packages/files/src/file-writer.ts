import { Worker } from 'node:worker_threads';
import { compileCacheVariable } from '@darkroom-service/media/process';
import type { FileToWrite, WriteOutcome } from './write-messages.ts';

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
 * A thread that writes small files below a directory, and hashes them. It starts with the first file, and again with
 * the next one after it died. Files that come while it writes are its next batch.
 */
export class FileWriter {
  readonly #directory: string;
  readonly #waiting = new Map<number, Waiting>();
  #queued: FileToWrite[] = [];
  #isWriting = false;
  #heldBytes = 0;
  #lastNumber = 0;
  #thread: Worker | null = null;
  #onIdle: (() => void) | null = null;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Reserves room for a file, for `write` or `release`. @returns false if it is too large, or others take the room */
  reserve(bytes: number): boolean {
    const hasRoom = bytes <= LARGEST_BYTES && this.#heldBytes + bytes <= MOST_BYTES;
    if (hasRoom) this.#heldBytes += bytes;
    return hasRoom;
  }

  /** Gives back reserved room that `write` does not use. */
  release(bytes: number): void {
    this.#heldBytes -= bytes;
  }

  /**
   * Writes a copy of the bytes, for which there is reserved room, aside, flushes it and moves it to its key.
   * @returns the digest in hexadecimal
   * @throws the file system's error, or an error if the thread ended before it reported
   */
  write(aside: string, key: string, data: Uint8Array): Promise<string> {
    const number = ++this.#lastNumber;
    this.#queued.push({ number, aside, key, data: new Uint8Array(data) });
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { bytes: data.byteLength, resolve, reject });
      if (this.#isWriting) return;
      this.#isWriting = true;
      // The files of one turn are one batch.
      queueMicrotask(() => this.#writeNext());
    });
  }

  /** Ends the thread once the files that it holds are written. */
  async close(): Promise<void> {
    if (this.#isWriting)
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve;
      });
    const ending = this.#thread;
    this.#thread = null;
    await ending?.terminate();
  }

  #writeNext(): void {
    this.#isWriting = this.#queued.length > 0;
    if (!this.#isWriting) {
      this.#thread?.unref();
      this.#onIdle?.();
      return;
    }
    const batch = this.#queued;
    this.#queued = [];
    try {
      this.#thread ??= this.#start();
      this.#thread.ref();
      this.#thread.postMessage(
        batch,
        batch.map(({ data }) => data.buffer),
      );
    } catch (error) {
      this.#failAll(error);
    }
  }

  #start(): Worker {
    const started = new Worker(new URL('./write-thread.ts', import.meta.url), {
      name: 'files',
      workerData: { directory: this.#directory },
      execArgv: [],
      env: compileCacheVariable(),
      resourceLimits: MEMORY,
    });
    let fault: unknown;
    started.on('message', (outcomes: readonly WriteOutcome[]) => {
      for (const outcome of outcomes) this.#settle(outcome);
      this.#writeNext();
    });
    started.on('error', (error) => {
      fault = error;
    });
    started.on('exit', () => {
      if (this.#thread !== started) return;
      this.#thread = null;
      this.#failAll(new Error('the thread that writes files ended before it reported them', { cause: fault }));
    });
    return started;
  }

  #settle(outcome: WriteOutcome): void {
    const one = this.#waiting.get(outcome.number);
    if (one === undefined) return;
    this.#waiting.delete(outcome.number);
    this.#heldBytes -= one.bytes;
    if ('sha256' in outcome) one.resolve(outcome.sha256);
    else one.reject(Object.assign(new Error(outcome.message), { code: outcome.code }));
  }

  /** Fails all files that are written or queued. Whether one is at its key is not known. */
  #failAll(error: unknown): void {
    const failed = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#queued = [];
    for (const { bytes, reject } of failed) {
      this.#heldBytes -= bytes;
      reject(error);
    }
    this.#writeNext();
  }
}
