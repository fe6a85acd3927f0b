import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Storage } from '../storage/storage.ts';
import type { ArchiveRecord } from './archive-record.ts';

/** A file of records: compressed JSON lines, the first of which says what the file is. */

const MAX_BYTES = 1024 ** 3;

export interface WrittenArchive {
  readonly bytes: number;
  readonly sha256: string;
}

/** Writes a file and reads it back. @throws Error if another content is read than was written; StorageError */
export async function writeArchive(
  storage: Storage,
  key: string,
  month: string,
  records: readonly ArchiveRecord[],
): Promise<WrittenArchive> {
  const head = { format: 'darkroom-archive', version: 1, month, tasks: records.length };
  const text = [head, ...records].map((line) => `${JSON.stringify(line)}\n`).join('');
  const content = await promisify(gzip)(text);
  const written = { bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') };
  await storage.put(key, content, { contentType: 'application/gzip', maxBytes: MAX_BYTES });
  await readArchive(storage, key, written);
  return written;
}

/** @throws Error if the file is not the one that was written; StorageError */
export async function readArchive(
  storage: Storage,
  key: string,
  written: Pick<WrittenArchive, 'sha256'>,
): Promise<ArchiveRecord[]> {
  const parts: Buffer[] = [];
  for await (const part of await storage.open(key)) parts.push(part as Buffer);
  const content = Buffer.concat(parts);
  const sha256 = createHash('sha256').update(content).digest('hex');
  if (sha256 !== written.sha256)
    throw new Error(
      `The archive ${key} is not what was written: its SHA-256 is ${sha256} instead of ${written.sha256}.`,
    );
  const lines = (await promisify(gunzip)(content)).toString().trimEnd().split('\n');
  return lines.slice(1).map((line) => JSON.parse(line) as ArchiveRecord);
}
