import { S3Client } from '@aws-sdk/client-s3';
import type { S3Location } from './s3-url.ts';

/** An access key of the server. The session token belongs to credentials that run out. */
export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

export interface S3ClientOptions {
  /** Absent: the default chain of the AWS SDK (profile files, web identity, the role of the machine), renewed as it runs out. */
  readonly credentials?: S3Credentials;
  /** Where the address names none; `us-east-1` with an endpoint when neither does. */
  readonly region?: string;
  /** Tries of one request, the first included. */
  readonly attempts?: number;
  /** Milliseconds in which a connection stands. */
  readonly connectTimeoutMs?: number;
  /** Milliseconds from a request to the head of its answer. */
  readonly requestTimeoutMs?: number;
}

const IDLE_TIMEOUT_MS = 120_000;
/** Each file being read holds one. */
const MAX_SOCKETS = 256;

/**
 * A client that speaks to Amazon S3 and to servers that know less: without the newer checksum headers and without
 * waiting for `100 Continue`; the SHA-256 of every body is part of what is signed.
 * @throws TypeError where no region is given for Amazon's own.
 */
export function createS3Client(location: S3Location, endpoint: string | null, options: S3ClientOptions): S3Client {
  const region = location.region ?? options.region ?? (endpoint === null ? null : 'us-east-1');
  if (region === null) {
    throw new TypeError('expected the region of the bucket: add region=… to its address, or set AWS_REGION');
  }
  return new S3Client({
    region,
    ...(endpoint !== null && { endpoint }),
    // The SDK writes marks of its own into what it is given, and settings are frozen.
    ...(options.credentials !== undefined && { credentials: { ...options.credentials } }),
    forcePathStyle: location.pathStyle,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    expectContinueHeader: false,
    maxAttempts: options.attempts ?? 3,
    retryMode: 'standard',
    requestHandler: {
      connectionTimeout: options.connectTimeoutMs ?? 5_000,
      requestTimeout: options.requestTimeoutMs ?? 60_000,
      throwOnRequestTimeout: true,
      socketTimeout: IDLE_TIMEOUT_MS,
      httpAgent: { keepAlive: true, maxSockets: MAX_SOCKETS },
      httpsAgent: { keepAlive: true, maxSockets: MAX_SOCKETS },
    },
  });
}
