import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { readBytes } from '@darkroom-service/media';

/** The size and the SHA-256 of a file. */
export interface Measured {
  readonly bytes: number;
  /** The digest in hexadecimal. */
  readonly sha256: string;
}

const SLICE_BYTES = 256 * 1024;

/** Writes a new file and flushes it. */
export async function writeSynced(path: string, data: Uint8Array): Promise<Measured> {
  return await readBytes(data, async () => {
    const hash = createHash('sha256');
    await withFile(path, 'wx', async (file) => {
      for (let start = 0; start < data.byteLength; start += SLICE_BYTES) {
        const slice = data.subarray(start, start + SLICE_BYTES);
        hash.update(slice);
        await file.writeFile(slice);
      }
      await file.sync();
    });
    return { bytes: data.byteLength, sha256: hash.digest('hex') };
  });
}

export async function withFile(path: string, flags: string, use: (file: FileHandle) => Promise<void>): Promise<void> {
  const file = await open(path, flags, 0o600);
  try {
    await use(file);
  } finally {
    await file.close();
  }
}

export async function syncDirectory(path: string): Promise<void> {
  // Windows cannot open directories, and stores their entries without a flush.
  if (process.platform === 'win32') return;
  await withFile(path, 'r', (file) => file.sync());
}

export function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
}
