import type { LocalFile } from '@darkroom-service/media';
import type { Log } from '../../base/log.ts';
import type { TaskRow } from '../../record/task.ts';
import { type Answer, type AnswerKey, bytesInMemory, folderOf } from './answer.ts';
import type { AnswerSpool, ProcessFolder } from './answer-spool.ts';
import { DamagedAnswer } from './spooled-answer.ts';

/**
 * The unsaved answers to paid orders that this process has received or taken over. Each stays here until it is stored
 * or reported to the operator. After a failed write it is also written to the spool, in case the process ends.
 */
export interface UnsavedAnswers {
  /** Adds an answer just received from an engine. */
  add(task: Pick<TaskRow, 'id' | 'fence'>, engine: string, answer: Answer): void;
  /** Reports a local file with the media of an output, which the spool then links instead of writing them again. */
  wroteFile(taskId: string, output: number, file: LocalFile): void;
  has(taskId: string): boolean;
  /** Returns the current form of an answer: once it is spooled, its media are files. */
  of(taskId: string): Answer | null;
  list(): UnstoredAnswer[];
  /**
   * Writes the answer to the spool, unless it is there. A failure is logged once; the next call retries.
   * @returns whether it is in the spool
   */
  spool(taskId: string): Promise<boolean>;
  /** Writes all answers to the spool, before the process ends. */
  spoolAll(): Promise<void>;
  /** Forgets a stored answer and removes it from the spool. */
  release(taskId: string): Promise<void>;
  /** Returns the path to which `keep` moves a spooled answer. */
  keptPath(taskId: string): string | null;
  /** Keeps a spooled answer for the operator and forgets it. @throws the file system's error */
  keep(taskId: string): Promise<void>;
  /**
   * Searches for an engine's answer to a task of unknown outcome, also among those of ended processes. The answer then
   * belongs to the task's current claim. An answer of an engine that the order has left since is not found.
   * @returns `elsewhere` if another living process has it
   * @throws the file system's error if the spool cannot be read; then nothing is known
   */
  find(task: Pick<TaskRow, 'id' | 'fence'>, engine: string): Promise<Answer | 'elsewhere' | null>;
  /** Takes over the answers of ended processes in this spool. @throws the file system's error */
  takeOverEnded(): Promise<void>;
  /** Stores the answers of one ended process, whose lock the caller holds. */
  takeOver(ended: ProcessFolder): Promise<void>;
  /**
   * Removes kept answers of tasks for which the callback returns true.
   * @throws the error of the file system or the callback
   */
  removeKept(isErased: (taskId: string) => Promise<boolean>): Promise<void>;
  /** The size of media in memory that are not spooled. */
  readonly bytesInMemory: number;
}

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

interface AnswersInHandOptions {
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

export function createUnsavedAnswers({ spool, ended, now, log }: AnswersInHandOptions): UnsavedAnswers {
  const entries = new Map<string, Entry>();
  const takingOver = new Map<string, Promise<boolean>>();

  function enter(unstored: UnstoredAnswer, isSpooled: boolean): void {
    const entry = { ...unstored, files: new Map(), isSpooled, hasComplained: false, turn: Promise.resolve() };
    entries.set(unstored.key.taskId, entry);
  }

  async function write(entry: Entry): Promise<boolean> {
    try {
      await inTurn(entry, async () => {
        if (entry.isSpooled || entries.get(entry.key.taskId) !== entry) return;
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
  async function takeOverIfEnded(other: ProcessFolder): Promise<boolean> {
    const running = takingOver.get(other.processId) ?? takeOverLocked(other);
    takingOver.set(other.processId, running);
    return await running.finally(() => takingOver.delete(other.processId));
  }

  async function takeOverLocked(other: ProcessFolder): Promise<boolean> {
    const lock = ended.take(other.processId);
    if (lock === null) return false;
    try {
      await takeOver(other);
      return true;
    } finally {
      lock.release();
    }
  }

  async function takeOver(other: ProcessFolder): Promise<void> {
    for (const key of await spool.list(other)) await takeOverAnswer(other, key);
    await spool.clear(other);
  }

  async function takeOverAnswer(other: ProcessFolder, key: AnswerKey): Promise<void> {
    const { taskId: task_id } = key;
    try {
      const known = entries.get(task_id);
      if (known === undefined) return enter(await spool.takeOver(other, key), true);
      const path = await spool.setAside(other, key);
      log.error({ task_id, path }, 'second answer to the same order was spooled; it was put aside');
    } catch (error) {
      if (!(error instanceof DamagedAnswer)) throw error;
      const path = await spool.setAside(other, key);
      log.error({ err: error, task_id, path }, 'spooled engine answer is damaged; it was put aside');
    }
  }

  return {
    add(task, engine, answer) {
      enter({ key: { taskId: task.id, fence: task.fence }, engine, savedAt: now(), answer }, false);
    },
    wroteFile: (taskId, output, file) => void entries.get(taskId)?.files.set(output, file),
    has: (taskId) => entries.has(taskId),
    of: (taskId) => entries.get(taskId)?.answer ?? null,
    list: () => [...entries.values()],
    async spool(taskId) {
      const entry = entries.get(taskId);
      return entry === undefined ? false : await write(entry);
    },
    async spoolAll() {
      await Promise.all([...entries.values()].map(write));
    },
    async release(taskId) {
      const entry = entries.get(taskId);
      if (entry === undefined) return;
      entries.delete(taskId);
      await inTurn(entry, async () => {
        if (entry.isSpooled) await spool.remove(entry.key);
      }).catch((error: unknown) =>
        log.warn({ err: error, answer: folderOf(entry.key) }, 'could not remove a stored answer from the spool'),
      );
    },
    keptPath(taskId) {
      const entry = entries.get(taskId);
      return entry === undefined ? null : spool.keptPath(entry.key);
    },
    async keep(taskId) {
      const entry = entries.get(taskId);
      if (entry === undefined) return;
      await inTurn(entry, () => spool.keep(entry.key));
      entries.delete(taskId);
    },
    async find({ id, fence }, engine) {
      for (const other of entries.has(id) ? [] : await spool.others()) {
        const isThere = (await spool.list(other)).some((key) => key.taskId === id);
        if (isThere && !(await takeOverIfEnded(other))) return 'elsewhere';
      }
      const entry = entries.get(id);
      if (entry?.engine !== engine) return null;
      await inTurn(entry, async () => {
        if (entry.key.fence === fence) return;
        if (entry.isSpooled) entry.answer = await spool.rename(entry.key, fence, entry.answer);
        entry.key = { taskId: id, fence };
      }).catch((error: unknown) => log.warn({ err: error, task_id: id }, 'could not rename a spooled engine answer'));
      return entry.answer;
    },
    async takeOverEnded() {
      for (const other of await spool.others()) await takeOverIfEnded(other);
    },
    takeOver,
    async removeKept(isErased) {
      for (const key of await spool.kept()) if (await isErased(key.taskId)) await spool.removeKept(key);
    },
    get bytesInMemory() {
      return [...entries.values()].reduce((sum, { answer }) => sum + bytesInMemory(answer), 0);
    },
  };
}

async function inTurn<T>(entry: Entry, work: () => Promise<T>): Promise<T> {
  const turn = entry.turn.then(work);
  entry.turn = turn.catch(() => {});
  return await turn;
}
