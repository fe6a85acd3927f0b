import type { Storage } from '@darkroom-service/media/storage';
import type { Database } from '../src/database/database.ts';
import type { TaskServices } from '../src/tasks/task-services.ts';
import { sweepOrphans } from '../src/worker/sweep-orphans.ts';

/**
 * Sweeps twice, so that the trash of the first sweep is emptied, and returns the keys that are left: without the mark,
 * and without files of ids before the oldest row or after the newest, which a sweep leaves alone: they may belong to
 * another database.
 */
export async function sweptKeys(
  services: TaskServices,
  { database, storage, now }: { readonly database: Database; readonly storage: Storage; readonly now: () => number },
): Promise<string[]> {
  const swept = { ...services, database, storage, clock: { now } };
  await sweepOrphans(swept);
  await sweepOrphans(swept);
  const { read } = database;
  const ids = [
    ...(await read.all(read.builder.selectFrom('tasks').select('id'))),
    ...(await read.all(read.builder.selectFrom('files').select('id'))),
  ].map(({ id }) => id);
  const spanOf = (prefixes: readonly string[]) => {
    const times = ids.filter((id) => prefixes.some((prefix) => id.startsWith(prefix))).map(timeOf);
    times.sort();
    return { oldest: times[0] ?? '~', newest: times.at(-1) ?? '' };
  };
  const [tasks, files] = [spanOf(['img_', 'vid_']), spanOf(['file_'])];
  const left: string[] = [];
  for await (const { key } of storage.list('')) {
    const id = /\/((?:img|vid|file)_[0-9a-z]+)/.exec(key)?.[1];
    const { oldest, newest } = id?.startsWith('file_') === true ? files : tasks;
    const isOutside = id !== undefined && (timeOf(id) < oldest || timeOf(id) > newest);
    if (key !== 'installation.json' && !isOutside) left.push(key);
  }
  return left;
}

function timeOf(id: string): string {
  return id.slice(id.indexOf('_') + 1);
}
