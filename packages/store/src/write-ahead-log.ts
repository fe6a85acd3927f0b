import { close, fdatasync, open } from 'node:fs';
import { promisify } from 'node:util';
import { world } from '@darkroom-service/contract';
import { type CheckpointThread, createCheckpointThread } from './checkpoints.ts';

const openFile = promisify(open);
const closeFile = promisify(close);

/** The log's pages, and how many of them are in the database file. */
export interface LogState {
  readonly pages: number;
  readonly checkpointed: number;
}

export interface WriteAheadLogOptions {
  /** The database file. It is open and in WAL mode, and checkpoints are left to this object. */
  readonly path: string;
  readonly state: () => LogState;
  /** False: only one connection can open the file, so nothing but the end of the process empties the log. */
  readonly isShared?: boolean;
  /** Number of pages in the log at which a checkpoint begins. */
  readonly checkpointPages?: number;
  /** Flushes a file to disk. Replaced by tests. */
  readonly flush?: (file: number) => Promise<void>;
}

/** 16 MB. Pages that are written again and again reach the database file once per checkpoint. */
const CHECKPOINT_PAGES = 4_000;
/** Maximum transactions between two reads of the log's state: a read is a statement, needless far from the limit. */
const UNASKED_AT_MOST = 7;
const PAGES_PER_UNASKED = 64;
/** Milliseconds before a log is emptied, so that several erasures empty it once. */
const EMPTIED_AFTER_MS = 200;
/** Minimum milliseconds between two emptyings: a growing log flushes more slowly than one that is overwritten. */
const EMPTIED_EVERY_MS = { soon: 10_000, later: 600_000 };
/** Milliseconds to wait for a transaction to finish the checkpoint (if no other is open), before a timer does. */
const IDLE_MS = 50;
/** Milliseconds before the next attempt if a reader was in the way. */
const AGAIN_AFTER_MS = 2_000;

/**
 * Makes the commits of an SQLite file durable without blocking the event loop. The connection commits with
 * `synchronous = normal`, which writes to the log and does not flush it; the log is flushed here, in the thread pool,
 * before anybody learns of the commit. So an acknowledged commit survives a power failure, as with
 * `synchronous = full`. Checkpoints run in a thread.
 */
export class WriteAheadLog {
  readonly #state: () => LogState;
  readonly #checkpointPages: number;
  readonly #flushFile: (file: number) => Promise<void>;
  readonly #isShared: boolean;
  readonly #logFile: number;
  /** Closed after every connection of the process: closing a file drops the process's locks on it. */
  readonly #databaseFile: number;
  readonly #thread: CheckpointThread;
  #flush: Promise<void> | null = null;
  /** The flush after that one, for commits since it began. */
  #nextFlush: Promise<void> | null = null;
  #phase: 'growing' | 'copying' | 'copied' = 'growing';
  #checkpoint: Promise<void> = Promise.resolve();
  #finishing: Promise<void> | null = null;
  /** Time at which the log is to be emptied; null = it need not be. */
  #emptyAt: number | null = null;
  #emptiedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  #nextCheckpointAt: number;
  /** Number of transactions that may begin before the state is read again. */
  #unasked = 0;

  private constructor(options: WriteAheadLogOptions, logFile: number, databaseFile: number) {
    this.#state = options.state;
    this.#checkpointPages = options.checkpointPages ?? CHECKPOINT_PAGES;
    this.#flushFile = options.flush ?? promisify(fdatasync);
    this.#isShared = options.isShared ?? true;
    this.#logFile = logFile;
    this.#databaseFile = databaseFile;
    this.#thread = createCheckpointThread(options.path);
    this.#nextCheckpointAt = this.#checkpointPages;
  }

  static async open(options: WriteAheadLogOptions): Promise<WriteAheadLog> {
    const [logFile, databaseFile] = await Promise.all([
      openFile(`${options.path}-wal`, 'r+'),
      openFile(options.path, 'r+'),
    ]);
    return new WriteAheadLog(options, logFile, databaseFile);
  }

  /** The flush that a reader awaits before it returns rows; null if every commit of this process is on disk. */
  get flushing(): Promise<void> | null {
    return this.#nextFlush ?? this.#flush;
  }

