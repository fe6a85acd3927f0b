import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { DeliveredOutput } from '@darkroom-service/engines';
import {
  LONG_STEP,
  type LocalFile,
  type PutOptions,
  Steps,
  StorageError,
  temporaryPath,
} from '@darkroom-service/media';
import type { OutputChange } from '../../tasks/interceptor.ts';
import { type StoredOutput, taskFileKey } from '../../tasks/task.ts';
import type { TaskRecord } from '../../tasks/task-record.ts';
import { OutputFault } from '../output-fault.ts';
import type { WorkerServices } from '../worker-services.ts';
import { asOutputFault, MAX_OUTPUT_BYTES } from './download.ts';

const EXTENSION: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/avif': 'avif',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
  'video/quicktime': 'mov',
};

/** Is marked in one go: it has at most so many parts. */
const SLICE_BYTES = 8 * 1024;

export interface Collecting {
  readonly work: WorkerServices;
  readonly task: TaskRecord;
  readonly output: DeliveredOutput;
  readonly index: number;
  /** How often the result was collected, this time included. */
  readonly collections: number;
  readonly signal: AbortSignal;
}

/** A delivered file, which may be read more than once. */
export interface Source {
  readonly contentType: string;
  readonly open: () => Promise<Uint8Array | Readable>;
  /** Begins to prove, for each time that the file is read, that the delivered one is complete. */
  readonly check: () => NonNullable<PutOptions['check']>;
}

type Kept = Pick<StoredOutput, 'key' | 'bytes' | 'sha256' | 'provenance' | 'splices'>;

/**
 * Stores the file of an output as an addition changes it. If it cannot be changed, it is stored as delivered: no paid
 * output is lost by it.
 * @returns the stored bytes as well, if they were in memory
 * @throws StorageError, MediaFault, OutputFault
 */
export async function storeOutput(
  collecting: Collecting,
  source: Source,
): Promise<{ readonly kept: Kept; readonly data: Uint8Array | null }> {
  const { work, task, signal } = collecting;
  const { contentType } = source;
  const change = (await work.interceptors.changeOutput?.({ task, contentType })) ?? null;
  let fault: unknown = null;
  if (change !== null)
    try {
      return change.kind === 'pieces'
        ? await storePassed(collecting, source, change)
        : await storeWritten(collecting, source, change);
    } catch (error) {
      if (signal.aborted || asOutputFault(error) instanceof OutputFault) throw error;
      if (error instanceof StorageError && error.kind !== 'too_large') throw error;
      fault = error;
    }
  const bytes = await source.open();
  const kept = await store(collecting, nameOf(contentType), bytes, { contentType, check: source.check() });
  // A file that is incomplete was not to be marked either.
  const told = change === null ? {} : change.unchanged(fault);
  return { kept: { ...kept, ...told }, data: bytes instanceof Readable ? null : bytes };
}

async function storePassed(
  collecting: Collecting,
  { contentType, open, check }: Source,
  { add, end, told }: Extract<OutputChange, { kind: 'pieces' }>,
): ReturnType<typeof storeOutput> {
  const given = await open();
  if (!(given instanceof Readable)) {
    const all: Uint8Array[] = [];
    for await (const changed of pass([given])) all.push(...changed);
    const data = Buffer.concat(all);
    return { kept: { ...(await store(collecting, nameOf(contentType), data, { contentType })), ...told() }, data };
  }
  const passed = Readable.from(joined(pass(given)), { objectMode: false });
  // A generator that was never read ends without ending what it reads.
  passed.once('close', () => given.destroy());
  return {
    kept: { ...(await store(collecting, nameOf(contentType), passed, { contentType })), ...told() },
    data: null,
  };

  async function* pass(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array[]> {
    const steps = new Steps();
    for await (const piece of checked(pieces, check())) {
      const changed: Uint8Array[] = [];
      for (let at = 0; at < piece.byteLength; at += SLICE_BYTES) {
        changed.push(...add(piece.subarray(at, at + SLICE_BYTES)));
        if (steps.isDue(LONG_STEP)) await steps.turn();
      }
      yield changed;
    }
    yield end();
  }
}

/** Few long pieces are written faster than many short ones. */
async function* joined(lists: AsyncIterable<readonly Uint8Array[]>): AsyncGenerator<Uint8Array> {
  for await (const pieces of lists) if (pieces.length > 0) yield Buffer.concat(pieces);
}

async function* checked(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  check: NonNullable<PutOptions['check']>,
) {
  for await (const piece of pieces) {
    await check.add(piece);
    yield piece;
  }
  check.end();
}

async function storeWritten(
  collecting: Collecting,
  { contentType, open, check }: Source,
  { write }: Extract<OutputChange, { kind: 'whole' }>,
): ReturnType<typeof storeOutput> {
  const { task, signal } = collecting;
  return await withTemporary(collecting, (from) =>
    withTemporary(collecting, async (to) => {
      const given = await open();
      const pieces = checked(given instanceof Readable ? given : Readable.from([given]), check());
      await pipeline(pieces, createWriteStream(from), { signal });
      const told = await write(from, to, { owner: task.api_key_id, signal });
      const kept = await store(collecting, nameOf(contentType), createReadStream(to), { contentType });
      return { kept: { ...kept, ...told }, data: null };
    }),
  );
}

function nameOf(contentType: string): string {
  return EXTENSION[contentType] ?? 'bin';
}

/** Stores a file of a task. @param name an extension, or what the file shows and its extension */
export async function store(
  { work, task, output: { source }, index, collections, signal }: Collecting,
  name: string,
  bytes: Uint8Array | Readable,
  options: Pick<PutOptions, 'contentType' | 'check'>,
): Promise<Pick<StoredOutput, 'key' | 'bytes' | 'sha256'>> {
  const place = collections === 1 ? index : `${index}_${collections}`;
  const key = taskFileKey(task.id, task.fence, `${place}${name.includes('.') ? '-' : '.'}${name}`);
  // Only a file of the bytes that the engine gave can stand for them in the spool.
  const isGiven = 'data' in source && bytes === source.data;
  const onFile = isGiven ? { onFile: (file: LocalFile) => work.answers.wroteFile(task.id, index, file) } : {};
  const limits = { maxBytes: MAX_OUTPUT_BYTES, signal };
  return await work.services.storage.put(key, bytes, { ...options, ...limits, ...onFile });
}

export async function withTemporary<Result>(
  { work }: Collecting,
  use: (path: string) => Promise<Result>,
): Promise<Result> {
  const path = await temporaryPath(work.services.settings.temporaryDirectory);
  try {
    return await use(path);
  } finally {
    await rm(path, { force: true });
  }
}
