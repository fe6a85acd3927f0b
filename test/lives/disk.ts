import { closeSync, copyFileSync, mkdtempSync, openSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type CommitHook, SqliteConnection, SqliteSession } from '@darkroom-service/store';
import type { Database, Session } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import type { Schema } from '../../src/database/schema.ts';
import { ADDED } from '../helpers/additions.ts';
import type { ManualClock } from '../helpers/task-services.ts';
import { createEmptying } from './empty-database.ts';
import type { Seeded } from './seeded.ts';
import type { SimulatedWorld } from './simulation.ts';

/** The disk of an embedded database, in memory. What was not flushed when the power is cut is lost. */
export interface SimulatedDisk {
  /** Opens the database for one process. */
  open(world: SimulatedWorld): Promise<Database>;
  /** Changes what was there before all. */
  prepare(sql: string): void;
  /** Reads what is written, flushed or not. @param values those of the statement's question marks */
  read<R>(sql: string, values?: readonly unknown[]): readonly R[];
  /** Reads what is written with the queries of the service. */
  readonly session: Session;
  /**
   * Returns which state is written: another number after each commit that holds more than heartbeats, and another
   * generation after a power cut.
   */
  version(): { readonly generation: number; readonly commits: number };
  /** Whether everything that is written is flushed. */
  isFlushed(): boolean;
  /** Returns the disk to its last flush. All processes are dead. */
  cutPower(): void;
  /** Takes a backup of what is flushed. @returns what restores it once all processes are dead */
  backup(): () => void;
  close(): Promise<void>;
}

/** The disks of a program, one after another. A closed one is emptied and used again: to open a database takes long. */
export interface Disks {
  /**
   * Creates a disk with a copy of a database on it.
   * @param options.flushes false: every commit is on the disk at once, as for the clients of a database server
   */
  create(options: { readonly seeded: Seeded; readonly flushes: boolean }): SimulatedDisk;
  close(): Promise<void>;
}

/** A database that a process has opened. Once the process is dead, the next one uses it. */
interface Opened {
  readonly database: Database;
  world: SimulatedWorld;
  flush: () => Promise<void>;
  /** How many units run or wait. */
  running: number;
}

/** A file with a database, and who has opened it. */
interface File {
  readonly path: string;
  readonly vfs: string;
  readonly reader: SqliteConnection;
  /** SQLite's index of the write-ahead log, opened by the first power cut. */
  index: number | null;
  opened: Opened[];
  commits: number;
}

/** Nobody else opens the files, so that no call of the system has to lock them. The log's index is then no file. */
const WITHOUT_LOCKS = 'unix-excl';
const WITH_INDEX = 'unix';
/** The head of the index, which is there twice. */
const HEAD = new Uint8Array(2 * 48);
const MEMORY_FOLDER = '/dev/shm';
const LONGEST_FLUSH_MS = 40;
const SLOW_FLUSHES = 0.1;
const SLOW_FLUSH_MS = 500;
const TURNS_TO_CLOSE = 200;

/**
 * Makes a folder for disks.
 * @param template the database that is copied; no process has it open
 */
