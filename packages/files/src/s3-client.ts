import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { S3Client } from '@aws-sdk/client-s3';
import { withLongHeaders } from './long-headers.ts';
import type { S3Location } from './s3-url.ts';

/** An access key of the server. Temporary credentials also have a session token. */
interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

export interface S3ClientOptions {
  /**
   * Access key; absent = the default chain of the AWS SDK (profile files, web identity, instance role), renewed before
   * it expires.
   */
  readonly credentials?: S3Credentials;
  /** Region if the URL names none. With an endpoint, the default is `us-east-1`. */
  readonly region?: string;
  /** Attempts per request, the first included. */
  readonly attempts?: number;
  /** Milliseconds within which a connection must be established. */
  readonly connectTimeoutMs?: number;
  /** Milliseconds from a request to the headers of its response. */
  readonly requestTimeoutMs?: number;
}

const IDLE_TIMEOUT_MS = 120_000;
/** Maximum sockets; each file being read occupies one. */
const MAX_SOCKETS = 256;

/**
 * Creates a client for Amazon S3 and for servers with fewer features: it sends no newer checksum headers and does not
 * wait for `100 Continue`; the SHA-256 of every body is part of the signature.
 * @throws TypeError if no region is given for Amazon S3.
 */
export function createS3Client(
  location: Pick<S3Location, 'region' | 'pathStyle'>,
  endpoint: string | null,
  options: S3ClientOptions,
): S3Client {
  const region = location.region ?? options.region ?? (endpoint === null ? null : 'us-east-1');
  if (region === null) {
    throw new TypeError('expected the region of the bucket: add region=… to its address, or set AWS_REGION');
  }
  return new S3Client({
    region,
    ...(endpoint !== null && { endpoint }),
    // The SDK writes properties into the object it is given, and the configuration is frozen.
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
      httpAgent: withLongHeaders(new HttpAgent({ keepAlive: true, maxSockets: MAX_SOCKETS })),
      httpsAgent: withLongHeaders(new HttpsAgent({ keepAlive: true, maxSockets: MAX_SOCKETS })),
    },
  });
}
