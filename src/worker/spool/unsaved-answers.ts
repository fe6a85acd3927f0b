import type { UnreadAnswer } from '@darkroom-service/engines';
import type { LocalFile } from '@darkroom-service/media';
import type { Log } from '../../base/log.ts';
import type { TaskRow } from '../../record/task.ts';
import { type Answer, type AnswerKey, bytesInMemory, folderOf } from './answer.ts';
import type { AnswerSpool, ProcessFolder } from './answer-spool.ts';
import { DamagedAnswer } from './spooled-answer.ts';

export interface UnstoredAnswer {
  readonly key: AnswerKey;
  readonly engine: string;
  /** Milliseconds since 1970. */
  readonly savedAt: number;
  readonly answer: Answer;
}

/** Proves that a process has ended. */
export interface EndedProcesses {
  /** Takes the lock of an ended process, so that nobody else takes over its answers. @returns null while it runs */
  take(processId: string): { release(): void } | null;
}

interface UnsavedAnswersOptions {
  readonly spool: AnswerSpool;
  readonly ended: EndedProcesses;
  readonly now: () => number;
  readonly log: Log;
}

interface Entry extends UnstoredAnswer {
  key: AnswerKey;
  answer: Answer;
  /** By the index of the output. */
  readonly files: Map<number, LocalFile>;
  isSpooled: boolean;
  hasComplained: boolean;
  /** Reads and writes of the spool run one after the other. */
  turn: Promise<unknown>;
}

/**
 * The unsaved answers to paid orders that this process has received or taken over. Each is
 *
 * - *in memory* from the moment it is received (`add`), with its media.
 * - *spooled* after a failed write, in case the process ends (`spool`), or if it was taken over from an ended process
 *   (`find`, `takeOver`). Its media are files then.
 * - *gone* once it is stored (`release`), or kept for the operator (`keep`).
 */
export class UnsavedAnswers {
  readonly #options: UnsavedAnswersOptions;
  /** By the task's id. */
  readonly #entries = new Map<string, Entry>();
  /** Current takeovers, by the id of the ended process. */
  readonly #takeovers = new Map<string, Promise<boolean>>();

  constructor(options: UnsavedAnswersOptions) {
    this.#options = options;
  }

