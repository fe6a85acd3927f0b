import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

const CHUNK_BYTES = 1024 * 1024;

/** Computes the SHA-256 of a file in hexadecimal digits. @throws the signal's reason if it is aborted. */
export async function digestFile(
  path: string,
  signal: AbortSignal,
  onBytes: (count: number) => void = () => {},
): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES, signal })) {
    hash.update(chunk as Buffer);
    onBytes((chunk as Buffer).length);
  }
  return hash.digest('hex');
}
