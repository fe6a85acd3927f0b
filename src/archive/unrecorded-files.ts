import type { Session } from '../database/database.ts';
import type { Storage } from '../storage/storage.ts';
import { type FoundArchive, openArchive } from './archive-file.ts';

const PREFIX = 'archive/';
const NAME = /^archive\/(\d{4}-\d{2})\/(arc_[^/]+)\.jsonl\.gz$/;

export interface UnrecordedFile extends FoundArchive {
  readonly id: string;
  readonly key: string;
  readonly month: string;
}

export function archiveKey(month: string, id: string): string {
  return `${PREFIX}${month}/${id}.jsonl.gz`;
}

/**
 * Finds files that are in storage without a record: their process was killed between the file and its commit. Files of
 * months that end after `before` are left alone.
 * @throws Error if one cannot be read; StorageError
 */
export async function* unrecordedFiles(
  read: Session,
  storage: Storage,
  before: number,
): AsyncGenerator<UnrecordedFile> {
  const rows = await read.all(read.builder.selectFrom('archives').select('storage_key'));
  const recorded = new Set(rows.map((row) => row.storage_key));
  for await (const { key } of storage.list(PREFIX)) {
    const [, month, id] = NAME.exec(key) ?? [];
    if (month === undefined || id === undefined || recorded.has(key) || endOf(month) > before) continue;
    yield { id, key, month, ...(await openArchive(storage, key)) };
  }
}

function endOf(month: string): number {
  const [year, number] = month.split('-').map(Number);
  return Date.UTC(year ?? 0, number ?? 0);
}
