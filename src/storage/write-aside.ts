import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { addAbortSignal, Readable } from 'node:stream';
import { fileFaultCode, ignore, withFileErrors } from './file-faults.ts';
import { type PutOptions, StorageError } from './storage.ts';

const CHUNK_BYTES = 1024 * 1024;
/** Another process may remove a directory that it found empty between our creating it and moving a file in. */
const PUBLISH_ATTEMPTS = 20;

/**
 * Writes a source to a new file and syncs it. The source is read to its end or destroyed.
 * @throws StorageError, or the source's own error, which is not the storage's fault.
 */
export async function writeAside(
  path: string,
  source: Readable | Uint8Array,
  options: Pick<PutOptions, 'maxBytes' | 'signal'>,
): Promise<{ bytes: number; sha256: string }> {
  const stream = source instanceof Readable ? source : Readable.from(slices(source));
  // An error before the first read would end the process if nobody listened; reading reports it again.
  stream.on('error', () => {});
  if (options.signal !== undefined) addAbortSignal(options.signal, stream);
  try {
    const handle = await withFileErrors(() => open(path, 'wx'));
    try {
      return await writeStream(handle, stream, options.maxBytes);
    } finally {
      await handle.close();
    }
  } finally {
    stream.destroy();
  }
}

/** Moves a finished file to its key below `directory`, so that it survives a power failure. */
export async function publish(aside: string, directory: string, key: string): Promise<void> {
  const target = join(directory, key);
  for (let attempt = 1; ; attempt++) {
    try {
      await mkdir(dirname(target), { recursive: true });
      await rename(aside, target);
      break;
    } catch (error) {
      if (fileFaultCode(error) !== 'ENOENT' || attempt === PUBLISH_ATTEMPTS) throw error;
    }
  }
  // Each directory above may be new, and a new directory survives a power failure only once its parent is synced.
  for (let level = dirname(key); ; level = dirname(level)) {
    await syncDirectory(join(directory, level));
    if (level === '.') return;
  }
}

async function writeStream(
  handle: FileHandle,
  stream: Readable,
  maxBytes: number,
): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of stream) {
    const chunk: Uint8Array = typeof piece === 'string' ? Buffer.from(piece) : piece;
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new StorageError('too_large', `expected at most ${maxBytes} bytes, found more`);
    hash.update(chunk);
    await withFileErrors(() => writeWhole(handle, chunk));
  }
  await withFileErrors(() => handle.sync());
  return { bytes, sha256: hash.digest('hex') };
}

async function writeWhole(handle: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let written = 0; written < chunk.byteLength; ) {
    const { bytesWritten } = await handle.write(chunk, written);
    written += bytesWritten;
  }
}

async function syncDirectory(path: string): Promise<void> {
  // Windows cannot open a directory and syncs its entries itself.
  if (process.platform === 'win32') return;
  const handle = await open(path, 'r').catch(ignore('ENOENT'));
  if (handle === undefined) return;
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function* slices(data: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < data.byteLength; start += CHUNK_BYTES) yield data.subarray(start, start + CHUNK_BYTES);
}
