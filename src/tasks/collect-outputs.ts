import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { DeliveredOutput } from '../engines/engine.ts';
import { makePreview } from '../media/preview.ts';
import { probeFile } from '../media/probe.ts';
import { makeThumbnail } from '../media/thumbnail.ts';
import { type StoredOutput, type TaskRow, taskFileKey } from './task.ts';
import type { WorkerDesk } from './worker-desk.ts';

/** Opens an output that an engine delivers by address, bounded in bytes and time. */
export type OutputFetch = (
  url: string,
  options: {
    readonly headers: Readonly<Record<string, string>>;
    /** Origins that may be reached whatever their address. */
    readonly allowOrigins: readonly string[];
    readonly signal: AbortSignal;
  },
) => Promise<Readable>;

export const MAX_OUTPUT_BYTES = 1024 * 1024 * 1024;
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

/**
 * Copies what an engine delivered into our storage, unchanged: type by content, sides, length, sound and hash measured, thumbnail and preview made.
 * @throws StorageError, MediaFault, OutputFault; FetchFault where a transfer breaks
 */
export async function collectOutputs(
  work: WorkerDesk,
  task: TaskRow,
  outputs: readonly DeliveredOutput[],
  signal: AbortSignal,
): Promise<StoredOutput[]> {
  const stored: StoredOutput[] = [];
  for (const [index, output] of outputs.entries()) stored.push(await collectOutput(work, task, output, index, signal));
  return stored;
}

/** Removes delivered files that nobody will collect. */
export async function discardDelivery(outputs: readonly DeliveredOutput[]): Promise<void> {
  for (const { source } of outputs) if ('path' in source) await rm(source.path, { force: true });
}

async function collectOutput(
  work: WorkerDesk,
  task: TaskRow,
  output: DeliveredOutput,
  index: number,
  signal: AbortSignal,
): Promise<StoredOutput> {
  const { storage, settings } = work.desk;
  const { source } = output;
  const path = 'path' in source ? source.path : join(settings.temporaryDirectory, `${randomUUID()}.tmp`);
  try {
    if ('data' in source) await writeFile(path, source.data);
    else if ('url' in source)
      await pipeline(
        await work.fetchOutput(source.url, {
          headers: source.headers ?? {},
          allowOrigins: source.allowOrigins ?? [],
          signal,
        }),
        createWriteStream(path),
        { signal },
      );
    const probe = await probeFile(path);
    const key = taskFileKey(task.id, task.fence, `${index}.${EXTENSION[probe.contentType] ?? 'bin'}`);
    const [file, thumbnail, preview] = await Promise.all([
      storage.put(key, createReadStream(path), { contentType: probe.contentType, maxBytes: MAX_OUTPUT_BYTES, signal }),
      makeThumbnail(path, probe),
      makePreview(path, probe),
    ]);
    const thumbnailKey = await storeBeside(thumbnail, 'thumbnail');
    const previewKey = await storeBeside(preview, 'preview');
    const { contentType, width, height, durationSeconds, fps, hasAudio } = probe;
    const { tiles, seed, revisedPrompt, explanation } = output;
    return {
      key,
      contentType,
      bytes: file.bytes,
      width,
      height,
      durationSeconds,
      fps,
      hasAudio,
      sha256: file.sha256,
      thumbnailKey,
      ...(previewKey === null ? {} : { previewKey }),
      tiles,
      seed,
      revisedPrompt,
      ...(explanation === undefined ? {} : { explanation }),
    };
  } finally {
    if (!('path' in source)) await rm(path, { force: true });
  }

  async function storeBeside(picture: Uint8Array | null, name: string): Promise<string | null> {
    if (picture === null) return null;
    const key = taskFileKey(task.id, task.fence, `${index}-${name}.webp`);
    await storage.put(key, picture, { contentType: 'image/webp', maxBytes: picture.byteLength, signal });
    return key;
  }
}
