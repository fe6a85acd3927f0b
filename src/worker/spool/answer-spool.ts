import { cp, mkdir, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { world } from '@darkroom-service/contract';
import type { UnreadAnswer } from '@darkroom-service/engines';
import type { LocalFile } from '@darkroom-service/media';
import { type Answer, type AnswerKey, answerKeyOf, folderOf } from './answer.ts';
import { checkMedium, writeMedia } from './spool-media.ts';
import { type AnswerFacts, DamagedAnswer, fromRecord, parseRecord, toRecord } from './spooled-answer.ts';
import { ignoreMissing, syncDirectory, writeSynced } from './synced-files.ts';

/** An answer read from the spool. Its media are files there. */
interface ReadAnswer extends AnswerFacts {
  readonly key: AnswerKey;
  readonly answer: Answer;
}

/**
 * Answers on disk: a folder per process, in it a folder per answer with the record `answer.json` and its media. A
 * folder appears completely or not at all, also after a power cut. Only the owner of a process's lock changes that
 * process's folder.
 */
export interface AnswerSpool {
  /** The folder name of this process. */
  readonly processId: string;
  /**
   * Writes an answer.
   * @param files local files with the media of outputs, by index; they are linked instead of written again
   * @returns the answer with its media as files of the spool
   * @throws the file system's error; then nothing of it is left
   */
  write(key: AnswerKey, facts: AnswerFacts, answer: Answer, files?: ReadonlyMap<number, LocalFile>): Promise<Answer>;
  /** Removes an answer of this process. */
  remove(key: AnswerKey): Promise<void>;
  /** Renames an answer of this process for another fence. @returns the answer with the new paths of its media */
  rename(key: AnswerKey, fence: number, answer: Answer): Promise<Answer>;
  /** Returns the path to which `keep` moves an answer. */
  keptPath(key: AnswerKey): string;
  /** Moves an answer of this process to the late results, where it is kept for the operator. */
  keep(key: AnswerKey): Promise<void>;
  /**
   * Writes an answer that could not be read to the late results: its body in `answer`, its files by their numbers.
   * @returns its path
   * @throws the file system's error; then nothing of it is left
   */
  keepUnread(key: AnswerKey, unread: UnreadAnswer): Promise<string>;
  /** Lists the late results. */
  kept(): Promise<AnswerKey[]>;
  removeKept(key: AnswerKey): Promise<void>;
  /** Lists the folders of other processes. */
  others(): Promise<ProcessFolder[]>;
  list(process: ProcessFolder): Promise<AnswerKey[]>;
  /**
   * Checks the record and the hashes of an ended process's answer, and moves it into the folder of this process.
   * @throws DamagedAnswer, or the file system's error; the answer then stays in place
   */
  takeOver(ended: ProcessFolder, key: AnswerKey): Promise<ReadAnswer>;
  /** Moves an unreadable answer of an ended process aside. @returns the answer's new path */
  setAside(ended: ProcessFolder, key: AnswerKey): Promise<string>;
  /** Removes the folder of an ended process; files that are no answer are moved aside. */
  clear(ended: ProcessFolder): Promise<void>;
}

/** A folder with answers of a process: in this spool, or in that of another data directory on this machine. */
export interface ProcessFolder {
  readonly processId: string;
  readonly path: string;
}

/** Folders of the spool that belong to no process. */
export const KEPT = 'late-results';
export const DAMAGED = 'damaged';
const RECORD = 'answer.json';
const TEMPORARY = '.tmp-';

/**
 * The spool of answers that cannot be stored yet, in a directory. The folder of this process is made when there is an
 * answer to put into it (`#fill`), and removed when it is empty, but not while another answer is put into it.
 */
export class DiskSpool implements AnswerSpool {
  readonly processId: string;
  readonly #directory: string;
  /** The folder of this process. */
  readonly #own: string;
  /** Number of answers that are being put into the folder of this process. */
  #filling = 0;
  #removal: Promise<void> = Promise.resolve();

  /** @param directory the spool's directory; created when there is something to write */
  constructor(directory: string, processId: string) {
    this.processId = processId;
    this.#directory = directory;
    this.#own = join(directory, processId);
  }

  async write(
    key: AnswerKey,
    facts: AnswerFacts,
    answer: Answer,
    files: ReadonlyMap<number, LocalFile> = new Map(),
  ): Promise<Answer> {
    return await this.#fill(async () => {
      const temporary = join(this.#own, `${TEMPORARY}${world.randomUUID()}`);
      const folder = this.#folderOf(key);
      try {
        await mkdir(temporary, { mode: 0o700 });
        const sources = answer.kind === 'operation' ? [] : await writeMedia(temporary, answer, files);
        const record = toRecord(key, facts, answer, sources);
        await writeSynced(join(temporary, RECORD), Buffer.from(JSON.stringify(record)));
        await syncDirectory(temporary);
        // An earlier attempt may have failed after it had moved the folder here.
        await rm(folder, { recursive: true, force: true });
        await rename(temporary, folder);
        await syncDirectory(this.#own);
        return fromRecord(record, (file) => join(folder, file));
      } catch (error) {
        await rm(temporary, { recursive: true, force: true }).catch(() => {});
        throw error;
      }
    });
  }

  async remove(key: AnswerKey): Promise<void> {
    await rm(this.#folderOf(key), { recursive: true, force: true });
    await this.#removeOwnIfEmpty();
  }

  async rename(key: AnswerKey, fence: number, answer: Answer): Promise<Answer> {
    const renamed = this.#folderOf({ ...key, fence });
    await rename(this.#folderOf(key), renamed);
    return withMediaIn(renamed, answer);
  }

  keptPath(key: AnswerKey): string {
    return join(this.#directory, KEPT, folderOf(key));
  }

  async keep(key: AnswerKey): Promise<void> {
    await move(this.#folderOf(key), this.keptPath(key));
    await this.#removeOwnIfEmpty();
  }

  async keepUnread(key: AnswerKey, { bytes, files }: UnreadAnswer): Promise<string> {
    const path = this.keptPath(key);
    await makeDirectory(dirname(path));
    const temporary = join(dirname(path), `${TEMPORARY}${world.randomUUID()}`);
    try {
      await mkdir(temporary, { mode: 0o700 });
      await writeSynced(join(temporary, 'answer'), bytes);
      for (const [number, file] of files.entries()) await writeSynced(join(temporary, String(number)), file);
      await rename(temporary, path);
      return path;
    } catch (error) {
      await rm(temporary, { recursive: true, force: true }).catch(() => {});
      throw error;
    }
  }

  async kept(): Promise<AnswerKey[]> {
    return await listAnswers(join(this.#directory, KEPT));
  }

  async removeKept(key: AnswerKey): Promise<void> {
    await rm(this.keptPath(key), { recursive: true, force: true });
  }

  async others(): Promise<ProcessFolder[]> {
    const names = await namesIn(this.#directory);
    // A file with a dot in front shows whether the disk accepts it.
    const others = names.filter((name) => ![this.processId, KEPT, DAMAGED].includes(name) && !name.startsWith('.'));
    return others.map((name) => ({ processId: name, path: join(this.#directory, name) }));
  }

  async list(process: ProcessFolder): Promise<AnswerKey[]> {
    return await listAnswers(process.path);
  }

  async takeOver(ended: ProcessFolder, key: AnswerKey): Promise<ReadAnswer> {
    const from = join(ended.path, folderOf(key));
    const record = await readRecord(from, key);
    if (record.kind === 'delivery') {
      for (const { source } of record.outputs) if ('file' in source) await checkMedium(from, source);
    }
    const folder = this.#folderOf(key);
    await this.#fill(() => move(from, folder));
    const answer = fromRecord(record, (file) => join(folder, file));
    return { key, answer, engine: record.engine, savedAt: record.saved_at };
  }

  async setAside(ended: ProcessFolder, key: AnswerKey): Promise<string> {
    const path = join(this.#directory, DAMAGED, `${folderOf(key)}.${world.randomUUID().slice(0, 8)}`);
    await move(join(ended.path, folderOf(key)), path);
    return path;
  }

  async clear({ processId, path }: ProcessFolder): Promise<void> {
    for (const name of await namesIn(path)) {
      // Incomplete: the process ended while it wrote this.
      if (name.startsWith(TEMPORARY)) await rm(join(path, name), { recursive: true, force: true });
      else if (answerKeyOf(name) === null)
        await move(join(path, name), join(this.#directory, DAMAGED, `${processId}.${name}`));
    }
    await removeEmpty(path);
  }

  #folderOf(key: AnswerKey): string {
    return join(this.#own, folderOf(key));
  }

  /** Runs a write with the folder of this process, which stays while answers are put into it. */
  async #fill<T>(work: () => Promise<T>): Promise<T> {
    this.#filling++;
    try {
      await this.#removal;
      const first = await makeDirectory(this.#own);
      // Each new folder is an entry of the one above it.
      for (let made = this.#own; first !== undefined && made.length >= first.length; made = dirname(made))
        await syncDirectory(dirname(made));
      return await work();
    } finally {
      this.#filling--;
    }
  }

  async #removeOwnIfEmpty(): Promise<void> {
    if (this.#filling > 0) return;
    this.#removal = removeEmpty(this.#own);
    await this.#removal;
  }
}

async function listAnswers(folder: string): Promise<AnswerKey[]> {
  return (await namesIn(folder)).map(answerKeyOf).filter((key) => key !== null);
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(ignoreMissing)) ?? [];
}

function withMediaIn(folder: string, answer: Answer): Answer {
  if (answer.kind === 'operation') return answer;
  const outputs = answer.delivery.outputs.map((output) =>
    'path' in output.source ? { ...output, source: { path: join(folder, basename(output.source.path)) } } : output,
  );
  return { kind: 'delivery', delivery: { ...answer.delivery, outputs } };
}

/** Moves a folder without flushing: if a power cut undoes the move, it is repeated. */
async function move(from: string, to: string): Promise<void> {
  await makeDirectory(dirname(to));
  await rename(from, to).catch(async (error: NodeJS.ErrnoException) => {
    // Another data directory may be on another file system.
    if (error.code !== 'EXDEV') throw error;
    const temporary = join(dirname(to), `${TEMPORARY}${world.randomUUID()}`);
    await cp(from, temporary, { recursive: true });
    await rename(temporary, to);
    await rm(from, { recursive: true, force: true });
  });
}

async function readRecord(folder: string, key: AnswerKey) {
  const text = await readFile(join(folder, RECORD), 'utf8').catch(ignoreMissing);
  if (text === undefined) throw new DamagedAnswer('answer.json is missing');
  try {
    return parseRecord(text, key);
  } catch (error) {
    throw new DamagedAnswer((error as Error).message, error);
  }
}

/** @returns the topmost folder that was not there before */
async function makeDirectory(path: string): Promise<string | undefined> {
  return await mkdir(path, { recursive: true, mode: 0o700 });
}

/** Removes a folder if it is empty. */
async function removeEmpty(path: string): Promise<void> {
  await rmdir(path).catch(() => {});
}
