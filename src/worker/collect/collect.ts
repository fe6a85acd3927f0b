import { createReadStream, createWriteStream } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { DeliveredOutput, Delivery } from '@darkroom-service/engines';
import { addressWithoutSecrets, MediaFault, OUTPUT_LIMITS, type Storage } from '@darkroom-service/media';
import { HEAD_BYTES, isTiff, readHead, recognize, walkPicture } from '@darkroom-service/media/structure';
import { otherThing } from '../../catalog/conformity/judge-delivery.ts';
import { keepInHand } from '../../tasks/bytes-in-hand.ts';
import { priceListOf } from '../../tasks/price-lists.ts';
import { type StoredOutput, thumbnailKeyOf } from '../../tasks/task.ts';
import type { Attempt } from '../claimed-task.ts';
import { OutputFault } from '../output-fault.ts';
import type { CollectEvent, Verdict } from './collected.ts';
import { judgeResult } from './compare.ts';
import { asOutputFault, assertNoPage } from './download.ts';
import { type Collecting, type Source, store, storeOutput, withTemporary } from './store.ts';

/**
 * Copies the outputs into our storage and asks interceptors. The row keeps its step: after a crash the order is found
 * as it was before its result came, and only the settlement says that it has one.
 * @throws errors that are not caused by the outputs themselves
 */
export async function collect(attempt: Attempt, delivery: Delivery): Promise<CollectEvent> {
  return await attempt.named('collect', 'collect', () => collectAndJudge(attempt, delivery));
}

async function collectAndJudge(attempt: Attempt, delivery: Delivery): Promise<CollectEvent> {
  const { work, signal, task } = attempt;
  attempt.reportedCost = delivery.upstreamCost;
  attempt.collections++;
  try {
    const outputs = await collectOrdered(attempt, delivery.outputs);
    const verdict = await judge(attempt, outputs, delivery);
    const collected = { type: 'collected', delivery, outputs, verdict } as const;
    const { beforeSuccess } = work.interceptors;
    const isAsked = beforeSuccess !== null && verdict.isAsOrdered;
    return { ...collected, refusal: isAsked ? await beforeSuccess(task, outputs, signal) : null };
  } catch (error) {
    const fault = asOutputFault(error);
    attempt.fault = fault;
    if (!(fault instanceof MediaFault || fault instanceof OutputFault)) throw fault;
    const mayPass = fault instanceof OutputFault && fault.retryable;
    if (mayPass) {
      work.checks.note(task, 'result', fault.message);
      work.services.log.warn(
        { err: fault, task_id: task.id, attempts: task.attempts + 1 },
        'could not read the result',
      );
    }
    return { type: 'collect_failed', message: fault.message, mayPass, address: addressOf(delivery.outputs) };
  }
}

/** Returns where the result lies, for the operator; null if it came inside the answer. */
export function addressOf([first]: readonly DeliveredOutput[]): string | null {
  return first !== undefined && 'url' in first.source ? addressWithoutSecrets(first.source.url) : null;
}

/** So many files are tried of an engine that delivers other things beside the ordered one, such as previews. */
const MOST_TRIED = 4;

/** Collects the first output that is the thing ordered; the first of all if none is. A task has one output. */
async function collectOrdered(
  { work, task, signal, collections }: Attempt,
  delivered: readonly DeliveredOutput[],
): Promise<readonly StoredOutput[]> {
  let first: StoredOutput | null = null;
  for (const [index, output] of delivered.slice(0, MOST_TRIED).entries()) {
    const stored = await work.services.tracer.span('download', () =>
      collectOutput({ work, task, output, index, signal, collections }),
    );
    const isOrdered = otherThing(task.request.type, stored) === null;
    const left = isOrdered ? first : first === null ? null : stored;
    if (left !== null) await removeOutputs(work.services.storage, [left]);
    if (isOrdered) return [stored];
    first ??= stored;
  }
  return first === null ? [] : [first];
}

async function judge({ work, task }: Attempt, outputs: readonly StoredOutput[], delivery: Delivery): Promise<Verdict> {
  const { catalog, database } = work.services;
  const model = catalog().find(task.model_id);
  const { tariff } = task.quote;
  const pricing = tariff === null ? null : await priceListOf(database, tariff.digest, model?.pricing ?? null);
  const further = Math.max(0, delivery.outputs.length - outputs.length);
  return judgeResult(task, { model, pricing }, outputs, { further, named: delivery.named ?? {} });
}

/** Removes delivered files that nobody will collect. */
export async function discardDelivery(outputs: readonly DeliveredOutput[]): Promise<void> {
  for (const { source } of outputs) if ('path' in source) await rm(source.path, { force: true });
}

/** Removes outputs from our storage that no task refers to. */
export async function removeOutputs(storage: Storage, outputs: readonly StoredOutput[]): Promise<void> {
  for (const output of outputs)
    for (const key of [output.key, thumbnailKeyOf(output), output.previewKey ?? null])
      if (key !== null) await storage.remove(key);
}

/** A stored output without what the engine says of it, and its bytes if they were in memory. */
interface Medium {
  readonly measured: Omit<StoredOutput, 'tiles' | 'seed' | 'revisedPrompt' | 'explanation'>;
  readonly data: Uint8Array | null;
}

/**
 * Copies a delivered file into our storage, unchanged except for texts that its engine wants dropped and for what an
 * addition changes.
 * @throws StorageError, MediaFault, OutputFault; FetchFault if a download breaks off
 */
