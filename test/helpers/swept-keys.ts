import type { Storage } from '@darkroom-service/media';
import type { Database } from '../../src/database/database.ts';
import type { TaskServices } from '../../src/tasks/task-services.ts';
import { sweepOrphans } from '../../src/worker/sweep-orphans.ts';

/** Kills at every commit leave hundreds of orphans; more than a hundred in one sweep would stop it. */
const PARTS = 5;
const ID = /\/((?:img|vid|file)_[0-9a-z]+)/;

/**
 * Sweeps twice, so that the trash of the first sweep is emptied, and returns the keys that are left: without the mark,
 * and without files of ids before the oldest row or after the newest, which a sweep leaves alone: they may belong to
 * another database.
 */
export async function sweptKeys(
  services: TaskServices,
  { database, storage, now }: { readonly database: Database; readonly storage: Storage; readonly now: () => number },
): Promise<string[]> {
  const { read } = database;
  const idsOf = async (table: 'tasks' | 'files') =>
    (await read.all(read.builder.selectFrom(table).select('id'))).map(({ id }) => id);
  const taskIds = await idsOf('tasks');
  for (let part = 0; part < PARTS; part++) {
    const others = new Set(taskIds.filter((_, index) => index % PARTS !== part));
    const rest: Storage = {
      isLocal: storage.isLocal,
      keepsVersions: () => storage.keepsVersions(),
      provesBytes: () => storage.provesBytes(),
      put: (key, bytes, options) => storage.put(key, bytes, options),
      // What is not listed is not there: else the sweep would stop.
      stat: async (key) => (isOf(key, others) ? null : await storage.stat(key)),
      open: (key) => storage.open(key),
      remove: (key) => storage.remove(key),
      address: (key, options) => storage.address(key, options),
      list: (prefix) => listWithout(storage, prefix, others),
      check: () => storage.check(),
      close: () => storage.close(),
    };
    const swept = { ...services, database, storage: rest, clock: { now } };
    // Each looks at everything, as the first one of an installation.
    await database.write('test', (trx) => trx.run(trx.builder.deleteFrom('work').where('subject', '=', 'swept')));
    await sweepOrphans(swept);
    await sweepOrphans(swept);
  }
  const ids = [...taskIds, ...(await idsOf('files'))];
  const spanOf = (prefixes: readonly string[]) => {
    const times = ids.filter((id) => prefixes.some((prefix) => id.startsWith(prefix))).map(timeOf);
    times.sort();
    return { oldest: times[0] ?? '~', newest: times.at(-1) ?? '' };
  };
  const [tasks, files] = [spanOf(['img_', 'vid_']), spanOf(['file_'])];
  const left: string[] = [];
  for await (const { key } of storage.list('')) {
    const id = ID.exec(key)?.[1];
    const { oldest, newest } = id?.startsWith('file_') === true ? files : tasks;
    const isOutside = id !== undefined && (timeOf(id) < oldest || timeOf(id) > newest);
    if (key !== 'installation.json' && !isOutside) left.push(key);
  }
  return left;
}

async function* listWithout(storage: Storage, prefix: string, tasks: ReadonlySet<string>): ReturnType<Storage['list']> {
  for await (const file of storage.list(prefix)) if (prefix !== 'tasks/' || !isOf(file.key, tasks)) yield file;
}

function isOf(key: string, tasks: ReadonlySet<string>): boolean {
  return tasks.has(ID.exec(key)?.[1] ?? '');
}

function timeOf(id: string): string {
  return id.slice(id.indexOf('_') + 1);
}
