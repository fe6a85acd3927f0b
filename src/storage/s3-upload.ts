import { createHash } from 'node:crypto';
import { addAbortSignal, Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { cutParts, gatherParts, type Part } from './gather-parts.ts';
import { onS3, type S3Place } from './s3-faults.ts';
import { type PutOptions, StorageError } from './storage.ts';

/** The least that S3 takes for a part that is not the last. */
const LEAST_PART_BYTES = 5 * 1024 * 1024;
const MAX_PARTS = 10_000;

/**
 * Puts a source under one name. What fits in one part is one request; what is longer is sent part by part, one on its
 * way while the next is gathered, and becomes visible by the last request alone. The server checks every body against
 * the SHA-256 in its signature. The source is read to its end or destroyed, and an upload that fails is taken back.
 * @throws StorageError, or what the source failed with: that is not the storage's fault.
 */
export async function uploadToS3(
  client: S3Client,
  place: S3Place,
  name: string,
  source: Readable | Uint8Array,
  options: PutOptions,
): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  const look = (piece: Uint8Array) => {
    bytes += piece.byteLength;
    if (bytes > options.maxBytes) {
      throw new StorageError('too_large', `expected at most ${options.maxBytes} bytes, found more`);
    }
    hash.update(piece);
  };
  const target = { Bucket: place.bucket, Key: name };
  const partBytes = Math.max(LEAST_PART_BYTES, Math.ceil(options.maxBytes / MAX_PARTS));
  if (source instanceof Readable) {
    // A fault before the first read would end the process if nobody listened; reading meets it again.
    source.on('error', () => {});
    if (options.signal !== undefined) addAbortSignal(options.signal, source);
    try {
      // What is known to be short needs no long buffer.
      const parts = gatherParts(source, Math.max(1, Math.min(partBytes, options.maxBytes)), look);
      await send(client, place, target, parts, options, (error) => source.destroy(error));
    } finally {
      source.destroy();
    }
  } else {
    await send(client, place, target, cutParts(source, partBytes, look), options, () => {});
  }
  return { bytes, sha256: hash.digest('hex') };
}

type Target = { readonly Bucket: string; readonly Key: string };

/** @param giveUp ends the source, which may be silent for long, as soon as a part has failed. */
async function send(
  client: S3Client,
  place: S3Place,
  target: Target,
  parts: AsyncIterable<Part> | Iterable<Part>,
  { contentType, signal }: PutOptions,
  giveUp: (error: Error) => void,
): Promise<void> {
  let upload: MultipartUpload | null = null;
  try {
    for await (const { body, isLast } of parts) {
      signal?.throwIfAborted();
      if (upload === null && isLast) {
        const command = new PutObjectCommand({
          ...target,
          Body: body,
          ContentLength: body.byteLength,
          ContentType: contentType,
        });
        await onS3(place, () => client.send(command, signal && { abortSignal: signal }));
        return;
      }
      upload ??= await startMultipartUpload(client, place, target, { contentType, signal, giveUp });
      await upload.add(body);
    }
    signal?.throwIfAborted();
    await upload?.complete();
  } catch (error) {
    await upload?.takeBack();
    throw error;
  }
}

interface MultipartUpload {
  /** Resolves once the part before is there: then the buffer of that one is free. */
  add(body: Uint8Array): Promise<void>;
  complete(): Promise<void>;
  /** Never throws: what cannot be taken back now is swept later. */
  takeBack(): Promise<void>;
}

async function startMultipartUpload(
  client: S3Client,
  place: S3Place,
  target: Target,
  {
    contentType,
    signal,
    giveUp,
  }: { contentType: string; signal: AbortSignal | undefined; giveUp: (error: Error) => void },
): Promise<MultipartUpload> {
  // Not to be aborted: an upload begun on the server whose id we never learned could not be taken back.
  const { UploadId } = await onS3(place, () =>
    client.send(new CreateMultipartUploadCommand({ ...target, ContentType: contentType })),
  );
  if (UploadId === undefined) throw new StorageError('unavailable', 'the S3 server began an upload without an id');
  const controller = new AbortController();
  const abortSignal = signal === undefined ? controller.signal : AbortSignal.any([controller.signal, signal]);
  const done: CompletedPart[] = [];
  let onItsWay: Promise<void> = Promise.resolve();

  async function sendPart(body: Uint8Array, PartNumber: number): Promise<void> {
    const command = new UploadPartCommand({
      ...target,
      UploadId,
      PartNumber,
      Body: body,
      ContentLength: body.byteLength,
    });
    const { ETag } = await onS3(place, () => client.send(command, { abortSignal }));
    if (ETag === undefined) throw new StorageError('unavailable', 'the S3 server took a part without naming its ETag');
    done.push({ PartNumber, ETag });
  }

  return {
    async add(body) {
      await onItsWay;
      onItsWay = sendPart(body, done.length + 1);
      onItsWay.catch(giveUp);
    },
    async complete() {
      await onItsWay;
      const command = new CompleteMultipartUploadCommand({ ...target, UploadId, MultipartUpload: { Parts: done } });
      await onS3(place, () => client.send(command));
    },
    async takeBack() {
      controller.abort();
      // A part that arrives after the end of its upload would stay behind.
      await onItsWay.catch(() => {});
      await client.send(new AbortMultipartUploadCommand({ ...target, UploadId })).catch(() => {});
    },
  };
}
