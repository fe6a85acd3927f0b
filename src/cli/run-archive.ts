import { recordAct } from '../accounts/audit.ts';
import { type ArchivedMonth, archiveTasks, previewArchive } from '../archive/archive-tasks.ts';
import { openStorage } from '../storage/open-storage.ts';
import { usageFault } from './command-fault.ts';
import { withLocalData } from './local-database.ts';
import { type OutputOptions, show, table, tell } from './output.ts';

interface ArchiveCommand extends OutputOptions {
  readonly before: string;
  readonly dryRun?: boolean;
}

export async function runArchive(options: ArchiveCommand): Promise<void> {
  const before = /^\d{4}-(0[1-9]|1[0-2])$/.test(options.before) ? Date.parse(`${options.before}-01`) : Number.NaN;
  if (Number.isNaN(before)) throw usageFault(`--before: expected a month such as 2026-06, found '${options.before}'`);
  const months = await withLocalData('refuse', async ({ config, database, by }) => {
    if (before > by.now) throw usageFault(`--before: ${options.before} has not begun`);
    if (options.dryRun === true) return await previewArchive(database, before);
    const storage = await openStorage({ url: config.storageUrl, directory: config.filesDirectory, s3: config.s3 });
    try {
      const onProgress = ({ month, tasks }: ArchivedMonth) => tell(options, `${month}: ${tasks} tasks`);
      const { now, createId } = by;
      const found = await archiveTasks({ database, storage, before, now, createId, onProgress });
      await database.write('archive_act', (trx) =>
        recordAct(trx, by, {
          act: 'tasks.archive',
          target: options.before,
          detail: { months: found.map((month) => ({ ...month })) },
        }),
      );
      return found;
    } finally {
      await storage.close();
    }
  });
  show(options, {
    json: { before: options.before, dry_run: options.dryRun === true, months },
    text: describe(months, options),
  });
}

function describe(months: readonly ArchivedMonth[], { dryRun }: ArchiveCommand): string {
  if (months.length === 0) return 'There are no such tasks whose retention has ended.';
  const rows = months.map(({ month, tasks, files, bytes }) =>
    dryRun === true ? [month, tasks] : [month, tasks, files, bytes],
  );
  return table(dryRun === true ? ['MONTH', 'TASKS'] : ['MONTH', 'TASKS', 'FILES', 'BYTES'], rows);
}
