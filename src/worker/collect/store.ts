import type { Readable } from 'node:stream';
import type { LocalFile, PutOptions, Storage } from '@darkroom-service/media';
import { type StoredOutput, taskFileKey, thumbnailKeyOf } from '../../record/task.ts';
import { MAX_OUTPUT_BYTES } from './download.ts';
import type { Collecting } from './fetch.ts';

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

export type StoredBytes = Pick<StoredOutput, 'key' | 'bytes' | 'sha256'>;

/**
 * Stores a file of an output: the output itself, or a picture of it.
 * @param shows `thumbnail` or `preview`; null for the output itself
 * @throws StorageError, MediaFault, OutputFault
 */
export async function storeOutput(
  { work, task, output: { source }, index, collections, signal }: Collecting,
  shows: 'thumbnail' | 'preview' | null,
  bytes: Uint8Array | Readable,
  options: Pick<PutOptions, 'contentType' | 'check'>,
): Promise<StoredBytes> {
  const place = `${index}${collections === 1 ? '' : `_${collections}`}${shows === null ? '' : `-${shows}`}`;
  const key = taskFileKey(task.id, task.fence, `${place}.${EXTENSION[options.contentType] ?? 'bin'}`);
  // Only a file with the bytes that the engine delivered can replace them in the spool.
  const isGiven = 'data' in source && bytes === source.data;
  const onFile = isGiven ? { onFile: (file: LocalFile) => work.answers.wroteFile(task.id, index, file) } : {};
  const limits = { maxBytes: MAX_OUTPUT_BYTES, signal };
  return await work.services.storage.put(key, bytes, { ...options, ...limits, ...onFile });
}

/** Removes outputs from our storage that no task refers to. */
export async function removeOutputs(storage: Storage, outputs: readonly StoredOutput[]): Promise<void> {
  for (const output of outputs)
    for (const key of [output.key, thumbnailKeyOf(output), output.previewKey ?? null])
      if (key !== null) await storage.remove(key);
}
