import type { Stats } from 'node:fs';
import { type FileHandle, mkdir, open, opendir, rm, rmdir, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { world } from '@darkroom-service/contract';
import { type PutOptions, type Storage, StorageError, type StoredFile } from '@darkroom-service/media';
import { ignore } from './fault-code.ts';
import { withFileErrors } from './file-faults.ts';
import { FileWriter } from './file-writer.ts';
import { createPublisher } from './publish.ts';
import { assertStorageKey, assertStoragePrefix } from './storage-key.ts';
import { examineBytes, writeAside } from './write-aside.ts';

interface FileStorageOptions {
  /** Milliseconds since 1970; decides which temporary files are abandoned. */
  readonly now?: () => number;
}

const TEMPORARY = '.tmp';
const LEFT_OVER_AFTER_MS = 60 * 60 * 1000;

/**
 * Opens a storage in a local directory, which is created if absent; several processes may share it. A file is written
 * to a temporary directory, synced and renamed, so that visible files are always complete, even after a power failure.
 * A thread does this for small files, and `close` ends it.
 * Each folder in a key becomes a directory, so keys decide how many files share one.
 * @throws StorageError
 */
export async function openFileStorage(directory: string, options: FileStorageOptions = {}): Promise<Storage> {
  const now = options.now ?? (() => world.now());
  const temporary = join(directory, TEMPORARY);
  const publish = createPublisher(directory);
  const writer = new FileWriter(directory);
  await withFileErrors(async () => {
    await mkdir(temporary, { recursive: true, mode: 0o700 });
    await sweepLeftOvers(temporary, now() - LEFT_OVER_AFTER_MS);
  });

  async function put(key: string, source: Readable | Uint8Array, putOptions: PutOptions): Promise<StoredFile> {
    assertStorageKey(key);
    const aside = join(temporary, world.randomUUID());
    if (source instanceof Uint8Array && writer.reserve(source.byteLength))
      return await putSmall(key, aside, source, putOptions);
    try {
      const measured = await writeAside(aside, source, putOptions);
      putOptions.onFile?.({ paths: [aside, join(directory, key)], ...measured });
      putOptions.signal?.throwIfAborted();
      await withFileErrors(() => publish(aside, key));
      return { key, ...measured };
    } catch (error) {
      await rm(aside, { force: true });
      putOptions.signal?.throwIfAborted();
      throw error;
    }
  }

  /** Stores bytes by the thread, which costs the event loop less than calls of its own. */
  async function putSmall(
    key: string,
    aside: string,
    data: Uint8Array,
    { signal, onFile, ...limits }: PutOptions,
  ): Promise<StoredFile> {
    try {
      await examineBytes(data, limits);
      signal?.throwIfAborted();
    } catch (error) {
      writer.release(data.byteLength);
      throw error;
    }
    const measured = { bytes: data.byteLength, sha256: await withFileErrors(() => writer.write(aside, key, data)) };
    onFile?.({ paths: [join(directory, key)], ...measured });
    return { key, ...measured };
  }

  async function openKey(key: string, range?: { readonly start: number; readonly end: number }): Promise<Readable> {
    assertStorageKey(key);
    if (range !== undefined && !(range.start >= 0 && range.end >= range.start)) {
      throw new RangeError(`expected a range with 0 <= start <= end, found ${range.start} to ${range.end}`);
    }
    const handle = await openRegularFile(join(directory, key), key);
    return handle.createReadStream(range === undefined ? {} : { start: range.start, end: range.end });
  }

  async function remove(key: string): Promise<void> {
    assertStorageKey(key);
    await withFileErrors(() => unlinkFile(join(directory, key)));
    await pruneEmptyDirectories(directory, dirname(key));
  }

  async function check(): Promise<void> {
    const key = `check/${world.randomUUID()}`;
    await put(key, Buffer.from(key), { contentType: 'text/plain', maxBytes: key.length });
    const found = await buffer(await openKey(key));
    await remove(key);
    if (found.toString() !== key) {
      throw new StorageError('unavailable', 'a small file read back differs from what was written');
    }
  }

  return {
    isLocal: true,
    put,
    async stat(key) {
      assertStorageKey(key);
      const found = await withFileErrors(() => statOrNull(join(directory, key)));
      return found?.isFile() ? { bytes: found.size } : null;
    },
    open: openKey,
    async address() {
      return null;
    },
    remove,
    list(prefix, isSkipped) {
      assertStoragePrefix(prefix);
      return walk(directory, prefix.slice(0, prefix.lastIndexOf('/') + 1), prefix, isSkipped);
    },
    check,
    provesBytes: async () => true,
    keepsVersions: async () => false,
    close: () => writer.close(),
  };
}

async function openRegularFile(path: string, key: string): Promise<FileHandle> {
  const handle = await withFileErrors(() => open(path, 'r').catch(ignore('ENOENT', 'ENOTDIR', 'EISDIR')));
  if (handle !== undefined) {
    if ((await handle.stat()).isFile()) return handle;
    await handle.close();
  }
  throw new StorageError('not_found', `there is no object ${key}`);
}

async function* walk(
  directory: string,
  folder: string,
  prefix: string,
  isSkipped?: Parameters<Storage['list']>[1],
): ReturnType<Storage['list']> {
  const entries = await withFileErrors(() => opendir(join(directory, folder)).catch(ignore('ENOENT', 'ENOTDIR')));
  if (entries === undefined) return;
  for await (const entry of entries) {
    const key = folder + entry.name;
    if (entry.name === TEMPORARY || !key.startsWith(prefix)) continue;
    if (entry.isDirectory()) {
      if (isSkipped !== undefined) {
        const found = await withFileErrors(() => statOrNull(join(directory, key)));
        if (found === null || isSkipped(entry.name, found.mtimeMs)) continue;
      }
      yield* walk(directory, `${key}/`, prefix);
    } else {
      const found = await withFileErrors(() => statOrNull(join(directory, key)));
      if (found !== null) yield { key, bytes: found.size, changedAt: Math.floor(found.mtimeMs) };
    }
  }
}

/** Removes a file; anything else, such as a directory, stays. @throws if the file may not be removed */
async function unlinkFile(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    ignore('ENOENT', 'ENOTDIR', 'EISDIR', 'EPERM')(error);
    if ((await statOrNull(path))?.isFile() === true) throw error;
  }
}

/** Removes empty directories upwards, up to the first that is not empty. */
async function pruneEmptyDirectories(directory: string, from: string): Promise<void> {
  for (let level = from; level !== '.'; level = dirname(level)) {
    try {
      await rmdir(join(directory, level));
    } catch {
      return;
    }
  }
}

async function sweepLeftOvers(temporary: string, changedBefore: number): Promise<void> {
  for await (const entry of await opendir(temporary)) {
    const path = join(temporary, entry.name);
    const found = await statOrNull(path);
    if (found !== null && found.mtimeMs < changedBefore) await rm(path, { force: true, recursive: true });
  }
}

async function statOrNull(path: string): Promise<Stats | null> {
  return (await stat(path).catch(ignore('ENOENT', 'ENOTDIR'))) ?? null;
}
