import { loadPart } from '@darkroom-service/media/process';
import type { S3ClientOptions } from './s3-client.ts';
import type { S3Location } from './s3-url.ts';

/** A URL that one file can be put to, with the headers that the request must have. */
export interface SignedUpload {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A file of known content, and the bucket that is to have it. */
interface Upload extends Pick<S3Location, 'bucket' | 'endpoint' | 'region'> {
  readonly key: string;
  /** The digest of the file in hexadecimal. */
  readonly sha256: string;
  readonly credentials: NonNullable<S3ClientOptions['credentials']>;
}

const SIGNED_FOR_SECONDS = 3_600;
const CHECKSUM = 'x-amz-checksum-sha256';

/**
 * Signs a URL that a file can be put to for an hour. The bucket refuses other bytes, and returns the digest of the
 * stored bytes in the header `x-amz-checksum-sha256`.
 * @throws TypeError if no region is given for Amazon S3.
 */
export async function signUpload(upload: Upload): Promise<SignedUpload> {
  const { bucket, endpoint, region, key, sha256, credentials } = upload;
  // Loads the SDK only if it is needed.
  const [{ PutObjectCommand }, { getSignedUrl }, { createS3Client }] = await loadPart(() =>
    Promise.all([import('@aws-sdk/client-s3'), import('@aws-sdk/s3-request-presigner'), import('./s3-client.ts')]),
  );
  const checksum = Buffer.from(sha256, 'hex').toString('base64');
  const command = new PutObjectCommand({ Bucket: bucket, Key: key, ChecksumSHA256: checksum });
  const client = createS3Client({ region, pathStyle: endpoint !== null }, endpoint, { credentials });
  const unhoistableHeaders = new Set([CHECKSUM]);
  const url = await getSignedUrl(client, command, { expiresIn: SIGNED_FOR_SECONDS, unhoistableHeaders });
  client.destroy();
  return { url, headers: { [CHECKSUM]: checksum } };
}
