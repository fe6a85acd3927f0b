import { withLength } from '@darkroom-service/media';
import { choreTime, markChore } from '@darkroom-service/store';
import { inSlices } from '../base/map-in-slices.ts';
import type { Database } from '../database/database.ts';
import { readInstallation } from '../installation/suspension.ts';
import { taskOfFileKey, thumbnailKeyOf } from '../record/task.ts';
import { outputsOf } from '../record/task-json.ts';
import type { TaskServices } from '../tasks/task-services.ts';

/** Minimum age of an orphan: files are stored before the row of their order. */
const ORPHAN_AFTER_MS = 24 * 60 * 60 * 1000;
/**
 * Maximum number of orphans. If both limits are exceeded, they are not left over from a kill: the database does not
 * belong to these files.
 */
const MOST_ORPHANS = 100;
const MOST_ORPHANS_SHARE = 0.01;
/** Number of newest orders that show whether the storage lists its files. */
const MOST_EXPECTED = 100;
/** Number of newest orders of a kind that are searched for orders with files. */
const MOST_READ = 1_000;
/** Folder in which orphans stay for a day. */
const TRASH = 'trash/';

/** Name under which the beginning of the last completed sweep is stored, by whichever process. */
const SWEPT = 'swept';
/** Allowance for differences between clocks, such as that of a file server. */
const CLOCK_MARGIN_MS = 60 * 60 * 1000;
/** Days within which each folder is examined once, whether or not it changed. */
const WHOLE_IN_DAYS = 31;

type SweepServices = Pick<TaskServices, 'database' | 'storage' | 'clock' | 'log'>;

/**
 * Moves files that no row names, which a kill left between storing and committing, to the trash, and removes those that
 * have been there for a day. It only touches files whose ids lie between the oldest and the newest of the database, and
 * none at all if there are suspiciously many, or if the storage does not list its files. It examines only directories
 * that changed since the last sweep, and a part of the others; the first sweep examines everything.
 * @param signal aborts it; it then removes nothing
 * @returns the number of files that it moved or removed
 */
export async function sweepOrphans(services: SweepServices, signal?: AbortSignal): Promise<number> {
  const { clock, database, log, storage } = services;
  const now = clock.now();
  const young = now - ORPHAN_AFTER_MS;
  const sweptAt = await choreTime(database.read, SWEPT);
  // A file that was too young for the last sweep came within the day before it.
  const since = sweptAt === null ? 0 : sweptAt - ORPHAN_AFTER_MS - CLOCK_MARGIN_MS;
  const removable: string[] = [];
  for (const prefix of ['check/', TRASH])
    for await (const { key, changedAt } of inSlices(storage.list(prefix))) {
      if (signal?.aborted === true) return 0;
      // A process that is killed during a storage probe leaves its sample file.
      if (changedAt <= young) removable.push(key);
    }
  const found = await findOrphans(services, { young, since, now }, signal);
  if (found === null) return 0;
  const { orphans, files, unlisted } = found;
  const isStopped = orphans.length > MOST_ORPHANS && orphans.length > files * MOST_ORPHANS_SHARE;
  if (isStopped) log.error({ orphans: orphans.length, files, example: orphans[0] }, 'sweep stopped: too many orphans');
  if (unlisted !== null) log.error({ files, example: unlisted }, 'sweep stopped: the storage does not list all files');
  const why = isStopped
    ? `${orphans.length} of ${files} files have no row in the database, such as ${orphans[0]}.`
    : `The storage lists ${files} files, and not all that it has: ${unlisted} is missing.`;
  await recordEnd(database, now, isStopped || unlisted !== null ? `${why} Nothing was removed.` : null);
  if (unlisted !== null) return 0;
  const moved = isStopped ? [] : orphans;
  for (const key of moved) if (signal?.aborted !== true) await moveToTrash(storage, key);
  for (const key of removable) if (signal?.aborted !== true) await storage.remove(key);
  return moved.length + removable.length;
}

