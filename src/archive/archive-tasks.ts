import { setTimeout as pause } from 'node:timers/promises';
import { closeDays } from '../accounts/closed-days.ts';
import { usageDays } from '../accounts/usage-days.ts';
import type { Database, Session } from '../database/database.ts';
import type { Storage } from '../storage/storage.ts';
import { costDays } from '../tasks/cost-days.ts';
import { archivableTasks, countArchivable, monthsBefore } from './archivable.ts';
import { readArchive, type WrittenArchive, writeArchive } from './archive-file.ts';
import { type ArchiveRecord, completeRecords } from './archive-record.ts';
import { coverEntries, moveTasks } from './move-tasks.ts';
import { archiveKey, unrecordedFiles } from './unrecorded-files.ts';

export interface ArchiveOptions {
  readonly database: Database;
  readonly storage: Storage;
  /** The start of a UTC month that has begun: tasks that were created or ended later stay. */
  readonly before: number;
  readonly now: number;
  readonly createId: (prefix: string) => string;
  readonly tasksPerFile?: number;
  readonly tasksPerCommit?: number;
  /** How long a reader of a balance may take from its checkpoint to the entries after it. */
  readonly readersMs?: number;
  readonly onProgress?: (progress: ArchivedMonth) => void;
}

export interface ArchivedMonth {
  readonly month: string;
  readonly tasks: number;
  readonly files: number;
  /** Of the files, compressed. */
  readonly bytes: number;
}

const TASKS_PER_FILE = 5_000;
const TASKS_PER_COMMIT = 100;
const MAX_PAUSE_MS = 200;
const READERS_MS = 10_000;

/** Counts what `archiveTasks` would move. */
export async function previewArchive(database: Database, before: number): Promise<ArchivedMonth[]> {
  const found: ArchivedMonth[] = [];
  for (const month of await monthsBefore(database.read, before)) {
    const tasks = await countArchivable(database.reports, month, before);
    if (tasks > 0) found.push({ month: month.name, tasks, files: 0, bytes: 0 });
  }
  return found;
}

/**
 * Moves finished and erased tasks of past months to files, beside a running service. A file is written, read back and
 * recorded before the first of its tasks leaves the tables, so a kill leaves each task in the tables or in a recorded
 * file; the next run goes on with unfinished files, and with files that a kill left without a record.
 */
export async function archiveTasks(options: ArchiveOptions): Promise<ArchivedMonth[]> {
  const { database, storage, before, now, createId, tasksPerFile = TASKS_PER_FILE } = options;
  await closeDays(database, usageDays, now);
  await closeDays(database, costDays, now);
  const months = new Map<string, ArchivedMonth>();
  const add = (month: string, tasks: number, bytes: number) => {
    const sum = months.get(month) ?? { month, tasks: 0, files: 0, bytes: 0 };
    const added = { month, tasks: sum.tasks + tasks, files: sum.files + 1, bytes: sum.bytes + bytes };
    months.set(month, added);
    options.onProgress?.(added);
  };
  const { read } = database;
  const unfinished = read.builder.selectFrom('archives').selectAll().where('done_at', 'is', null).orderBy('id');
  for (const archive of await read.all(unfinished)) {
    const records = await readArchive(storage, archive.storage_key, archive);
    add(archive.month, await moveAll(options, archive.id, records, true), archive.bytes);
  }
  for await (const file of unrecordedFiles(read, storage, before)) {
    const { id, key, month, records, bytes, sha256 } = file;
    if (!(await hasRows(read, records))) {
      // Another run has archived its tasks since.
      await storage.remove(key);
      continue;
    }
    await recordFile(database, { id, month, records, now }, { bytes, sha256 });
    add(month, await moveAll(options, id, records, true), bytes);
  }
  for (const month of await monthsBefore(read, before)) {
    for await (const tasks of archivableTasks(read, month, before, tasksPerFile)) {
      const records = await completeRecords(read, tasks);
      const id = createId('arc');
      const { bytes } = await storeFile(database, storage, { id, month: month.name, records, now });
      add(month.name, await moveAll(options, id, records, false), bytes);
    }
  }
  return [...months.values()];
}

interface ArchiveToRecord {
  readonly id: string;
  readonly month: string;
  readonly records: readonly ArchiveRecord[];
  readonly now: number;
}

async function storeFile(database: Database, storage: Storage, archive: ArchiveToRecord): Promise<WrittenArchive> {
  const { id, month, records } = archive;
  const written = await writeArchive(storage, archiveKey(month, id), month, records);
  await recordFile(database, archive, written);
  return written;
}

/** Another run may record the same file meanwhile: it found it without a record. Both then move its tasks. */
async function recordFile(
  database: Database,
  { id, month, records, now }: ArchiveToRecord,
  { bytes, sha256 }: WrittenArchive,
): Promise<void> {
  const storage_key = archiveKey(month, id);
  const row = { id, month, storage_key, tasks: records.length, created_at: now, moved: 0, done_at: null };
  await database.write('archive_file', async (trx) => {
    const insert = trx.builder.insertInto('archives').values({ ...row, bytes, sha256 });
    await trx.run(insert.onConflict((conflict) => conflict.column('id').doNothing()));
  });
}

async function hasRows(read: Session, records: readonly ArchiveRecord[]): Promise<boolean> {
  const ids = records.map(({ task }) => task.id);
  const row = await read.first(read.builder.selectFrom('tasks').select('id').where('id', 'in', ids).limit(1));
  return row !== undefined;
}

async function moveAll(
  { database, now, tasksPerCommit = TASKS_PER_COMMIT, readersMs = READERS_MS }: ArchiveOptions,
  id: string,
  records: readonly ArchiveRecord[],
  isResumed: boolean,
): Promise<number> {
  if ((await coverEntries(database, records, now)) || isResumed) await pause(readersMs);
  let moved = 0;
  for (let at = 0; at < records.length; at += tasksPerCommit) {
    const began = performance.now();
    moved += await moveTasks(database, id, records.slice(at, at + tasksPerCommit));
    // Pauses as long as it worked, to leave time for orders.
    await pause(Math.min(MAX_PAUSE_MS, performance.now() - began));
  }
  await database.write('archive_done', (trx) =>
    trx.run(trx.builder.updateTable('archives').set({ done_at: now }).where('id', '=', id)),
  );
  return moved;
}
