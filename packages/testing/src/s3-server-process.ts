/**
 * An S3 server in a process of its own: `s3rver`, with the features of S3 that it lacks and our storage relies on:
 * objects that appear whole or not at all, refusal of bodies that differ from the signed ones, and uploads that can be
 * listed and aborted. Takes the directory of its buckets; sends its port to the parent and ends with it.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

interface S3Object {
  readonly bucket: string;
  readonly key: string;
  readonly content: Readable | Buffer;
  readonly metadata: Record<string, string>;
}

interface Store {
  getResourcePath(bucket: string, key: string | undefined, resource: string): string;
  putMetadata(bucket: string, key: string, metadata: Record<string, string>, md5: string): Promise<void>;
  putObject(object: S3Object): Promise<Measured>;
  putPart(bucket: string, uploadId: string, partNumber: string, content: Readable): Promise<Measured>;
  deleteObject(bucket: string, key: string): Promise<void>;
  getObject(bucket: string, key: string, options: { start?: number; end?: number }): Promise<unknown>;
  listObjects(bucket: string, options: { prefix?: string; startAfter?: string; maxKeys?: number }): Promise<Listing>;
}

interface Measured {
  readonly size: number;
  readonly md5: string;
}

interface Listing {
  readonly objects: readonly { readonly key: string }[];
  readonly commonPrefixes: readonly string[];
  readonly isTruncated: boolean;
}

interface Server {
  readonly store: Store;
  callback(): (request: IncomingMessage, response: ServerResponse) => void;
}

const PAGE = 10;

const directory = process.argv[2] ?? '';
const S3rver = createRequire(import.meta.url)('s3rver') as new (options: object) => Server;
const server = new S3rver({ directory, silent: true, vhostBuckets: false });
mendStore(server.store);
const answer = server.callback();
const http = createServer((request, response) => {
  serveUploads(request, response).then(
    (served) => served || answer(request, response),
    (error) => response.writeHead(500).end(String(error)),
  );
});
http.listen(0, '127.0.0.1', () => process.send?.((http.address() as AddressInfo).port));
process.on('disconnect', () => process.exit());

function mendStore(store: Store): void {
  const listAll = store.listObjects.bind(store);
  const getObject = store.getObject.bind(store);

  // `s3rver` treats an end of 0 as no end.
  store.getObject = (bucket, key, options) =>
    getObject(bucket, key, options.end === 0 ? { ...options, end: Object(0) } : options);

  store.putObject = async ({ bucket, key, content, metadata }) => {
    const path = store.getResourcePath(bucket, key, 'object');
    await mkdir(dirname(path), { recursive: true });
    const measured = await writeWhole(bucket, path, content);
    await store.putMetadata(bucket, key, metadata, measured.md5);
    return measured;
  };

  // A part that arrives after its upload was aborted finds no directory, and is refused.
  store.putPart = async (bucket, uploadId, partNumber, content) => {
    const path = join(store.getResourcePath(bucket, undefined, 'uploads'), uploadId, partNumber);
    const measured = await writeWhole(bucket, path, content);
    await writeFile(`${path}.md5`, measured.md5);
    return measured;
  };

  // Does not remove empty directories: others may be writing into them.
  store.deleteObject = async (bucket, key) => {
    for (const resource of ['object', 'object.md5', 'metadata.json']) {
      await unlink(store.getResourcePath(bucket, key, resource)).catch(() => {});
    }
  };

  // Sorted by key, in pages that a test can fill.
  store.listObjects = async (bucket, { prefix, startAfter = '', maxKeys = PAGE }) => {
    const { objects } = await listAll(bucket, prefix === undefined ? {} : { prefix });
    const page = objects.filter(({ key }) => key > startAfter).sort((one, other) => (one.key < other.key ? -1 : 1));
    const length = Math.min(maxKeys, PAGE);
    return { objects: page.slice(0, length), commonPrefixes: [], isTruncated: page.length > length };
  };
}

async function writeWhole(bucket: string, path: string, content: Readable | Buffer): Promise<Measured> {
  const aside = join(directory, bucket, `.aside-${randomUUID()}`);
  const [md5, sha256] = [createHash('md5'), createHash('sha256')];
  let size = 0;
  const source = content instanceof Readable ? content : Readable.from([content]);
  try {
    await pipeline(
      source,
      async function* (pieces: AsyncIterable<Buffer>) {
        for await (const piece of pieces) {
          md5.update(piece);
          sha256.update(piece);
          size += piece.length;
          yield piece;
        }
      },
      createWriteStream(aside),
    );
    const request = 'headers' in content ? (content as IncomingMessage) : null;
    // With a presigned URL, only the URL is signed.
    const isPresigned = request?.url?.includes('X-Amz-Signature=') === true;
    const signed = isPresigned ? undefined : request?.headers['x-amz-content-sha256'];
    if (typeof signed === 'string' && signed !== sha256.digest('hex'))
      throw new Error(`a body was not signed: ${signed}`);
    await rename(aside, path);
    return { size, md5: md5.digest('hex') };
  } finally {
    await rm(aside, { force: true });
  }
}

/** Answers `GET /bucket?uploads` and `DELETE /bucket/key?uploadId=…`; returns false for all else. */
async function serveUploads(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://host');
  const bucket = pathname.split('/')[1] ?? '';
  const uploads = server.store.getResourcePath(bucket, undefined, 'uploads');
  const uploadId = searchParams.get('uploadId');
  if (request.method === 'DELETE' && uploadId !== null) {
    await rm(join(uploads, uploadId), { recursive: true, force: true, maxRetries: 3 });
    response.writeHead(204).end();
    return true;
  }
  if (request.method !== 'GET' || !searchParams.has('uploads')) return false;
  const found = await Promise.all(
    (await readdir(uploads).catch(() => [])).map(async (id) => {
      const key = await readFile(join(uploads, id, 'key'), 'utf8');
      const begun = (await stat(join(uploads, id, 'key'))).mtime.toISOString();
      return `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${begun}</Initiated></Upload>`;
    }),
  );
  const result = `<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>${found.join('')}</ListMultipartUploadsResult>`;
  response.writeHead(200, { 'content-type': 'application/xml' }).end(result);
  return true;
}
