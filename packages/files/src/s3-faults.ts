import { cleanText } from '@darkroom-service/contract';
import { StorageError } from '@darkroom-service/media';

/** The part of the location that error messages name. */
export interface S3BucketRef {
  readonly bucket: string;
  /** `null` for Amazon S3. */
  readonly endpoint: string | null;
}

const FULL = ['InsufficientStorage', 'QuotaExceeded', 'XMinioStorageFull', 'XMinioAdminBucketQuotaExceeded'];
const MISSING = ['NoSuchKey', 'NotFound'];
const ADVICE: Readonly<Record<string, string>> = {
  NoSuchBucket: 'there is no such bucket: make it, or correct its name, the endpoint or the region',
  InvalidAccessKeyId: 'the access key is unknown there: check AWS_ACCESS_KEY_ID',
  SignatureDoesNotMatch: 'the secret key does not fit the access key: check AWS_SECRET_ACCESS_KEY',
  ExpiredToken: 'the session token has run out: renew the credentials',
  HPE_HEADER_OVERFLOW: 'its answer has more than 64 KB of headers: something between adds them',
  InvalidToken: 'the session token is not valid: renew the credentials',
  CredentialsProviderError:
    'no credentials were found: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give the machine a role',
  RequestTimeTooSkewed: 'the clock of this machine is wrong by many minutes: set it',
  PermanentRedirect: 'the bucket lies in another region or under another address: correct region or endpoint',
  AuthorizationHeaderMalformed: 'the bucket lies in another region: correct the region',
  NoSuchUpload: 'the upload was given up by somebody else: leave unfinished uploads in the bucket for at least a day',
};

/** Runs S3 work and turns its errors into StorageErrors that say what to do and contain no secret. */
export async function withS3Errors<Result>(bucket: S3BucketRef, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw s3Fault(bucket, error);
  }
}

export function s3Fault(bucket: S3BucketRef, error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  const where = `the bucket ${bucket.bucket} at ${bucket.endpoint ?? 'Amazon S3'}`;
  const { name, code, status } = describe(error);
  const reason = cleanText([name, code, status].filter((part) => part !== null && part !== 'Error').join(', '), 200);
  if (MISSING.includes(name)) return new StorageError('not_found', `there is no such object in ${where}`);
  if (FULL.includes(name) || status === 507) {
    return new StorageError(
      'full',
      `${where} has no room (${reason}): free some, for example with darkroom retention apply --days 7`,
    );
  }
  // The SDK's error contains the signed request and the access key, so only its name is used and it is not set as the
  // cause.
  return new StorageError(
    'unavailable',
    `${where} cannot be used (${reason}): ${adviceFor(code === 'HPE_HEADER_OVERFLOW' ? code : name, status)}`,
  );
}

/** Tells whether a HEAD request was answered with 404, which does not say whether bucket or object is missing. */
export function isBareNotFound(error: unknown): boolean {
  return describe(error).status === 404;
}

/** Returns the HTTP status of the response that an error of the client stands for; null if there was no response. */
export function statusOf(error: unknown): number | null {
  return describe(error).status;
}

/** Tells whether a range starts beyond the end of an object. */
export function isBeyondEnd(error: unknown): boolean {
  return describe(error).status === 416;
}

function adviceFor(name: string, status: number | null): string {
  const advice = Object.hasOwn(ADVICE, name) ? ADVICE[name] : undefined;
  if (advice !== undefined) return advice;
  if (status === 401 || status === 403) {
    return 'the credentials are refused, or may not do this: they need to list the bucket, to get, put and delete objects, and to abort uploads';
  }
  if (status === 404) return 'there is no such bucket, or no S3 server, at this address';
  if (status === 301 || status === 307) return 'the bucket lies in another region: correct region or endpoint';
  if (status === 429 || (status !== null && status >= 500)) return 'the server is busy or broken; it is tried again';
  if (status !== null) return 'the server refuses the request';
  return 'the server cannot be reached: check the endpoint and the network';
}

function describe(error: unknown): { name: string; code: string | null; status: number | null } {
  if (!(error instanceof Error)) return { name: typeof error, code: null, status: null };
  const { code, $metadata } = error as { code?: unknown; $metadata?: { httpStatusCode?: unknown } };
  const status = $metadata?.httpStatusCode;
  return {
    name: error.name,
    code: typeof code === 'string' ? code : null,
    status: typeof status === 'number' ? status : null,
  };
}
