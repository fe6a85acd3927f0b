import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** An operation that the server confirms and does not do. It never lies about its sample, under `check/`. */
export type Lie =
  | 'stores nothing'
  | 'stores other bytes'
  | 'stores half'
  | 'joins no parts'
  | 'gives half'
  | 'gives other bytes'
  | 'removes nothing'
  | 'lists nothing';

export interface LyingS3 {
  readonly endpoint: string;
  readonly objects: Map<string, Buffer>;
  /** Method and key of each request so far. */
  readonly asked: string[];
  lie: Lie | null;
  close(): void;
}

const EMPTY = Buffer.alloc(0);

/**
 * Starts an S3 server in memory with one bucket, `bucket`, that can lie.
 * @param digest the digest in its answers: the MD5 as ETag, a CRC32C if the request has one, or none
 */
export async function startLyingS3(digest: 'md5' | 'crc32c' | 'none' = 'md5'): Promise<LyingS3> {
  const objects = new Map<string, Buffer>();
  const parts = new Map<string, Map<number, Buffer>>();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    answer(request, response).catch((error) => response.writeHead(500).end(String(error)));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const bucket: LyingS3 = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    asked,
    lie: null,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return bucket;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://host');
    const key = pathname.replace(/^\/bucket\/?/, '');
    const body = await buffer(request);
    asked.push(`${request.method} ${key}`);
    const lie = key.startsWith('check/') ? null : bucket.lie;
    const upload = searchParams.get('uploadId');
    if (request.method === 'POST') {
      if (upload === null) return xml(response, `<R><UploadId>${randomBytes(8).toString('hex')}</UploadId></R>`);
      const whole = Buffer.concat([...(parts.get(upload) ?? [])].sort(([a], [b]) => a - b).map(([, part]) => part));
      if (lie !== 'joins no parts') objects.set(key, whole);
      return xml(response, '<R><ETag>"joined-2"</ETag></R>');
    }
    if (request.method === 'PUT') {
      const kept =
        lie === 'stores nothing'
          ? EMPTY
          : lie === 'stores half'
            ? half(body)
            : lie === 'stores other bytes'
              ? other(body)
              : body;
      if (upload !== null)
        parts.set(upload, (parts.get(upload) ?? new Map()).set(Number(searchParams.get('partNumber')), kept));
      else if (lie !== 'stores nothing') objects.set(key, kept);
      const hasChecksum = digest === 'crc32c' && request.headers['x-amz-checksum-crc32c'] !== undefined;
      // Only an honest server repeats the checksum of a request: when lying, this one has other bytes.
      const told = kept === body ? request.headers['x-amz-checksum-crc32c'] : 'AAAAAA==';
      return void response
        .writeHead(200, { etag: etagOf(kept), ...(hasChecksum && { 'x-amz-checksum-crc32c': told }) })
        .end();
    }
    if (request.method === 'DELETE') {
      if (lie !== 'removes nothing') objects.delete(key);
      return void response.writeHead(204).end();
    }
    if (key === '') return list(searchParams, response);
    const stored = objects.get(key);
    if (stored === undefined)
      return void response.writeHead(404).end(request.method === 'HEAD' ? '' : '<Error><Code>NoSuchKey</Code></Error>');
    const given = lie === 'gives half' ? half(stored) : lie === 'gives other bytes' ? other(stored) : stored;
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    const part = first === undefined ? given : given.subarray(Number(first), Number(last) + 1);
    const range = first === undefined ? {} : { 'content-range': `bytes ${first}-${last}/${stored.length}` };
    const length = request.method === 'HEAD' ? stored.length : part.length;
    response.writeHead(first === undefined ? 200 : 206, { etag: etagOf(stored), 'content-length': length, ...range });
    response.end(request.method === 'HEAD' ? undefined : part);
  }

  function etagOf(bytes: Buffer): string {
    return `"${digest === 'md5' ? createHash('md5').update(bytes).digest('hex') : randomBytes(16).toString('hex')}"`;
  }

  function list(query: URLSearchParams, response: ServerResponse): void {
    if (query.has('uploads')) return void response.writeHead(501).end();
    const prefix = query.get('prefix') ?? '';
    const keys =
      bucket.lie === 'lists nothing' ? [] : [...objects.keys()].filter((key) => key.startsWith(prefix)).sort();
    const changed = new Date(Date.now() - 2 * 86_400_000).toISOString();
    const entry = (key: string) =>
      `<Contents><Key>${key}</Key><Size>${objects.get(key)?.length}</Size><LastModified>${changed}</LastModified></Contents>`;
    xml(response, `<R><IsTruncated>false</IsTruncated>${keys.map(entry).join('')}</R>`);
  }
}

function half(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.length >> 1);
}

function other(bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes);
  changed[0]! ^= 1;
  return changed;
}

function xml(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'application/xml' }).end(text);
}
