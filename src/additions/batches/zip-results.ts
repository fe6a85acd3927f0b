import { Readable } from 'node:stream';
import { StorageError } from '@darkroom-service/media';
import { makeZip } from 'client-zip';
import type { TaskServices } from '../../kernel.ts';
import { batchFiles, type MissingFile } from './batch-files.ts';

/** Name of the entry that lists the tasks without a file, as JSON lines. It exists only if there are any. */
const MISSING = 'missing.jsonl';

interface Entry {
  readonly name: string;
  readonly lastModified: Date;
  readonly input: Readable | string;
}

/**
 * Returns the outputs of a batch as a ZIP archive without compression, since media are compressed already. Files are
 * read one after the other, as the caller reads. The archive breaks off if a file cannot be read to its end.
 */
export function zipResults(services: Pick<TaskServices, 'clock' | 'database' | 'storage'>, batchId: string): Readable {
  return Readable.fromWeb(makeZip(entries(services, batchId)));
}

async function* entries(
  services: Pick<TaskServices, 'clock' | 'database' | 'storage'>,
  batchId: string,
): AsyncGenerator<Entry> {
  const missing: MissingFile[] = [];
  for await (const file of batchFiles(services, batchId)) {
    if ('reason' in file) {
      missing.push(file);
      continue;
    }
    const { task, fileName, storageKey, completedAt } = file;
    const input = await openIfThere(services, storageKey);
    if (input === null)
      missing.push({ task_id: task.id, name: task.name, status: 'succeeded', reason: 'outputs_expired' });
    else
      try {
        yield { name: fileName, lastModified: new Date(completedAt), input };
      } finally {
        // Also if the caller leaves.
        input.destroy();
      }
  }
  if (missing.length === 0) return;
  const lines = missing.map((one) => `${JSON.stringify(one)}\n`).join('');
  yield { name: MISSING, lastModified: new Date(services.clock.now()), input: lines };
}

async function openIfThere(services: Pick<TaskServices, 'storage'>, storageKey: string): Promise<Readable | null> {
  try {
    return await services.storage.open(storageKey);
  } catch (error) {
    if (error instanceof StorageError && error.kind === 'not_found') return null;
    throw error;
  }
}
