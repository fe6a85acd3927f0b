import { isBucketName, isRegion } from './bucket-name.ts';

/** The address of a bucket and how to access it. */
export interface S3Location {
  readonly bucket: string;
  /** Empty, or ends with a slash. */
  readonly prefix: string;
  /** Origin of a server other than Amazon S3; null for Amazon S3. */
  readonly endpoint: string | null;
  /** Origin under which clients download, if it differs. */
  readonly publicEndpoint: string | null;
  readonly region: string | null;
  /** Whether the bucket is named in the path instead of the host name. */
  readonly pathStyle: boolean;
  /** Whether downloads are redirected to the server; otherwise the service streams the files. */
  readonly redirect: boolean;
}

const SHAPE = 's3://bucket/prefix?endpoint=https://host&region=name&path_style=true';
const PARAMETERS = ['endpoint', 'public_endpoint', 'region', 'path_style', 'redirect'];
const PREFIX = /^[A-Za-z0-9_-][A-Za-z0-9_.-]*(\/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*$/;
const MAX_PREFIX_LENGTH = 100;

/**
 * Parses `s3://bucket/prefix?endpoint=…&public_endpoint=…&region=…&path_style=true&redirect=false`. Path style is the
 * default with an endpoint; redirects are always the default.
 * @throws TypeError whose message says what is wrong and never repeats credentials.
 */
export function parseS3Url(text: string): S3Location {
  const url = URL.parse(text);
  if (url === null || url.protocol !== 's3:') throw new TypeError(`expected an address like ${SHAPE}`);
  if (url.username !== '' || url.password !== '') {
    throw new TypeError(
      'expected no credentials in the address of the bucket: give them as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
    );
  }
  if (!isBucketName(url.host)) {
    throw new TypeError(
      `expected the name of a bucket after s3:// (3 to 63 of a-z, 0-9, "_", "-", with "." between, and no address), found "${url.host}"`,
    );
  }
  const prefix = url.pathname.replace(/^\/|\/$/g, '');
  if (prefix !== '' && !(prefix.length <= MAX_PREFIX_LENGTH && PREFIX.test(prefix))) {
    throw new TypeError(
      `expected a prefix of up to ${MAX_PREFIX_LENGTH} letters, digits, "_", "-", "." in segments joined by "/", found "${prefix}"`,
    );
  }
  refuseUnknown(url.searchParams);
  const endpoint = readOrigin(url.searchParams, 'endpoint');
  return {
    bucket: url.host,
    prefix: prefix === '' ? '' : `${prefix}/`,
    endpoint,
    publicEndpoint: readOrigin(url.searchParams, 'public_endpoint'),
    region: readRegion(url.searchParams),
    pathStyle: readFlag(url.searchParams, 'path_style', endpoint !== null),
    redirect: readFlag(url.searchParams, 'redirect', true),
  };
}

function refuseUnknown(parameters: URLSearchParams): void {
  for (const name of new Set(parameters.keys())) {
    if (!PARAMETERS.includes(name)) {
      throw new TypeError(
        `the address of the bucket takes no "${name}", only ${PARAMETERS.join(', ')}; credentials belong in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY`,
      );
    }
    if (parameters.getAll(name).length > 1) throw new TypeError(`expected "${name}" once in the address of the bucket`);
  }
}

function readOrigin(parameters: URLSearchParams, name: string): string | null {
  const text = parameters.get(name);
  if (text === null) return null;
  const url = URL.parse(text);
  const isOrigin =
    url !== null &&
    (url.protocol === 'https:' || url.protocol === 'http:') &&
    url.username + url.password + url.search + url.hash === '' &&
    url.pathname === '/';
  if (!isOrigin) {
    throw new TypeError(
      `expected ${name} to be an origin like https://s3.example.com:9000, without path or credentials`,
    );
  }
  return url.origin;
}

function readRegion(parameters: URLSearchParams): string | null {
  const region = parameters.get('region');
  if (region === null || isRegion(region)) return region;
  throw new TypeError(`expected region to be a name like eu-central-1 or auto, found "${region}"`);
}

function readFlag(parameters: URLSearchParams, name: string, otherwise: boolean): boolean {
  const text = parameters.get(name);
  if (text === null) return otherwise;
  if (text === 'true' || text === 'false') return text === 'true';
  throw new TypeError(`expected ${name} to be true or false, found "${text}"`);
}
