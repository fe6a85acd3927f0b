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
  const { content, sha256 } = await load(storage, key);
  if (sha256 !== written.sha256)
    throw new Error(
      `The archive ${key} is not what was written: its SHA-256 is ${sha256} instead of ${written.sha256}.`,
    );
  return await recordsIn(content);
}

/** A file as it is in storage. */
export interface FoundArchive extends WrittenArchive {
  readonly records: readonly ArchiveRecord[];
}

/** Reads a file of which nothing is known. @throws Error if it is no archive; StorageError */
export async function openArchive(storage: Storage, key: string): Promise<FoundArchive> {
  const { content, sha256 } = await load(storage, key);
  try {
    return { records: await recordsIn(content), bytes: content.length, sha256 };
  } catch (error) {
    throw new Error(`The file ${key} is not recorded and cannot be read. Move it away and start again.`, {
      cause: error,
    });
  }
}

async function load(storage: Storage, key: string): Promise<{ readonly content: Buffer; readonly sha256: string }> {
  const parts: Buffer[] = [];
  for await (const part of await storage.open(key)) parts.push(part as Buffer);
  const content = Buffer.concat(parts);
  return { content, sha256: createHash('sha256').update(content).digest('hex') };
}

async function recordsIn(content: Buffer): Promise<ArchiveRecord[]> {
  const lines = (await promisify(gunzip)(content)).toString().trimEnd().split('\n');
  return lines.slice(1).map((line) => JSON.parse(line) as ArchiveRecord);
}