  /** The size of media in memory that are not spooled. */
  get bytesInMemory(): number {
    return [...this.#entries.values()].reduce((sum, { answer }) => sum + bytesInMemory(answer), 0);
  }

  has(taskId: string): boolean {
    return this.#entries.has(taskId);
  }

  /** Returns the current form of an answer: once it is spooled, its media are files. */
  of(taskId: string): Answer | null {
    return this.#entries.get(taskId)?.answer ?? null;
  }

  list(): UnstoredAnswer[] {
    return [...this.#entries.values()];
  }

  /** Returns the path to which `keep` moves a spooled answer. */
  keptPath(taskId: string): string | null {
    const entry = this.#entries.get(taskId);
    return entry === undefined ? null : this.#options.spool.keptPath(entry.key);
  }

  /** Adds an answer just received from an engine. */
  add({ id: taskId, fence }: Pick<TaskRow, 'id' | 'fence'>, engine: string, answer: Answer): void {
    this.#enter({ key: { taskId, fence }, engine, savedAt: this.#options.now(), answer }, false);
  }

  /** Reports a local file with the media of an output, which the spool then links instead of writing them again. */
  wroteFile(taskId: string, output: number, file: LocalFile): void {
    this.#entries.get(taskId)?.files.set(output, file);
  }

  /**
   * Writes the answer to the spool, unless it is there. A failure is logged once; the next call retries.
   * @returns whether it is in the spool
   */
  async spool(taskId: string): Promise<boolean> {
    const entry = this.#entries.get(taskId);
    return entry === undefined ? false : await this.#write(entry);
  }

  /** Writes all answers to the spool, before the process ends. */
  async spoolAll(): Promise<void> {
    await Promise.all([...this.#entries.values()].map((entry) => this.#write(entry)));
  }

  /** Forgets a stored answer and removes it from the spool. */
  async release(taskId: string): Promise<void> {
    const { spool, log } = this.#options;
    const entry = this.#entries.get(taskId);
    if (entry === undefined) return;
    this.#entries.delete(taskId);
    await inTurn(entry, async () => {
      if (entry.isSpooled) await spool.remove(entry.key);
    }).catch((error: unknown) =>
      log.warn({ err: error, answer: folderOf(entry.key) }, 'could not remove a stored answer from the spool'),
    );
  }

  /** Keeps a spooled answer for the operator and forgets it. @throws the file system's error */
  async keep(taskId: string): Promise<void> {
    const entry = this.#entries.get(taskId);
    if (entry === undefined) return;
    await inTurn(entry, () => this.#options.spool.keep(entry.key));
    this.#entries.delete(taskId);
  }

  /**
   * Keeps an answer that could not be read for the operator, the first of its order.
   * @returns its path; null if the order has one already, or it cannot be written, which is logged
   */
  async keepUnread({ id: taskId, fence }: Pick<TaskRow, 'id' | 'fence'>, unread: UnreadAnswer): Promise<string | null> {
    const { spool, log } = this.#options;
    try {
      if ((await spool.kept()).some((key) => key.taskId === taskId)) return null;
      return await spool.keepUnread({ taskId, fence }, unread);
    } catch (error) {
      log.warn({ err: error, task_id: taskId }, 'could not keep an engine answer that is no JSON or has no result');
      return null;
    }
  }

  /**
   * Removes kept answers of tasks for which the callback returns true.
   * @throws the error of the file system or the callback
   */
  async removeKept(isErased: (taskId: string) => Promise<boolean>): Promise<void> {
    const { spool } = this.#options;
    for (const key of await spool.kept()) if (await isErased(key.taskId)) await spool.removeKept(key);
  }

  /**
   * Searches for an engine's answer to a task of unknown outcome, also among those of ended processes. The answer then
   * belongs to the task's current claim. An answer of an engine that the order has left since is not found.
   * @returns `elsewhere` if another living process has it
   * @throws the file system's error if the spool cannot be read; then nothing is known
   */
  async find({ id, fence }: Pick<TaskRow, 'id' | 'fence'>, engine: string): Promise<Answer | 'elsewhere' | null> {
    const { spool, log } = this.#options;
    for (const other of this.#entries.has(id) ? [] : await spool.others()) {
      const isThere = (await spool.list(other)).some((key) => key.taskId === id);
      if (isThere && !(await this.#takeOverIfEnded(other))) return 'elsewhere';
    }
    const entry = this.#entries.get(id);
    if (entry?.engine !== engine) return null;
    await inTurn(entry, async () => {
      if (entry.key.fence === fence) return;
      if (entry.isSpooled) entry.answer = await spool.rename(entry.key, fence, entry.answer);
      entry.key = { taskId: id, fence };
    }).catch((error: unknown) => log.warn({ err: error, task_id: id }, 'could not rename a spooled engine answer'));
    return entry.answer;
  }

  /** Takes over the answers of ended processes in this spool. @throws the file system's error */
  async takeOverEnded(): Promise<void> {
    for (const other of await this.#options.spool.others()) await this.#takeOverIfEnded(other);
  }

  /** Stores the answers of one ended process, whose lock the caller holds. */
  async takeOver(ended: ProcessFolder): Promise<void> {
    const { spool } = this.#options;
    for (const key of await spool.list(ended)) await this.#takeOverAnswer(ended, key);
    await spool.clear(ended);
  }

  #enter(unstored: UnstoredAnswer, isSpooled: boolean): void {
    const entry = { ...unstored, files: new Map(), isSpooled, hasComplained: false, turn: Promise.resolve() };
    this.#entries.set(unstored.key.taskId, entry);
  }

  async #write(entry: Entry): Promise<boolean> {
    const { spool, log } = this.#options;
    try {
      await inTurn(entry, async () => {
        if (entry.isSpooled || this.#entries.get(entry.key.taskId) !== entry) return;
        entry.answer = await spool.write(entry.key, entry, entry.answer, entry.files);
        entry.isSpooled = true;
      });
    } catch (error) {
      const { taskId: task_id } = entry.key;
      if (!entry.hasComplained)
        log.error({ err: error, task_id }, 'could not spool an engine answer; it is only in memory, retrying');
      entry.hasComplained = true;
    }
    return entry.isSpooled;
  }

  /**
   * Takes over the answers of another process if it has ended. Concurrent calls share one takeover.
   * @returns false if the process still runs
   */
  async #takeOverIfEnded(other: ProcessFolder): Promise<boolean> {
    const running = this.#takeovers.get(other.processId) ?? this.#takeOverLocked(other);
    this.#takeovers.set(other.processId, running);
    return await running.finally(() => this.#takeovers.delete(other.processId));
  }

  async #takeOverLocked(other: ProcessFolder): Promise<boolean> {
    const lock = this.#options.ended.take(other.processId);
    if (lock === null) return false;
    try {
      await this.takeOver(other);
      return true;
    } finally {
      lock.release();
    }
  }

  async #takeOverAnswer(other: ProcessFolder, key: AnswerKey): Promise<void> {
    const { spool, log } = this.#options;
    const { taskId: task_id } = key;
    try {
      const known = this.#entries.get(task_id);
      if (known === undefined) return this.#enter(await spool.takeOver(other, key), true);
      const path = await spool.setAside(other, key);
      log.error({ task_id, path }, 'second answer to the same order was spooled; it was put aside');
    } catch (error) {
      if (!(error instanceof DamagedAnswer)) throw error;
      const path = await spool.setAside(other, key);
      log.error({ err: error, task_id, path }, 'spooled engine answer is damaged; it was put aside');
    }
  }
}

async function inTurn<T>(entry: Entry, work: () => Promise<T>): Promise<T> {
  const turn = entry.turn.then(work);
  entry.turn = turn.catch(() => {});
  return await turn;
}
