import { createHash, type Hash } from 'node:crypto';
import { addAbortSignal, Readable } from 'node:stream';
import { type PutOptions, StorageError, takeTurn } from '@darkroom-service/media';
import { closeFile, flushData, openFile, statFile, writeWhole } from './file-calls.ts';
import { withFileErrors } from './file-faults.ts';

const CHUNK_BYTES = 256 * 1024;

/**
 * Writes a source to a new file and syncs it. The source is read to its end or destroyed.
 * @throws StorageError, or the source's own error, which is not the storage's fault.
 */
export async function writeAside(
  path: string,
  source: Readable | Uint8Array,
  options: Pick<PutOptions, 'maxBytes' | 'sha256' | 'signal' | 'check'>,
): Promise<{ bytes: number; sha256: string }> {
  if (source instanceof Readable) {
    // An error before the first read would end the process if nobody listened; reading reports it again.
    source.on('error', () => {});
    if (options.signal !== undefined) addAbortSignal(options.signal, source);
  }
  try {
    const file = await withFileErrors(() => openFile(path, 'wx'));
    try {
      return await writePieces(file, source instanceof Readable ? source : slices(source), options);
    } finally {
      await closeFile(file);
    }
  } finally {
    if (source instanceof Readable) source.destroy();
  }
}

async function writePieces(
  file: number,
  pieces: AsyncIterable<unknown> | Iterable<Uint8Array>,
  { maxBytes, sha256: known, check }: Pick<PutOptions, 'maxBytes' | 'sha256' | 'check'>,
): Promise<{ bytes: number; sha256: string }> {
  const hash = known === undefined ? createHash('sha256') : null;
  let bytes = 0;
  for await (const piece of pieces) {
    const chunk = typeof piece === 'string' ? Buffer.from(piece) : (piece as Uint8Array);
    bytes += chunk.byteLength;
    if (bytes > chunk.byteLength) await takeTurn();
    if (bytes > maxBytes) throw new StorageError('too_large', `expected at most ${maxBytes} bytes, found more`);
    hash?.update(chunk);
    await check?.add(chunk);
    await withFileErrors(() => writeWhole(file, chunk));
  }
  check?.end();
  await withFileErrors(() => flushData(file));
  const { size } = await withFileErrors(() => statFile(file));
  if (size !== bytes)
    throw new StorageError('unavailable', `the directory that holds the files has ${size} of ${bytes} written bytes`);
  return { bytes, sha256: known ?? (hash as Hash).digest('hex') };
}

/** Shows bytes to the check of a put, as `writeAside` does. @throws StorageError, or the error of the check */
export async function examineBytes(
  data: Uint8Array,
  { maxBytes, check }: Pick<PutOptions, 'maxBytes' | 'check'>,
): Promise<void> {
  if (data.byteLength > maxBytes)
    throw new StorageError('too_large', `expected at most ${maxBytes} bytes, found ${data.byteLength}`);
  for (const piece of slices(data)) {
    if (piece.byteOffset > data.byteOffset) await takeTurn();
    await check?.add(piece);
  }
  check?.end();
}

function* slices(data: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < data.byteLength; start += CHUNK_BYTES) yield data.subarray(start, start + CHUNK_BYTES);
}
