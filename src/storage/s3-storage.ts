import { randomUUID } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { createS3Client, type S3ClientOptions } from './s3-client.ts';
import { isBareNotFound, isBeyondEnd, onS3, s3Fault } from './s3-faults.ts';
import { uploadToS3 } from './s3-upload.ts';
import { parseS3Url } from './s3-url.ts';
import { type PutOptions, type Storage, StorageError, type StoredFile } from './storage.ts';
import { assertStorageKey, assertStoragePrefix, isStorageKey } from './storage-key.ts';
import { sweepUploads } from './sweep-uploads.ts';

export interface S3StorageOptions extends S3ClientOptions {
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** S3 signs for seven days at most. */
const LONGEST_ADDRESS_SECONDS = 7 * 24 * 60 * 60;

/**
 * A storage in a bucket of Amazon S3 or of a server that speaks like it; see `parseS3Url` for the address. Nothing is
 * asked of the server yet, so that a service starts while it is away: `check` tells. What uploads of killed processes
 * left behind is swept in the background.
 * @throws TypeError when the address is malformed.
 */
export async function openS3Storage(url: string, options: S3StorageOptions = {}): Promise<Storage> {
  const now = options.now ?? Date.now;
  const location = parseS3Url(url);
  const { bucket, prefix, endpoint, publicEndpoint } = location;
  const client = createS3Client(location, endpoint, options);
  const signer = publicEndpoint === null ? client : createS3Client(location, publicEndpoint, options);
  const place = { bucket, endpoint };
  const sweep = new AbortController();
  // A server may not offer this, and a key may not allow it; the rule of the bucket's life cycle does the same.
  const swept = sweepUploads(client, { bucket, prefix }, now(), sweep.signal).catch(() => {});

  async function put(key: string, source: Readable | Uint8Array, putOptions: PutOptions): Promise<StoredFile> {
    assertStorageKey(key);
    try {
      putOptions.signal?.throwIfAborted();
      return { key, ...(await uploadToS3(client, place, prefix + key, source, putOptions)) };
    } catch (error) {
      if (source instanceof Readable) source.destroy();
      putOptions.signal?.throwIfAborted();
      throw error;
    }
  }

  async function stat(key: string): Promise<{ bytes: number } | null> {
    assertStorageKey(key);
    return await onS3(place, async () => {
      try {
        const { ContentLength = 0 } = await client.send(new HeadObjectCommand({ Bucket: bucket, Key: prefix + key }));
        return { bytes: ContentLength };
      } catch (error) {
        if (!isBareNotFound(error)) throw error;
        await assertBucket();
        return null;
      }
    });
  }

  /** Files of a bucket that is gone, or named wrongly, must not be taken for erased ones. */
  async function assertBucket(): Promise<void> {
    try {
      await client.send(new HeadBucketCommand({ Bucket: bucket }));
    } catch (error) {
      if (isBareNotFound(error)) throw Object.assign(new Error('no such bucket'), { name: 'NoSuchBucket' });
      // Who may not list the bucket is refused here although it is there.
    }
  }

  async function openKey(key: string, range?: { readonly start: number; readonly end: number }): Promise<Readable> {
    assertStorageKey(key);
    if (range !== undefined && !(range.start >= 0 && range.end >= range.start)) {
      throw new RangeError(`expected a range with 0 <= start <= end, found ${range.start} to ${range.end}`);
    }
    const command = new GetObjectCommand({
      Bucket: bucket,
      Key: prefix + key,
      ...(range !== undefined && { Range: `bytes=${range.start}-${range.end}` }),
    });
    return await onS3(place, async () => {
      try {
        const { Body, ContentRange } = await client.send(command);
        if (!(Body instanceof Readable)) {
          throw new StorageError('unavailable', `the S3 server sent no body for the object ${key}`);
        }
        if (range !== undefined && ContentRange === undefined) {
          Body.destroy();
          throw new StorageError('unavailable', 'the S3 server sent a whole object where a range of it was wanted');
        }
        return carry(Body);
      } catch (error) {
        if (range !== undefined && isBeyondEnd(error)) return Readable.from([]);
        throw error;
      }
    });
  }

  /** A line that breaks midway is a fault of the storage too. */
  function carry(body: Readable): Readable {
    const carried = new PassThrough();
    body.on('error', (error) => carried.destroy(s3Fault(place, error)));
    carried.on('close', () => body.destroy());
    return body.pipe(carried);
  }

  async function address(key: string, wanted: Parameters<Storage['address']>[1]): Promise<string | null> {
    assertStorageKey(key);
    if (!location.redirect) return null;
    const seconds = Math.floor((wanted.expiresAt - now()) / 1000);
    const command = new GetObjectCommand({
      Bucket: bucket,
      Key: prefix + key,
      ResponseContentType: wanted.contentType,
      ResponseContentDisposition: disposition(wanted.fileName),
    });
    const expiresIn = Math.max(1, Math.min(LONGEST_ADDRESS_SECONDS, seconds));
    return await onS3(place, () => getSignedUrl(signer, command, { expiresIn }));
  }

  async function remove(key: string): Promise<void> {
    assertStorageKey(key);
    try {
      await onS3(place, () => client.send(new DeleteObjectCommand({ Bucket: bucket, Key: prefix + key })));
    } catch (error) {
      if (!(error instanceof StorageError && error.kind === 'not_found')) throw error;
    }
  }

  async function* list(wanted: string): ReturnType<Storage['list']> {
    assertStoragePrefix(wanted);
    let token: string | undefined;
    do {
      const command = new ListObjectsV2Command({
        Bucket: bucket,
        Prefix: prefix + wanted,
        ...(token !== undefined && { ContinuationToken: token }),
      });
      const page = await onS3(place, () => client.send(command));
      for (const { Key = '', Size = 0, LastModified } of page.Contents ?? []) {
        const key = Key.slice(prefix.length);
        // Others may keep things in the bucket that are not ours to name, such as the marks of folders.
        if (!isStorageKey(key) || LastModified === undefined) continue;
        yield { key, bytes: Size, changedAt: LastModified.getTime() };
      }
      token = page.IsTruncated ? page.NextContinuationToken : undefined;
    } while (token !== undefined);
  }

  async function check(): Promise<void> {
    const key = `check/${randomUUID()}`;
    await put(key, Buffer.from(key), { contentType: 'text/plain', maxBytes: key.length });
    const found = await buffer(await openKey(key));
    await remove(key);
    if (found.toString() !== key) {
      throw new StorageError('unavailable', 'a small file read back differs from what was written');
    }
  }

  async function close(): Promise<void> {
    sweep.abort();
    await swept;
    client.destroy();
    signer.destroy();
  }

  return { put, stat, open: openKey, address, remove, list, check, close };
}

function disposition(fileName: string | null): string {
  if (fileName === null) return 'inline';
  const plain = fileName.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const exact =
    plain === fileName ? '' : `; filename*=UTF-8''${encodeURIComponent(fileName).replace(/['()*]/g, percent)}`;
  return `attachment; filename="${plain}"${exact}`;
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
