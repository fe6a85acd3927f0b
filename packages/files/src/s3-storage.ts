import { Readable, Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  AbortMultipartUploadCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  ListObjectsV2Command,
  type S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { world } from '@darkroom-service/contract';
import { type PutOptions, type Storage, StorageError, type StoredFile } from '@darkroom-service/media';
import { beginDigest, type Proof } from './part-digest.ts';
import { createS3Client, type S3ClientOptions } from './s3-client.ts';
import { isBareNotFound, isBeyondEnd, s3Fault, withS3Errors } from './s3-faults.ts';
import { assertRemoved, digestNamedBy, lie, putSample } from './s3-proof.ts';
import { uploadToS3 } from './s3-upload.ts';
import { parseS3Url, type S3Location } from './s3-url.ts';
import { removeFromS3 } from './s3-versions.ts';
import { assertStorageKey, assertStoragePrefix, isStorageKey } from './storage-key.ts';

export interface S3StorageOptions extends S3ClientOptions {
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** S3 presigns URLs for seven days at most. */
const LONGEST_ADDRESS_SECONDS = 7 * 24 * 60 * 60;

/**
 * Opens a storage in a bucket of Amazon S3 or of a compatible server; see `parseS3Url` for the URL. It makes no request
 * before it returns, so that the service starts while the server is down; `check` tells whether it works. Uploads
 * abandoned by killed processes are removed in the background.
 * @throws TypeError when the URL is malformed.
 */
export async function openS3Storage(url: string, options: S3StorageOptions = {}): Promise<Storage> {
  return new S3Storage(parseS3Url(url), options);
}

class S3Storage implements Storage {
  readonly isLocal = false;
  readonly #location: S3Location;
  readonly #client: S3Client;
  /** Signs download URLs, which may name another endpoint than the one the service uses. */
  readonly #signer: S3Client;
  readonly #now: () => number;
  readonly #sweepAbort = new AbortController();
  readonly #sweepEnd: Promise<void>;
  /** The proof that a put is stored; null until a sample has shown which one the bucket gives. */
  #proof: Proof | null = null;
  #learning: Promise<Proof> | null = null;

  constructor(location: S3Location, options: S3StorageOptions) {
    const { endpoint, publicEndpoint } = location;
    this.#location = location;
    this.#client = createS3Client(location, endpoint, options);
    this.#signer = publicEndpoint === null ? this.#client : createS3Client(location, publicEndpoint, options);
    this.#now = options.now ?? (() => world.now());
    // The server or the key's permissions may not allow this; a lifecycle rule of the bucket does the same.
    this.#sweepEnd = sweepUploads(this.#client, location, this.#now(), this.#sweepAbort.signal).catch(() => {});
  }

  async put(key: string, source: Readable | Uint8Array, putOptions: PutOptions): Promise<StoredFile> {
    assertStorageKey(key);
    // An error before the first read would end the process if nobody listened; reading reports it again.
    if (source instanceof Readable) source.on('error', () => {});
    try {
      putOptions.signal?.throwIfAborted();
      const name = this.#location.prefix + key;
      const options = { ...putOptions, proof: await this.#knownProof() };
      return { key, ...(await uploadToS3(this.#client, this.#location, name, source, options)) };
    } catch (error) {
      if (source instanceof Readable) source.destroy();
      putOptions.signal?.throwIfAborted();
      throw error;
    }
  }

  async stat(key: string): Promise<{ bytes: number } | null> {
    assertStorageKey(key);
    return await withS3Errors(this.#location, async () => {
      try {
        const { ContentLength = 0 } = await this.#client.send(new HeadObjectCommand(this.#object(key)));
        return { bytes: ContentLength };
      } catch (error) {
        if (!isBareNotFound(error)) throw error;
        await this.#assertBucket();
        return null;
      }
    });
  }

  async open(key: string, range?: { readonly start: number; readonly end: number }): Promise<Readable> {
    assertStorageKey(key);
    if (range !== undefined && !(range.start >= 0 && range.end >= range.start)) {
      throw new RangeError(`expected a range with 0 <= start <= end, found ${range.start} to ${range.end}`);
    }
    const command = new GetObjectCommand({
      ...this.#object(key),
      ...(range !== undefined && { Range: `bytes=${range.start}-${range.end}` }),
    });
    return await withS3Errors(this.#location, async () => {
      try {
        const answer = await this.#client.send(command);
        const { Body, ContentRange } = answer;
        if (!(Body instanceof Readable)) {
          throw new StorageError('unavailable', `the S3 server sent no body for the object ${key}`);
        }
        if (range !== undefined && ContentRange === undefined) {
          Body.destroy();
          throw new StorageError('unavailable', 'the S3 server ignored the requested range and sent the whole object');
        }
        const digest = range === undefined && this.#proof === 'md5' ? digestNamedBy(answer, 'md5') : null;
        return this.#withStorageErrors(Body, digest?.digest ?? null);
      } catch (error) {
        if (range !== undefined && isBeyondEnd(error)) return Readable.from([]);
        throw error;
      }
    });
  }

  async address(key: string, wanted: Parameters<Storage['address']>[1]): Promise<string | null> {
    assertStorageKey(key);
    if (!this.#location.redirect) return null;
    const seconds = Math.floor((wanted.expiresAt - this.#now()) / 1000);
    const command = new GetObjectCommand({
      ...this.#object(key),
      ResponseContentType: wanted.contentType,
      ResponseContentDisposition: disposition(wanted.fileName),
    });
    const expiresIn = Math.max(1, Math.min(LONGEST_ADDRESS_SECONDS, seconds));
    return await withS3Errors(this.#location, () => getSignedUrl(this.#signer, command, { expiresIn }));
  }

  async remove(key: string): Promise<void> {
    assertStorageKey(key);
    try {
      await withS3Errors(this.#location, () => removeFromS3(this.#client, this.#object(key)));
    } catch (error) {
      if (!(error instanceof StorageError && error.kind === 'not_found')) throw error;
    }
    await assertRemoved(this.#client, this.#location, this.#object(key));
  }

  async *list(keyPrefix: string): ReturnType<Storage['list']> {
    assertStoragePrefix(keyPrefix);
    const { bucket, prefix } = this.#location;
    let token: string | undefined;
    do {
      const command = new ListObjectsV2Command({
        Bucket: bucket,
        Prefix: prefix + keyPrefix,
        ...(token !== undefined && { ContinuationToken: token }),
      });
      const page = await withS3Errors(this.#location, () => this.#client.send(command));
      for (const { Key = '', Size = 0, LastModified } of page.Contents ?? []) {
        const key = Key.slice(prefix.length);
        // Other programs may keep objects in the bucket that are not ours, such as folder markers.
        if (!isStorageKey(key) || LastModified === undefined) continue;
        yield { key, bytes: Size, changedAt: LastModified.getTime() };
      }
      token = page.IsTruncated ? page.NextContinuationToken : undefined;
    } while (token !== undefined);
  }

  async check(): Promise<void> {
    await this.#learnProof();
  }

  async provesBytes(): Promise<boolean> {
    return (await this.#knownProof()) !== 'length';
  }

  async #knownProof(): Promise<Proof> {
    if (this.#proof !== null) return this.#proof;
    this.#learning ??= this.#learnProof().finally(() => {
      this.#learning = null;
    });
    return await this.#learning;
  }

  async #learnProof(): Promise<Proof> {
    const key = `check/${world.randomUUID()}`;
    const sample = Buffer.from(key);
    const proof = await withS3Errors(this.#location, () => putSample(this.#client, this.#object(key), sample));
    const found = await this.open(key).then(buffer, (error: unknown) => {
      if (error instanceof StorageError && error.kind === 'not_found') return null;
      throw error;
    });
    await this.remove(key);
    if (found === null || !found.equals(sample)) {
      const has = found === null ? 'has none afterwards' : 'gives back other bytes';
      throw lie(this.#location, `answered that it stored a small file, and ${has}`);
    }
    this.#proof = proof;
    return proof;
  }

  async keepsVersions(): Promise<boolean> {
    const key = `check/${world.randomUUID()}`;
    await this.put(key, Buffer.from(key), { contentType: 'text/plain', maxBytes: key.length });
    const removed = await withS3Errors(this.#location, () => removeFromS3(this.#client, this.#object(key)));
    return removed.keepsVersions;
  }

  async close(): Promise<void> {
    this.#sweepAbort.abort();
    await this.#sweepEnd;
    this.#client.destroy();
    this.#signer.destroy();
  }

  #object(key: string): { readonly Bucket: string; readonly Key: string } {
    return { Bucket: this.#location.bucket, Key: this.#location.prefix + key };
  }

  /**
   * Distinguishes a missing bucket from a missing object: otherwise every file of a misnamed bucket would count as
   * erased.
   */
  async #assertBucket(): Promise<void> {
    try {
      await this.#client.send(new HeadBucketCommand({ Bucket: this.#location.bucket }));
    } catch (error) {
      if (isBareNotFound(error)) throw Object.assign(new Error('no such bucket'), { name: 'NoSuchBucket' });
      // Without permission to list the bucket this fails although the bucket exists.
    }
  }

  /**
   * Turns a connection that breaks midway into a StorageError as well.
   * @param md5 the object's digest according to the bucket; null = it returns none
   */
  #withStorageErrors(body: Readable, md5: string | null): Readable {
    const digest = beginDigest(md5 === null ? 'length' : 'md5');
    const checked = new Transform({
      transform(piece: Buffer, _encoding, done) {
        digest.update(piece);
        done(null, piece);
      },
      flush: (done) => {
        if (md5 === null || digest.end() === md5) return done();
        done(lie(this.#location, 'gave other bytes than those of the object that its answer names'));
      },
    });
    body.on('error', (error) => checked.destroy(s3Fault(this.#location, error)));
    checked.on('close', () => body.destroy());
    return body.pipe(checked);
  }
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

const LEFT_OVER_AFTER_MS = 24 * 60 * 60 * 1000;

/**
 * Aborts multipart uploads below a prefix that are older than a day, such as those of killed processes; their parts use
 * storage.
 */
async function sweepUploads(
  client: S3Client,
  { bucket, prefix }: { readonly bucket: string; readonly prefix: string },
  now: number,
  abortSignal: AbortSignal,
): Promise<void> {
  let marker: { KeyMarker?: string; UploadIdMarker?: string } | null = {};
  while (marker !== null) {
    const command = new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix, ...marker });
    const page: ListMultipartUploadsCommandOutput = await client.send(command, { abortSignal });
    for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
      if (Key === undefined || Initiated === undefined || !(Initiated.getTime() < now - LEFT_OVER_AFTER_MS)) continue;
      // Some servers ignore the prefix of this request.
      if (!Key.startsWith(prefix)) continue;
      await client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId }), { abortSignal });
    }
    const { IsTruncated, NextKeyMarker, NextUploadIdMarker } = page;
    marker =
      IsTruncated && NextKeyMarker !== undefined
        ? { KeyMarker: NextKeyMarker, ...(NextUploadIdMarker !== undefined && { UploadIdMarker: NextUploadIdMarker }) }
        : null;
  }
}