  /**
   * Flushes all that has been committed. Never rejects: if the disk refuses, nobody can know what it holds, so the
   * process ends, and the next start reads what is there.
   */
  flush(): Promise<void> {
    if (this.#flush === null) return this.#startFlush();
    this.#nextFlush ??= this.#flush.then(() => this.#startFlush());
    return this.#nextFlush;
  }

  /** Begins and ends checkpoints. Call it before each transaction: while a checkpoint ends, the log must not grow. */
  async beforeTransaction(): Promise<void> {
    if (this.#phase === 'copied') await this.#finish();
    else if (this.#phase === 'growing' && this.#isFull()) this.#checkpoint = this.#beginCheckpoint();
  }

  /**
   * Empties the log soon: pages in it have earlier versions of rows. Commits go on meanwhile, except for the moment in
   * which the log is truncated; a reader at that moment delays it.
   */
  empty(when: keyof typeof EMPTIED_EVERY_MS): void {
    if (!this.#isShared) return;
    const at = Math.max(world.monotonic() + EMPTIED_AFTER_MS, this.#emptiedAt + EMPTIED_EVERY_MS[when]);
    if (this.#emptyAt !== null && this.#emptyAt <= at) return;
    this.#emptyAt = at;
    this.#lookIn(at - world.monotonic());
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    world.clearTimeout(this.#timer);
    await this.#checkpoint;
    await this.#finishing;
    await this.#thread.close();
  }

  /** Closes the files. Call it when the process has no connection to the database any more. */
  async closeFiles(): Promise<void> {
    await Promise.all([closeFile(this.#logFile), closeFile(this.#databaseFile)]);
  }

  #isFull(): boolean {
    if (this.#unasked-- > 0) return false;
    const left = this.#nextCheckpointAt - this.#state().pages;
    this.#unasked = Math.min(UNASKED_AT_MOST, Math.floor(left / PAGES_PER_UNASKED));
    return left <= 0;
  }

  /** Begins a checkpoint. It takes as long as the disk needs; commits go on meanwhile. */
  async #beginCheckpoint(): Promise<void> {
    this.#phase = 'copying';
    await this.#thread.pass();
    await this.#flushFile(this.#databaseFile).catch(endProcess);
    this.#phase = 'copied';
    // Perhaps no transaction comes that ends it.
    if (this.#isToEmpty()) this.#lookIn(IDLE_MS);
  }

  #isToEmpty(): boolean {
    return this.#emptyAt !== null && this.#emptyAt <= world.monotonic();
  }

  #lookIn(ms: number): void {
    world.clearTimeout(this.#timer);
    if (!this.#isClosed) this.#timer = world.setTimeout(() => void this.#check(), Math.max(0, ms)).unref();
  }

  /** Begins or ends a checkpoint without a transaction. */
  async #check(): Promise<void> {
    if (this.#phase === 'growing') this.#checkpoint = this.#beginCheckpoint();
    else if (this.#phase === 'copied') await this.#finish();
  }

  /** Finishes the checkpoint. Also called while a transaction is open: then the log is emptied later. */
  #finish(): Promise<void> {
    this.#finishing ??= this.#finishCheckpoint().finally(() => {
      this.#finishing = null;
    });
    return this.#finishing;
  }

  /**
   * Copies the few pages that were committed since the first pass. Once all pages are in the database file, the next
   * commit writes at the log's start.
   */
  async #finishCheckpoint(): Promise<void> {
    const isToEmpty = this.#isToEmpty();
    const isEmpty = isToEmpty && (await this.#thread.empty());
    if (!isToEmpty) await this.#thread.pass();
    if (isEmpty) {
      this.#emptyAt = null;
      this.#emptiedAt = world.monotonic();
    }
    const { pages, checkpointed } = this.#state();
    // A reader may still need pages of the log, such as a long report.
    const isHeld = checkpointed < pages;
    this.#nextCheckpointAt = this.#checkpointPages + (isHeld ? pages : 0);
    this.#phase = 'growing';
    if (isHeld || this.#emptyAt !== null)
      this.#lookIn(Math.max(AGAIN_AFTER_MS, (this.#emptyAt ?? 0) - world.monotonic()));
  }

  #startFlush(): Promise<void> {
    this.#nextFlush = null;
    const flush = this.#flushFile(this.#logFile)
      .catch(endProcess)
      .then(() => {
        if (this.#flush === flush) this.#flush = null;
      });
    this.#flush = flush;
    return flush;
  }
}

function endProcess(cause: unknown): Promise<never> {
  world.setImmediate(() => {
    throw new Error(
      'The disk of the database could not flush what was written. The process ends, because it cannot know what is on disk; check the disk and start it again.',
      { cause },
    );
  });
  return new Promise(() => {});
}
