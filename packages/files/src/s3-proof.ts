import { HeadObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { cutText } from '@darkroom-service/contract';
import { StorageError } from '@darkroom-service/media';
import { beginDigest, type Proof } from './part-digest.ts';
import { findReportedDigest } from './reported-digest.ts';
import { isBareNotFound, type S3BucketRef, statusOf, withS3Errors } from './s3-faults.ts';

interface StoredObject {
  readonly Bucket: string;
  readonly Key: string;
}

/** The parts of the SDK's answers with a digest of the bytes that the bucket has. */
interface NamingAnswer {
  readonly ETag?: string | undefined;
  readonly ChecksumCRC32C?: string | undefined;
  readonly ServerSideEncryption?: string | undefined;
  readonly SSECustomerAlgorithm?: string | undefined;
}

const KNOWS_NO_CHECKSUM: readonly (number | null)[] = [400, 403, 501];

/**
 * Puts a sample and finds out from the answers which proof later puts have: the ETag if it is the MD5, a CRC32C that
 * the server repeats, or neither, as for files encrypted with a customer's keys and at some gateways. The caller reads
 * the sample back.
 * @throws the client's error
 */
export async function putSample(client: S3Client, object: StoredObject, sample: Uint8Array): Promise<Proof> {
  const command = { ...object, Body: sample, ContentLength: sample.byteLength, ContentType: 'text/plain' };
  if (tells(await client.send(new PutObjectCommand(command)), 'md5', digestOf('md5', sample))) return 'md5';
  const crc32c = digestOf('crc32c', sample);
  const answer = await client
    .send(new PutObjectCommand({ ...command, ChecksumCRC32C: crc32c }))
    .catch((error: unknown) => {
      if (KNOWS_NO_CHECKSUM.includes(statusOf(error))) return {};
      throw error;
    });
  return tells(answer, 'crc32c', crc32c) ? 'crc32c' : 'length';
}

function digestOf(proof: Proof, bytes: Uint8Array): string {
  const digest = beginDigest(proof);
  digest.update(bytes);
  return digest.end();
}

/** Tells whether an answer has the expected digest; false also if it has none. */
function tells(answer: NamingAnswer, proof: 'md5' | 'crc32c', digest: string): boolean {
  return digestNamedBy(answer, proof)?.digest === digest;
}

/** Returns the digest of this kind in an answer; null if there is none. */
export function digestNamedBy(
  { ETag, ChecksumCRC32C, ServerSideEncryption, SSECustomerAlgorithm }: NamingAnswer,
  proof: 'md5' | 'crc32c',
): { readonly digest: string; readonly words: string } | null {
  const headers = {
    etag: ETag,
    'x-amz-checksum-crc32c': ChecksumCRC32C,
    'x-amz-server-side-encryption': ServerSideEncryption,
    'x-amz-server-side-encryption-customer-algorithm': SSECustomerAlgorithm,
  };
  return findReportedDigest(headers, [proof]);
}

/** Checks that the answer to a put has the digest of the bytes that were sent. @throws StorageError */
export function assertDigest(bucket: S3BucketRef, proof: Proof, answer: NamingAnswer, digest: string): void {
  if (proof === 'length' || tells(answer, proof, digest)) return;
  const reported = digestNamedBy(answer, proof)?.words ?? `ETag ${cutText(String(answer.ETag), 80)}`;
  throw notStored(bucket, `its answer tells ${reported}, which is not that of the bytes sent`);
}

/** Checks that the bucket has an object of the given number of bytes. @throws StorageError */
export async function assertStored(
  client: S3Client,
  bucket: S3BucketRef,
  object: StoredObject,
  bytes: number,
): Promise<void> {
  const found = await withS3Errors(bucket, () => bytesOf(client, object));
  if (found === bytes) return;
  throw notStored(bucket, found === null ? 'afterwards it has no such object' : `it has ${found} of ${bytes} bytes`);
}

/** Checks that the bucket no longer has an object whose removal it confirmed. @throws StorageError */
export async function assertRemoved(client: S3Client, bucket: S3BucketRef, object: StoredObject): Promise<void> {
  const found = await withS3Errors(bucket, () =>
    // Without permission to list the bucket, a missing object is answered with 403.
    bytesOf(client, object).catch((error: unknown) => {
      if (statusOf(error) === 403) return null;
      throw error;
    }),
  );
  if (found === null) return;
  throw lie(bucket, 'answered that it removed an object, and still has it');
}

/** Returns the length of an object in bytes; null if there is none. */
async function bytesOf(client: S3Client, object: StoredObject): Promise<number | null> {
  try {
    return (await client.send(new HeadObjectCommand(object))).ContentLength ?? 0;
  } catch (error) {
    if (isBareNotFound(error)) return null;
    throw error;
  }
}

function notStored(bucket: S3BucketRef, why: string): StorageError {
  return lie(bucket, `answered that it stored a file, but ${why}; it is stored again`);
}

/** Creates the error for a bucket that did not do what it confirmed. */
export function lie({ bucket, endpoint }: S3BucketRef, what: string): StorageError {
  return new StorageError('unavailable', `the bucket ${bucket} at ${endpoint ?? 'Amazon S3'} ${what}`);
}