export function openDisks(template: string, clock: ManualClock): Disks {
  const directory = makeDirectory();
  makeSmall(template);
  const now = () => clock.now();
  const empty = createEmptying(template);
  let made = 0;
  const left = new Map<string, File>();
  const makeFile = (vfs: string): File => {
    const path = join(directory, `${++made}.db`);
    copyFileSync(template, path);
    const reader = new SqliteConnection(`file:${path}?vfs=${vfs}`, { readOnly: false, now });
    return { path, vfs, reader, index: null, opened: [], commits: 0 };
  };
  const closeFile = async ({ path, reader, index, opened }: File) => {
    reader.close();
    await Promise.race([Promise.all(opened.map(({ database }) => database.close())), soon()]);
    if (index !== null) closeSync(index);
    for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
  };

  async function open(file: File, world: SimulatedWorld, flush: () => Promise<void>): Promise<Database> {
    const idle = file.opened.find((one) => one.world.isDead && one.running === 0);
    if (idle !== undefined) return Object.assign(idle, { world, flush }).database;
    const log = { checkpointPages: Number.MAX_SAFE_INTEGER, flush: () => one.flush() };
    // To open it takes no time of the simulation, so that a database that is open already tells the same story.
    const one = { world, flush: () => Promise.resolve(), running: 0 };
    const commitHook: CommitHook = (moment, names) => {
      if (moment === 'before' && names.some((name) => name !== 'heartbeat')) file.commits++;
    };
    const { path, vfs } = file;
    const opened = await openDatabase({ url: null, path, clock, commitHook, log, vfs, added: ADDED });
    const write: Database['write'] = (name, unit, options) => {
      one.running++;
      return opened.write(name, unit, options).finally(() => one.running--);
    };
    const database = { ...opened, write, writeAside: write };
    file.opened.push(Object.assign(one, { database, flush }));
    return database;
  }

  return {
    create({ seeded, flushes }) {
      const vfs = flushes ? WITH_INDEX : WITHOUT_LOCKS;
      const file = left.get(vfs) ?? makeFile(vfs);
      left.delete(vfs);
      const waiting = new Set<() => void>();
      const written = () => statSync(`${file.path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
      let cuts = 0;
      let isCut = false;
      let flushed = 0;
      let isClosing = false;

      function flush(world: SimulatedWorld): Promise<void> {
        if (!flushes || isClosing) return Promise.resolve();
        const [size, before] = [written(), cuts];
        return new Promise((resolve) => {
          waiting.add(resolve);
          // The disk goes on whatever becomes of the process.
          world.alsoDead(
            () => {
              waiting.delete(resolve);
              if (before === cuts) flushed = Math.max(flushed, size);
              resolve();
            },
            seeded.between(1, seeded.happens(SLOW_FLUSHES) ? SLOW_FLUSH_MS : LONGEST_FLUSH_MS),
          );
        });
      }

      /** Takes away what was not flushed. No transaction of the dead is open any more. */
      function restore(): void {
        isCut = false;
        truncateSync(`${file.path}-wal`, flushed);
        file.index ??= openSync(`${file.path}-shm`, 'r+');
        // Without a valid head SQLite reads the log again, as it does after a real power cut.
        writeSync(file.index, HEAD, 0, HEAD.length, 0);
      }

      return {
        async open(world) {
          if (isCut) restore();
          const database = await open(file, world, () => flush(world));
          flushed = written();
          return database;
        },
        prepare(sql) {
          if (isCut) restore();
          file.reader.exec(sql);
          // It was there before all, so no power cut undoes it.
          flushed = written();
        },
        read<R>(sql: string, values: readonly unknown[] = []) {
          if (isCut) restore();
          return file.reader.all(sql, values) as R[];
        },
        session: new SqliteSession<Schema>(file.reader),
        version: () => ({ generation: cuts, commits: file.commits }),
        isFlushed: () => !flushes || isCut || flushed >= written(),
        cutPower() {
          cuts++;
          isCut = true;
        },
        backup() {
          // The log only grows, so its length tells what was there.
          const size = flushed;
          return () => {
            flushed = size;
            cuts++;
            isCut = true;
          };
        },
        async close() {
          isClosing = true;
          for (const resolve of waiting) resolve();
          await soon();
          const [used, stuck] = [[] as Opened[], [] as Opened[]];
          for (const one of file.opened) (one.running === 0 ? used : stuck).push(one);
          file.opened = used;
          if (stuck.length === 0 && empty(file.reader)) left.set(vfs, file);
          else await closeFile({ ...file, opened: [...used, ...stuck] });
        },
      };
    },
    async close() {
      for (const file of left.values()) await closeFile(file);
      rmSync(directory, { recursive: true });
    },
  };
}

/** Resolves once everything that can end has had the time for it. */
async function soon(): Promise<void> {
  for (let turns = 0; turns < TURNS_TO_CLOSE; turns++) await new Promise((resolve) => setImmediate(resolve));
}

/** Gives a database small pages, so that there is less to copy, and less to write at each commit. */
function makeSmall(path: string): void {
  const database = new DatabaseSync(path);
  database.exec('pragma journal_mode = delete; pragma page_size = 1024; vacuum');
  database.close();
}

function makeDirectory(): string {
  try {
    return mkdtempSync(join(MEMORY_FOLDER, 'darkroom-lives-'));
  } catch {
    return mkdtempSync(join(tmpdir(), 'darkroom-lives-'));
  }
}