/** @returns null if it was aborted */
async function findOrphans(
  { database, storage }: SweepServices,
  { young, since, now }: { readonly young: number; readonly since: number; readonly now: number },
  signal: AbortSignal | undefined,
): Promise<{
  readonly orphans: readonly string[];
  readonly files: number;
  /** A file that the storage has but does not list. */
  readonly unlisted: string | null;
} | null> {
  const { read } = database;
  const expected = await newestFiles(read, since);
  const today = Math.floor(now / 86_400_000) % WHOLE_IN_DAYS;
  const isSkipped = (folder: string, changedAt: number) =>
    changedAt < since && folder.charCodeAt(folder.length - 1) % WHOLE_IN_DAYS !== today;
  const orphans: string[] = [];
  let files = 0;
  let taskBefore: string | null = null;
  let isNamed: (key: string) => boolean = () => true;
  const tasks = await spanOf(database, 'tasks');
  for await (const { key, changedAt } of inSlices(storage.list('tasks/', isSkipped))) {
    if (signal?.aborted === true) return null;
    files++;
    expected.delete(key);
    const taskId = taskOfFileKey(key);
    if (changedAt > young || taskId === null || !tasks(taskId)) continue;
    // A bucket has no folders with a time of change.
    if (!storage.isLocal && isSkipped(key.split('/')[1] ?? '', changedAt)) continue;
    // The files of a task are adjacent in the listing.
    if (taskId !== taskBefore) isNamed = await namesOf(database, taskId);
    taskBefore = taskId;
    if (!isNamed(key)) orphans.push(key);
  }
  const uploads = await spanOf(database, 'files');
  for await (const { key, changedAt } of inSlices(storage.list('uploads/', isSkipped))) {
    if (signal?.aborted === true) return null;
    files++;
    // Looked up by id, which has an index: files are named after their rows.
    const id = key.split('/').at(-1) ?? '';
    if (changedAt > young || !uploads(id)) continue;
    const file = await read.first(read.builder.selectFrom('files').select('erased_at').where('id', '=', id));
    if (file === undefined || file.erased_at !== null) orphans.push(key);
  }
  for (const key of expected) if ((await storage.stat(key)) !== null) return { orphans, files, unlisted: key };
  return { orphans, files, unlisted: null };
}

/**
 * Returns the files of the newest orders that ended since a time. A complete list has them; a copy may name its
 * original's.
 */
async function newestFiles(read: Database['read'], since: number): Promise<Set<string>> {
  if (((await readInstallation(read))?.prefix ?? null) !== null) return new Set();
  const keys = new Set<string>();
  for (const prefix of ['img_', 'vid_']) {
    const latest = read.builder
      .selectFrom('tasks')
      .select(['status', 'erased_at', 'outputs_json', 'completed_at'])
      .where('id', '>=', prefix)
      .where('id', '<', `${prefix}~`)
      .orderBy('id', 'desc')
      .limit(MOST_READ);
    const tasks = await read.all(
      read.builder
        .selectFrom(latest.as('latest'))
        .select('outputs_json')
        .where('status', '=', 'succeeded')
        .where('erased_at', 'is', null)
        .where('completed_at', '>', since === 0 ? 0 : since + CLOCK_MARGIN_MS)
        .limit(MOST_EXPECTED),
    );
    for (const task of tasks) for (const { key } of outputsOf(task)) keys.add(key);
  }
  return keys;
}

/** Tells whether an id lies between the oldest and the newest of a table. Ids sort by time after their prefix. */
async function spanOf({ read }: Pick<Database, 'read'>, table: 'tasks' | 'files'): Promise<(id: string) => boolean> {
  const prefixes = table === 'tasks' ? ['img_', 'vid_'] : ['file_'];
  const times: string[] = [];
  for (const prefix of prefixes)
    for (const order of ['asc', 'desc'] as const) {
      const row = await read.first(
        read.builder
          .selectFrom(table)
          .select('id')
          .where('id', '>=', prefix)
          .where('id', '<', `${prefix}~`)
          .orderBy('id', order)
          .limit(1),
      );
      if (row !== undefined) times.push(row.id.slice(prefix.length));
    }
  times.sort();
  const [oldest, newest] = [times[0], times.at(-1)];
  return (id) => {
    const time = id.slice(id.indexOf('_') + 1);
    return oldest !== undefined && newest !== undefined && time >= oldest && time <= newest;
  };
}

async function moveToTrash(storage: TaskServices['storage'], key: string): Promise<void> {
  const found = await storage.stat(key);
  if (found === null) return;
  await storage.put(`${TRASH}${key}`, withLength(await storage.open(key), key, found.bytes), {
    contentType: 'application/octet-stream',
    maxBytes: found.bytes,
  });
  await storage.remove(key);
}

/**
 * Stores the reason why the sweep removed nothing, for the alert; null = it finished, so that the next one begins
 * there.
 */
async function recordEnd(database: Database, now: number, why: string | null): Promise<void> {
  await database.write('sweep', async (trx) => {
    await trx.run(trx.builder.updateTable('installation').set({ sweep_stopped: why }));
    if (why === null) await markChore(trx, SWEPT, now);
  });
}

/** Tells which files belong to a task. While the task is not final, all of its files count. */
async function namesOf({ read }: Pick<Database, 'read'>, taskId: string): Promise<(key: string) => boolean> {
  const task = await read.first(
    read.builder.selectFrom('tasks').select(['step', 'outputs_json', 'media_json']).where('id', '=', taskId),
  );
  if (task === undefined) return () => false;
  if (task.step !== 'final') return () => true;
  const thumbnails = outputsOf(task).map(thumbnailKeyOf);
  return (key) =>
    task.outputs_json.includes(`"${key}"`) ||
    task.media_json?.includes(`"${key}"`) === true ||
    thumbnails.includes(key);
}
