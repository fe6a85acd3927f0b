import { createReadStream, createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { LONG_STEP, type PutOptions, Steps, StorageError } from '@darkroom-service/media';
import type { StoredOutput } from '../../record/task.ts';
import type { OutputChange } from '../../tasks/interceptor.ts';
import { OutputFault } from '../output-fault.ts';
import { asOutputFault } from './download.ts';
import type { Examined } from './examine.ts';
import { type Collecting, temporaryFile } from './fetch.ts';
import type { StoredBytes } from './store.ts';

/** Maximum number of bytes of a step of marking: other work runs in between. */
const SLICE_BYTES = 8 * 1024;

/** The next step: stores the bytes, which `check` proves to be complete if they are the delivered ones. */
type Store = (bytes: Uint8Array | Readable, check?: PutOptions['check']) => Promise<StoredBytes>;

/** A stored file with the metadata of its mark, and the stored bytes if they were in memory. */
interface Marked {
  readonly kept: StoredBytes & Pick<StoredOutput, 'provenance' | 'splices'>;
  readonly data: Uint8Array | null;
}

/**
 * Passes an examined file on to be stored, as an addition changes it. If it cannot be changed, it is stored as
 * delivered: no paid output is lost by it.
 * @throws StorageError, MediaFault, OutputFault
 */
export async function markOutput(collecting: Collecting, file: Examined, store: Store): Promise<Marked> {
  const { work, task, signal } = collecting;
  const change = (await work.interceptors.changeOutput?.({ task, contentType: file.contentType })) ?? null;
  let fault: unknown = null;
  if (change !== null)
    try {
      return change.kind === 'pieces'
        ? await markPieces(file, change, store)
        : await markWhole(collecting, file, change, store);
    } catch (error) {
      if (signal.aborted || asOutputFault(error) instanceof OutputFault) throw error;
      if (error instanceof StorageError && error.kind !== 'too_large') throw error;
      fault = error;
    }
  const bytes = await file.open();
  const kept = await store(bytes, file.check());
  // An incomplete file must not be marked either.
  const metadata = change === null ? {} : change.unchanged(fault);
  return { kept: { ...kept, ...metadata }, data: bytes instanceof Readable ? null : bytes };
}

async function markPieces(
  { open, check }: Examined,
  { add, end, told }: Extract<OutputChange, { kind: 'pieces' }>,
  store: Store,
): Promise<Marked> {
  const given = await open();
  if (!(given instanceof Readable)) {
    const all: Uint8Array[] = [];
    for await (const changed of pass([given])) all.push(...changed);
    const data = Buffer.concat(all);
    return { kept: { ...(await store(data)), ...told() }, data };
  }
  const passed = Readable.from(joined(pass(given)), { objectMode: false });
  // A generator that was never read ends without ending what it reads.
  passed.once('close', () => given.destroy());
  return { kept: { ...(await store(passed)), ...told() }, data: null };

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

/** Joins short pieces: few long pieces are written faster than many short ones. */
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

async function markWhole(
  collecting: Collecting,
  { open, check }: Examined,
  { write }: Extract<OutputChange, { kind: 'whole' }>,
  store: Store,
): Promise<Marked> {
  const { task, signal } = collecting;
  await using files = new AsyncDisposableStack();
  const from = await temporaryFile(collecting, files);
  const to = await temporaryFile(collecting, files);
  const given = await open();
  const pieces = checked(given instanceof Readable ? given : Readable.from([given]), check());
  await pipeline(pieces, createWriteStream(from), { signal });
  const metadata = await write(from, to, { owner: task.api_key_id, signal });
  return { kept: { ...(await store(createReadStream(to))), ...metadata }, data: null };
}
