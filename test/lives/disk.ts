import { copyFileSync, mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SqliteConnection } from '@darkroom-service/store';
import type { Database } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { ADDED } from '../additions.ts';
import type { ManualClock } from '../task-services.ts';
import type { Seeded } from './seeded.ts';
import type { SimulatedWorld } from './simulation.ts';

/** The disk of an embedded database, in memory. What was not flushed when the power is cut is lost. */
export interface SimulatedDisk {
  /** Opens the database for one process. */
  open(world: SimulatedWorld): Promise<Database>;
  /** Changes what was there before all. */
  prepare(sql: string): void;
  /** Reads what is written, flushed or not. */
  read<R>(sql: string): readonly R[];
  /** Whether everything that is written is flushed. */
  isFlushed(): boolean;
  /** Returns the disk to its last flush. All processes are dead. */
  cutPower(): void;
  close(): Promise<void>;
}

const MEMORY_FOLDER = '/dev/shm';
const LONGEST_FLUSH_MS = 40;
const SLOW_FLUSHES = 0.1;
const SLOW_FLUSH_MS = 500;
const TURNS_TO_CLOSE = 200;

/**
 * Creates a disk with a copy of a database on it.
 * @param options.flushes false: every commit is on the disk at once, as for the clients of a database server
 */
export function createDisk(
  template: string,
  options: { readonly clock: ManualClock; readonly seeded: Seeded; readonly flushes: boolean },
): SimulatedDisk {
  const { clock, seeded, flushes } = options;
  const directory = makeDirectory();
  const opened: Database[] = [];
  const waiting = new Set<() => void>();
  let generation = 0;
  const pathOf = (number: number) => join(directory, `${number}.db`);
  let path = pathOf(0);
  copyFileSync(template, path);
  const written = () => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  let flushed = 0;
  let isClosing = false;
  let reader: SqliteConnection | null = null;

  function flush(world: SimulatedWorld, file: string): Promise<void> {
    if (!flushes || isClosing) return Promise.resolve();
    const size = written();
    return new Promise((resolve) => {
      waiting.add(resolve);
      // The disk goes on whatever becomes of the process.
      world.alsoDead(
        () => {
          waiting.delete(resolve);
          if (file === path) flushed = Math.max(flushed, size);
          resolve();
        },
        seeded.between(1, seeded.happens(SLOW_FLUSHES) ? SLOW_FLUSH_MS : LONGEST_FLUSH_MS),
      );
    });
  }

  return {
    async open(world) {
      const file = path;
      const log = { checkpointPages: Number.MAX_SAFE_INTEGER, flush: () => flush(world, file) };
      const database = await openDatabase({ url: null, path, clock, log, added: ADDED });
      opened.push(database);
      return database;
    },
    prepare(sql) {
      const connection = new SqliteConnection(path, { readOnly: false, now: () => clock.now() });
      connection.exec(sql);
      connection.close();
    },
    read<R>(sql: string) {
      reader ??= new SqliteConnection(path, { readOnly: true, now: () => clock.now() });
      return reader.all(sql, []) as R[];
    },
    isFlushed: () => !flushes || flushed >= written(),
    cutPower() {
      reader?.close();
      reader = null;
      const before = path;
      path = pathOf(++generation);
      copyFileSync(before, path);
      copyFileSync(`${before}-wal`, `${path}-wal`);
      truncateSync(`${path}-wal`, flushed);
    },
    async close() {
      reader?.close();
      isClosing = true;
      for (const resolve of waiting) resolve();
      // What a dead process had begun may never end.
      await Promise.race([Promise.all(opened.map((database) => database.close())), soon()]);
      rmSync(directory, { recursive: true });
    },
  };
}

/** Resolves once everything that can end has had the time for it. */
async function soon(): Promise<void> {
  for (let turns = 0; turns < TURNS_TO_CLOSE; turns++) await new Promise((resolve) => setImmediate(resolve));
}

function makeDirectory(): string {
  try {
    return mkdtempSync(join(MEMORY_FOLDER, 'darkroom-lives-'));
  } catch {
    return mkdtempSync(join(tmpdir(), 'darkroom-lives-'));
  }
}
