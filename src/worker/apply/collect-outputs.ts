import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { DeliveredOutput } from '../../engines/engine.ts';
import { MediaFault } from '../../media/media-fault.ts';
import type { Storage } from '../../storage/storage.ts';
import { type StoredOutput, taskFileKey } from '../../tasks/task.ts';
import type { TaskRecord } from '../../tasks/task-record.ts';
import type { ActionOf } from '../decide/action.ts';
import type { TaskEvent } from '../decide/event.ts';
import { asOutputFault, MAX_OUTPUT_BYTES } from '../delivery/fetch-output.ts';
import { questionAfter } from '../moderation-question.ts';
import { OutputFault } from '../output-fault.ts';
import type { WorkerServices } from '../worker-services.ts';
import type { Attempt } from './attempt.ts';

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
 * Copies the outputs into our storage and asks moderation. The row keeps its step: after a crash the order is found as
 * it was before its result came, and only the settlement says that it has one.
 * @throws errors that are not caused by the outputs themselves
 */
export async function collect(attempt: Attempt, { delivery }: ActionOf<'collect'>): Promise<TaskEvent> {
  const { work, signal, task } = attempt;
  attempt.toldCost = delivery.upstreamCost;
  try {
    const outputs: StoredOutput[] = [];
    for (const [index, output] of delivery.outputs.entries())
      outputs.push(await collectOutput(work, task, output, index, signal));
    if (work.moderation === null) return { type: 'collected', delivery, outputs, refusal: null };
    const question = questionAfter(task, outputs, work.services.signer);
    const refusal = await work.moderation.judge(question, signal);
    return { type: 'collected', delivery, outputs, refusal };
  } catch (error) {
    const fault = asOutputFault(error);
    attempt.fault = fault;
    if (fault instanceof MediaFault) return { type: 'collect_failed', message: fault.message, mayPass: false };
    if (!(fault instanceof OutputFault)) throw fault;
    return { type: 'collect_failed', message: fault.message, mayPass: fault.retryable };
  }
}

/** Removes delivered files that nobody will collect. */
export async function discardDelivery(outputs: readonly DeliveredOutput[]): Promise<void> {
  for (const { source } of outputs) if ('path' in source) await rm(source.path, { force: true });
}

/** Removes outputs from our storage that no task refers to. */
export async function removeOutputs(storage: Storage, outputs: readonly StoredOutput[]): Promise<void> {
  for (const { key, thumbnailKey, previewKey = null } of outputs)
    for (const each of [key, thumbnailKey, previewKey]) if (each !== null) await storage.remove(each);
}

/**
 * Copies a delivered file into our storage, unchanged except for texts that its engine wants dropped. Detects the type,
 * measures size, length, sound and hash, and makes thumbnail and preview.
 * @throws StorageError, MediaFault, OutputFault; FetchFault if a download breaks off
 */
async function collectOutput(
  work: WorkerServices,
  task: TaskRecord,
  output: DeliveredOutput,
  index: number,
  signal: AbortSignal,
): Promise<StoredOutput> {
  const { media, storage, settings } = work.services;
  const { source } = output;
  const temporary = () => join(settings.temporaryDirectory, `${randomUUID()}.tmp`);
  const given = 'path' in source ? source.path : temporary();
  // A file that the engine keeps stays as it is: after a crash its digest is checked.
  const path = output.dropText === true ? temporary() : given;
  try {
    if ('data' in source) await writeFile(given, source.data);
    else if ('url' in source)
      await pipeline(
        await work.fetchOutput(source.url, {
          headers: source.headers ?? {},
          allowOrigins: source.allowOrigins ?? [],
          signal,
        }),
        createWriteStream(given),
        { signal },
      );
    const { probe, thumbnail, preview } = await media.examineOutput(given, {
      ...{ owner: task.api_key_id, signal },
      ...(path === given ? {} : { dropTextInto: path }),
    });
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
    if (!('path' in source)) await rm(given, { force: true });
    if (path !== given) await rm(path, { force: true });
  }

  async function storeBeside(picture: Uint8Array | null, name: string): Promise<string | null> {
    if (picture === null) return null;
    const key = taskFileKey(task.id, task.fence, `${index}-${name}.webp`);
    await storage.put(key, picture, { contentType: 'image/webp', maxBytes: picture.byteLength, signal });
    return key;
  }
}
