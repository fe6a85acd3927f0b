import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readJson, writeJson } from './write-json.ts';

/** An unfinished download: a file of the final length, and a list of the segments that are in it. */
export interface PartFile {
  readonly path: string;
  readonly segments: readonly Segment[];
  isDone(segment: Segment): boolean;
  write(chunk: Uint8Array, position: number): Promise<void>;
  /** Records a segment whose bytes are all written. After a kill the download continues after it. */
  finish(segment: Segment): Promise<void>;
  close(): Promise<void>;
}

/** Bytes from `start` up to `end`, which is excluded. */
export interface Segment {
  readonly index: number;
  readonly start: number;
  readonly end: number;
}

interface PartState {
  readonly bytes: number;
  readonly done: readonly number[];
}

const MIN_SEGMENT = 256 * 1024;
const MAX_SEGMENT = 16 * 1024 * 1024;
const SEGMENTS = 32;

/** Opens or creates the part at a path. A part of another length is started again. */
export async function openPart(path: string, bytes: number): Promise<PartFile> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const segments = segmentsOf(bytes);
  const done = new Set(await readDone(path, bytes));
  const handle = await openFile(path);
  if ((await handle.stat()).size !== bytes) {
    done.clear();
    await handle.truncate(bytes);
  }
  let saved: Promise<void> = Promise.resolve();
  return {
    path,
    segments,
    isDone: ({ index }) => done.has(index),
    async write(chunk, position) {
      let written = 0;
      while (written < chunk.length) {
        const { bytesWritten } = await handle.write(chunk, written, chunk.length - written, position + written);
        written += bytesWritten;
      }
    },
    async finish({ index }) {
      saved = saved.then(async () => {
        // The bytes first: a list that names missing bytes would only be found by the digest.
        await handle.datasync();
        done.add(index);
        await writeJson(statePath(path), { bytes, done: [...done] } satisfies PartState);
      });
      await saved;
    },
    async close() {
      await saved.catch(() => {});
      await handle.close();
    },
  };
}

/** Returns the number of bytes of a part that are on disk. */
export async function bytesInPart(path: string, bytes: number): Promise<number> {
  const done = new Set(await readDone(path, bytes));
  return segmentsOf(bytes)
    .filter(({ index }) => done.has(index))
    .reduce((sum, { start, end }) => sum + end - start, 0);
}

export async function removePart(path: string): Promise<void> {
  await rm(path, { force: true });
  await removePartState(path);
}

export async function removePartState(path: string): Promise<void> {
  await rm(statePath(path), { force: true });
}

function segmentsOf(bytes: number): Segment[] {
  const size = Math.min(MAX_SEGMENT, Math.max(MIN_SEGMENT, Math.ceil(bytes / SEGMENTS)));
  return Array.from({ length: Math.ceil(bytes / size) }, (_, index) => ({
    index,
    start: index * size,
    end: Math.min(bytes, (index + 1) * size),
  }));
}

async function readDone(path: string, bytes: number): Promise<readonly number[]> {
  const state = (await readJson(statePath(path))) as PartState | null;
  return state?.bytes === bytes && Array.isArray(state.done) ? state.done : [];
}

function statePath(path: string): string {
  return `${path}.json`;
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r+');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    // The list of a file that is gone names bytes that are gone.
    await removePartState(path);
    return await open(path, 'w+', 0o600);
  }
}
