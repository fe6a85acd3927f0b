/**
 * Writes a file completely or not at all, under a temporary name first. A device or a pipe is written to instead, and a
 * symbolic link stays. Loaded only where a path is given.
 */
export async function saveChunks(target: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const { open, realpath, rename, rm, stat } = await import('node:fs/promises');
  const path = await realpath(target).catch(() => target);
  const existing = await stat(path).catch(() => null);
  if (existing !== null && !existing.isFile()) {
    const file = await open(path, 'w');
    try {
      for await (const chunk of chunks) await file.writeFile(chunk);
    } finally {
      await file.close();
    }
    return;
  }
  const part = `${path}.${Math.random().toString(36).slice(2, 10)}.part`;
  const file = await open(part, 'wx');
  try {
    try {
      for await (const chunk of chunks) await file.writeFile(chunk);
    } finally {
      await file.close();
    }
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

/** Reads a file into a Blob. */
export async function readFileAsBlob(path: string | URL): Promise<Blob> {
  const { readFile } = await import('node:fs/promises');
  return new Blob([await readFile(path)]);
}
