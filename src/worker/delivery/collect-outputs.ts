import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { DeliveredOutput } from '../../engines/engine.ts';
import { type StoredOutput, type TaskRow, taskFileKey } from '../../tasks/task.ts';
import type { WorkerServices } from '../worker-services.ts';
import { MAX_OUTPUT_BYTES } from './fetch-output.ts';

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
 * Copies delivered files into our storage unchanged. Detects the type, measures size, length, sound and hash, and makes thumbnail and preview.
 * @throws StorageError, MediaFault, OutputFault; FetchFault if a download breaks off
 */
export async function collectOutputs(
  work: WorkerServices,
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
  work: WorkerServices,
  task: TaskRow,
  output: DeliveredOutput,
  index: number,
  signal: AbortSignal,
): Promise<StoredOutput> {
  const { media, storage, settings } = work.services;
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
    const { probe, thumbnail, preview } = await media.examineOutput(path, { owner: task.api_key_id, signal });
    const key = taskFileKey(task.id, task.fence, `${index}.${EXTENSION[probe.contentType] ?? 'bin'}`);
    const file = await storage.put(key, createReadStream(path), {
      contentType: probe.contentType,
      maxBytes: MAX_OUTPUT_BYTES,
      signal,
    });
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
