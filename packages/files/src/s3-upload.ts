import { createHash, type Hash } from 'node:crypto';
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
import { type PutOptions, StorageError } from '@darkroom-service/media';
import { cutParts, gatherParts, type Part } from './gather-parts.ts';
import { beginDigest, type Proof } from './part-digest.ts';
import { type S3BucketRef, withS3Errors } from './s3-faults.ts';
import { assertDigest, assertStored } from './s3-proof.ts';

/** The minimum size S3 accepts for a part that is not the last. */
const LEAST_PART_BYTES = 5 * 1024 * 1024;
const MAX_PARTS = 10_000;

interface UploadOptions extends PutOptions {
  /** The part of the bucket's answers that is compared with the bytes that were sent. */
  readonly proof: Proof;
}

/**
 * Uploads a source as one object. A source that fits in one part is one request. A longer one is a multipart upload:
 * one part is sent while the next is read, and the last request makes the object visible. The server checks every body
 * against the SHA-256 in its signature, and its answer is compared with what was sent. The source is read to its end or
 * destroyed, and a failed upload is aborted.
 * @throws StorageError, or the source's own error, which is not the storage's fault.
 */
export async function uploadToS3(
  client: S3Client,
  bucketRef: S3BucketRef,
  name: string,
  source: Readable | Uint8Array,
  options: UploadOptions,
): Promise<{ bytes: number; sha256: string }> {
  const hash = options.sha256 === undefined ? createHash('sha256') : null;
  let bytes = 0;
  const inspect = async (piece: Uint8Array) => {
    bytes += piece.byteLength;
    if (bytes > options.maxBytes) {
      throw new StorageError('too_large', `expected at most ${options.maxBytes} bytes, found more`);
    }
    hash?.update(piece);
    await options.check?.add(piece);
  };
  const watch = { inspect, beginDigest: () => beginDigest(options.proof) };
  const target = { Bucket: bucketRef.bucket, Key: name };
  const partBytes = Math.max(LEAST_PART_BYTES, Math.ceil(options.maxBytes / MAX_PARTS));
  if (source instanceof Readable) {
    // An error before the first read would end the process if nobody listened; reading reports it again.
    source.on('error', () => {});
    if (options.signal !== undefined) addAbortSignal(options.signal, source);
    try {
      // A source known to be short needs no long buffer.
      const parts = gatherParts(source, Math.max(1, Math.min(partBytes, options.maxBytes)), watch);
      await send(client, bucketRef, target, parts, options, (error) => source.destroy(error));
    } finally {
      source.destroy();
    }
  } else {
    await send(client, bucketRef, target, cutParts(source, partBytes, watch), options, () => {});
  }
  return { bytes, sha256: options.sha256 ?? (hash as Hash).digest('hex') };
}

type Target = { readonly Bucket: string; readonly Key: string };

/**
 * Sends all parts. @param onPartFailed destroys the source as soon as a part has failed, since the source may be silent
 * for a long time.
 */
async function send(
  client: S3Client,
  bucketRef: S3BucketRef,
  target: Target,
  parts: AsyncIterable<Part>,
  { contentType, signal, check, proof }: UploadOptions,
  onPartFailed: (error: Error) => void,
): Promise<void> {
  let upload: MultipartUpload | null = null;
  let bytes = 0;
  try {
    for await (const { body, isLast, digest } of parts) {
      bytes += body.byteLength;
      signal?.throwIfAborted();
      if (isLast) check?.end();
      if (upload === null && isLast) {
        const command = new PutObjectCommand({
          ...target,
          Body: body,
          ContentLength: body.byteLength,
          ContentType: contentType,
          ...(proof === 'crc32c' && { ChecksumCRC32C: digest }),
        });
        const answer = await withS3Errors(bucketRef, () => client.send(command, signal && { abortSignal: signal }));
        assertDigest(bucketRef, proof, answer, digest);
        if (proof === 'length') await assertStored(client, bucketRef, target, bytes);
        return;
      }
      const options = { contentType, signal, proof, onPartFailed };
      upload ??= await startMultipartUpload(client, bucketRef, target, options);
      await upload.add(body, digest);
    }
    signal?.throwIfAborted();
    await upload?.complete();
    // The digests prove the parts, but not that they were joined.
    await assertStored(client, bucketRef, target, bytes);
  } catch (error) {
    await upload?.abort();
    throw error;
  }
}

interface MultipartUpload {
  /** Resolves once the previous part is stored: then its buffer can be reused. */
  add(body: Uint8Array, digest: string): Promise<void>;
  complete(): Promise<void>;
  /** Aborts the upload. Never throws: one that cannot be aborted now is removed by a later sweep. */
  abort(): Promise<void>;
}

async function startMultipartUpload(
  client: S3Client,
  bucketRef: S3BucketRef,
  target: Target,
  {
    contentType,
    signal,
    proof,
    onPartFailed,
  }: {
    readonly contentType: string;
    readonly signal: AbortSignal | undefined;
    readonly proof: Proof;
    readonly onPartFailed: (error: Error) => void;
  },
): Promise<MultipartUpload> {
  // Must not be aborted: if the server began an upload whose id we never learned, we could not abort the upload.
  const begin = new CreateMultipartUploadCommand({
    ...target,
    ContentType: contentType,
    ...(proof === 'crc32c' && { ChecksumAlgorithm: 'CRC32C' }),
  });
  const { UploadId } = await withS3Errors(bucketRef, () => client.send(begin));
  if (UploadId === undefined) throw new StorageError('unavailable', 'the S3 server began an upload without an id');
  const controller = new AbortController();
  const abortSignal = signal === undefined ? controller.signal : AbortSignal.any([controller.signal, signal]);
  const done: CompletedPart[] = [];
  let partInFlight: Promise<void> = Promise.resolve();

  async function sendPart(body: Uint8Array, digest: string, PartNumber: number): Promise<void> {
    const checksum = proof === 'crc32c' ? { ChecksumCRC32C: digest } : {};
    const command = new UploadPartCommand({
      ...target,
      UploadId,
      PartNumber,
      Body: body,
      ContentLength: body.byteLength,
      ...checksum,
    });
    const answer = await withS3Errors(bucketRef, () => client.send(command, { abortSignal }));
    assertDigest(bucketRef, proof, answer, digest);
    const { ETag } = answer;
    if (ETag === undefined) throw new StorageError('unavailable', 'the S3 server took a part without naming its ETag');
    done.push({ PartNumber, ETag, ...checksum });
  }

  return {
    async add(body, digest) {
      await partInFlight;
      partInFlight = sendPart(body, digest, done.length + 1);
      partInFlight.catch(onPartFailed);
    },
    async complete() {
      await partInFlight;
      const command = new CompleteMultipartUploadCommand({ ...target, UploadId, MultipartUpload: { Parts: done } });
      await withS3Errors(bucketRef, () => client.send(command));
    },
    async abort() {
      controller.abort();
      // A part that arrives after its upload was aborted would stay behind.
      await partInFlight.catch(() => {});
      await client.send(new AbortMultipartUploadCommand({ ...target, UploadId })).catch(() => {});
    },
  };
}