async function collectOutput(collecting: Collecting): Promise<StoredOutput> {
  const { tiles, seed, revisedPrompt, explanation } = collecting.output;
  const { measured, data } = await storeMedium(collecting);
  const output = {
    ...measured,
    tiles,
    seed,
    revisedPrompt,
    ...(explanation === undefined ? {} : { explanation }),
  };
  if (data !== null) keepInHand(output, data);
  return output;
}

async function storeMedium(collecting: Collecting): Promise<Medium> {
  const { source, dropText } = collecting.output;
  if ('path' in source)
    return dropText === true
      ? await storeWithoutText(collecting, source.path)
      : await storeFile(collecting, source.path);
  const { bytes, head } =
    'data' in source ? { bytes: source.data, head: source.data.subarray(0, HEAD_BYTES) } : await download(collecting);
  const format = dropText === true ? null : recognize(Buffer.from(head));
  if (format?.picture === true) {
    let isRead = false;
    return await storePicture(collecting, format.contentType, async () => {
      if (isRead && bytes instanceof Readable) return (await download(collecting)).bytes;
      isRead = true;
      return bytes;
    });
  }
  return await withTemporary(collecting, async (path) => {
    if (bytes instanceof Readable) await pipeline(bytes, createWriteStream(path), { signal: collecting.signal });
    else await writeFile(path, bytes);
    return dropText === true ? await storeWithoutText(collecting, path) : await storeFile(collecting, path);
  });
}

/** Begins to download a delivered URL. @returns the first bytes as well, which are among all */
async function download({
  work,
  output: { source },
  signal,
}: Collecting): Promise<{ readonly bytes: Readable; readonly head: Uint8Array }> {
  if (!('url' in source)) throw new Error('only what lies at a URL is downloaded');
  const { url, headers = {}, allowOrigins = [] } = source;
  const file = await work.fetchOutput(url, { headers, allowOrigins, signal });
  const pieces = file[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  while (head.length < HEAD_BYTES) {
    const { value, done } = (await pieces.next()) as IteratorResult<Buffer>;
    if (done === true) break;
    head = Buffer.concat([head, value]);
  }
  try {
    assertNoPage(head);
  } catch (error) {
    file.destroy();
    throw error;
  }
  const all = async function* () {
    yield head;
    yield* { [Symbol.asyncIterator]: () => pieces };
  };
  const bytes = Readable.from(all(), { objectMode: false });
  // A generator that was never read ends without ending what it reads.
  bytes.once('close', () => file.destroy());
  return { bytes, head };
}

async function storeFile(collecting: Collecting, path: string): Promise<Medium> {
  const head = await readHead(path);
  const format = recognize(head);
  if (format?.picture === true)
    return await storePicture(collecting, format.contentType, async () => createReadStream(path));
  if (isTiff(head)) {
    const { work, task, signal } = collecting;
    const png = await work.services.media.edit('convertTiff', [path], { owner: task.api_key_id, signal });
    return await storePicture(collecting, 'image/png', async () => png);
  }
  return await storeFilm(collecting, path);
}

async function storeWithoutText(collecting: Collecting, given: string): Promise<Medium> {
  const { work, task, signal } = collecting;
  // A file that the engine keeps stays as it is: after a crash its digest is checked.
  return await withTemporary(collecting, async (path) => {
    await work.services.media.dropText(given, path, { owner: task.api_key_id, signal });
    return await storeFile(collecting, path);
  });
}

/** Stores a picture, and measures it and proves it complete while its bytes pass. No pixel of it is decoded. */
async function storePicture(collecting: Collecting, contentType: string, open: Source['open']): Promise<Medium> {
  let walk = walkPicture(contentType);
  const check = () => {
    walk = walkPicture(contentType);
    return walk;
  };
  const { kept, data } = await storeOutput(collecting, { contentType, open, check });
  const { width, height, bytesPerPixel, hasAlpha } = walk.end();
  const { pixels, decodedBytes } = OUTPUT_LIMITS;
  const isOversized = width * height > Math.min(pixels, decodedBytes / bytesPerPixel);
  const isOpaque = hasAlpha === false && collecting.task.request.values.background === 'transparent';
  const measured = {
    ...kept,
    contentType,
    width,
    height,
    durationSeconds: null,
    fps: null,
    hasAudio: null,
    thumbnailKey: null,
    ...(isOversized ? { isOversized } : {}),
    ...(isOpaque ? { isOpaque } : {}),
  };
  return { measured, data };
}

/** Stores a video, which a media process measures, with its thumbnail and preview. */
async function storeFilm(collecting: Collecting, path: string): Promise<Medium> {
  const { work, task, signal } = collecting;
  const { media, tracer } = work.services;
  const { probe, thumbnail, preview } = await tracer.span('examine', () =>
    media.examineOutput(path, { owner: task.api_key_id, signal }),
  );
  const { contentType, width, height, durationSeconds, fps, hasAudio } = probe;
  const source = { contentType, open: async () => createReadStream(path), check: () => ({ add() {}, end() {} }) };
  const { kept } = await storeOutput(collecting, source);
  const beside = async (what: string, picture: Uint8Array | null) =>
    picture === null ? null : (await store(collecting, what, picture, { contentType: 'image/webp' })).key;
  const thumbnailKey = await beside('thumbnail.webp', thumbnail);
  const previewKey = await beside('preview.webp', preview);
  const measured = {
    ...kept,
    contentType,
    width,
    height,
    durationSeconds,
    fps,
    hasAudio,
    thumbnailKey,
    ...(previewKey === null ? {} : { previewKey }),
  };
  return { measured, data: null };
}
