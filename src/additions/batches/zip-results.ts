import { Readable } from 'node:stream';
import { StorageError } from '@darkroom-service/media';
import { makeZip } from 'client-zip';
import type { Kernel } from '../../kernel.ts';
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
export function zipResults(kernel: Pick<Kernel, 'clock' | 'files' | 'store'>, batchId: string): Readable {
  return Readable.fromWeb(makeZip(entries(kernel, batchId)));
}

async function* entries(kernel: Pick<Kernel, 'clock' | 'files' | 'store'>, batchId: string): AsyncGenerator<Entry> {
  const missing: MissingFile[] = [];
  for await (const file of batchFiles(kernel, batchId)) {
    if ('reason' in file) {
      missing.push(file);
      continue;
    }
    const { task, fileName, storageKey, completedAt } = file;
    const input = await openIfThere(kernel, storageKey);
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
  yield { name: MISSING, lastModified: new Date(kernel.clock.now()), input: lines };
}

async function openIfThere({ files }: Pick<Kernel, 'files'>, storageKey: string): Promise<Readable | null> {
  try {
    return await files.storage.open(storageKey);
  } catch (error) {
    if (error instanceof StorageError && error.kind === 'not_found') return null;
    throw error;
  }
}
