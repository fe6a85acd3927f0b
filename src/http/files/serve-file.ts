import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { cutText, ServiceError } from '@darkroom-service/contract';
import { ErrorAnswer, plainAnswer } from '@darkroom-service/contract/schemas';
import { networkOf, type Storage, StorageError, withLength } from '@darkroom-service/media';
import { originalBytes, originalParts, type Splice } from '@darkroom-service/media/structure';
import type { FastifyReply, FastifyRequest, onRequestHookHandler, RouteGenericInterface } from 'fastify';
import { ANONYMOUS } from '../../accounts/budgets.ts';
import type { TaskServices } from '../../tasks/task-services.ts';
import { isUnchanged, namedEtag } from '../bodies/packed.ts';
import { FILE_SECURITY_POLICY } from '../connection/security-headers.ts';
import type { App } from '../http-options.ts';
import { readParts } from './read-original.ts';

/** Content types of the files that the service serves, for the documentation. */
const PICTURES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif'] as const;
const FILMS = ['video/mp4', 'video/webm', 'video/quicktime', 'video/x-matroska'] as const;
const SOUNDS = [
  'audio/mpeg',
  'audio/wav',
  'audio/ogg',
  'audio/flac',
  'audio/mp4',
  'audio/webm',
  'audio/x-matroska',
] as const;
/** Content type of thumbnails and previews. */
const SMALL = 'image/webp';

const FILE_TYPES = {
  image: PICTURES,
  video: [...FILMS, SMALL],
  output: [...PICTURES, ...FILMS],
  /** Content types that also customers' uploads have, and files that no row names yet. */
  any: [...PICTURES, ...FILMS, ...SOUNDS, 'application/octet-stream'],
} as const;

/** @param types the content types that the file may have */
function fileAnswer(types: readonly string[]) {
  const file = (description: string) => plainAnswer(description, types, { type: 'string', format: 'binary' });
  return { 200: file('The file'), 206: file('The part of it that `Range` asks for'), ...ErrorAnswer };
}

/** Minimum number of bytes that a file counts in the budget of visitors: each request costs work by itself. */
const LEAST_VISITOR_BYTES = 8 * 1024 * 1024;

type Asking = Pick<FastifyRequest, 'clientAddress' | 'headers' | 'method'> & Partial<Pick<FastifyRequest, 'apiKey'>>;
type Serving = Pick<TaskServices, 'budgets' | 'storage' | 'thumbnails'>;

interface ServedFile {
  readonly storageKey: string;
  readonly contentType: string;
  /** Length of the stored file; null where the storage has to tell. */
  readonly bytes: number | null;
  /** The name under which a browser saves it. */
  readonly fileName: string;
  /** Splices that make the original out of the stored file; set if the original is requested. */
  readonly splices?: readonly Splice[];
}

interface ServeOptions {
  /** Whether browsers should save the file rather than show it. */
  readonly download: boolean;
  /**
   * Time until which the request may be redirected to the storage itself, in milliseconds since 1970. Null = never: the
   * service answers with the file.
   */
  readonly expiresAt: number | null;
  /** Cache lifetime in seconds. */
  readonly maxAge: number;
  /** Whether caches that serve several users may keep the answer. They must revalidate after `maxAge`. */
  readonly isShared?: boolean;
}

/**
 * Registers an address of files for GET and HEAD; `Route` has the types of its parameters and query, `files` names the
 * content types of its answers. Fastify's own HEAD would read the whole file and not send its length.
 */
export function fileRoute<Route extends RouteGenericInterface>(
  app: App,
  {
    files,
    ...route
  }: {
    readonly url: string;
    readonly onRequest?: onRequestHookHandler;
    readonly schema: object;
    readonly files: keyof typeof FILE_TYPES;
    readonly handler: (request: FastifyRequest<Route>, reply: FastifyReply) => Promise<unknown>;
  },
): void {
  const schema = { ...route.schema, response: fileAnswer(FILE_TYPES[files]) };
  const handler = route.handler as (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
  app.route({ ...route, handler, schema, method: 'GET', exposeHeadRoute: false });
  app.route({ ...route, handler, schema: { ...schema, hide: true }, method: 'HEAD' });
}

/**
 * Answers with a stored file: whole, a range of it, or 304. The content under a storage key never changes, so the key
 * makes the `ETag`. A thumbnail is made at its first request. If the storage serves files itself, the answer redirects
 * to it.
 * @throws ServiceError `rate_limited` if a file is made for a client without a key that has used up its budget
 */
export async function serveFile(
  request: Asking,
  reply: FastifyReply,
  services: Serving,
  file: ServedFile,
  options: ServeOptions,
): Promise<unknown> {
  const { storage } = services;
  const stored = await findStored(request, services, file);
  const fileName = options.download ? file.fileName : null;
  const { expiresAt } = options;
  const { splices } = file;
  const bytes = splices === undefined ? stored.bytes : originalBytes(stored.bytes, splices);
  const elsewhere =
    expiresAt === null || splices !== undefined
      ? null
      : await storage.address(file.storageKey, { expiresAt, contentType: file.contentType, fileName });
  if (elsewhere !== null) return reply.header('cache-control', 'no-store').redirect(elsewhere, 302);
  const identity = splices === undefined ? file.storageKey : `original:${file.storageKey}`;
  const etag = `"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`;
  reply.headers({
    'accept-ranges': 'bytes',
    'cache-control':
      options.isShared === true
        ? `public, max-age=${options.maxAge}, must-revalidate`
        : `private, max-age=${options.maxAge}, immutable`,
    'content-disposition': `${options.download ? 'attachment' : 'inline'}; filename="${file.fileName}"`,
    'content-security-policy': FILE_SECURITY_POLICY,
    'cross-origin-resource-policy': 'cross-origin',
  });
  // Files are made to be shown, also within the pages of others.
  reply.removeHeader('x-frame-options');
  if (isUnchanged(request, reply, etag)) return reply.send();
  reply.header('content-type', file.contentType);
  const range = readRange(request.headers.range, request.headers['if-range']?.toString(), bytes, etag);
  if (range === 'unsatisfiable') {
    throw new ServiceError(
      'range_not_satisfiable',
      `The range '${cutText(request.headers.range ?? '', 80)}' is outside the file, which has ${bytes} bytes.`,
      {
        headers: { 'content-range': `bytes */${bytes}` },
      },
    );
  }
  if (range !== null) {
    reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${bytes}`);
  }
  reply.header('content-length', range === null ? bytes : range.end - range.start + 1);
  if (request.method === 'HEAD') return reply.send();
  const { start, end } = range ?? { start: 0, end: bytes - 1 };
  if (splices === undefined) {
    const read = await openStored(storage, file.storageKey, range ?? undefined);
    // A remote storage may have lost a part: the answer then breaks off instead of never ending.
    return reply.send(storage.isLocal ? read : withLength(read, file.storageKey, end + 1 - start));
  }
  takeOfVisitor(request, services, end + 1 - start);
  const parts = originalParts(stored.bytes, splices, { start, end: end + 1 });
  return reply.send(Readable.from(readParts(storage, file.storageKey, parts), { objectMode: false }));
}

/**
 * Returns the size of a file, without a request to a remote storage if the row has it: then the redirect to the
 * storage, or the opening of the file, shows whether it exists.
 */
async function findStored(
  request: Asking,
  services: Serving,
  { storageKey, bytes, splices }: ServedFile,
): Promise<{ readonly bytes: number }> {
  const { storage, thumbnails } = services;
  if (bytes !== null && splices === undefined && request.method === 'GET' && !storage.isLocal) return { bytes };
  const stored = await storage.stat(storageKey);
  if (stored !== null) return stored;
  takeOfVisitor(request, services, 0);
  const made = await thumbnails.make(storageKey);
  if (made === null) throw erased();
  return made;
}

/** Counts a request without a key in the budget of visitors. Requests with a key are limited by its rate. */
function takeOfVisitor({ apiKey, clientAddress }: Asking, { budgets }: Serving, bytes: number): void {
  if (apiKey !== undefined) return;
  const visitor = clientAddress === null ? ANONYMOUS : networkOf(clientAddress);
  budgets.take(visitor, 'visitor_bytes', Math.max(bytes, LEAST_VISITOR_BYTES));
}

async function openStored(storage: Storage, ...request: Parameters<Storage['open']>): Promise<Readable> {
  try {
    return await storage.open(...request);
  } catch (error) {
    throw error instanceof StorageError && error.kind === 'not_found' ? erased() : error;
  }
}

function erased(): ServiceError {
  return new ServiceError('outputs_expired', 'The file was erased.');
}

/**
 * Parses the range of a `Range` header. Null if the whole file is requested: no header, one that is no byte range,
 * several ranges at once, or an `If-Range` that names another state.
 */
export function readRange(
  header: string | undefined,
  ifRange: string | undefined,
  bytes: number,
  etag: string,
): { readonly start: number; readonly end: number } | 'unsatisfiable' | null {
  const match = header === undefined ? null : /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/.exec(header);
  if (match === null || (ifRange !== undefined && (ifRange.startsWith('W/') || namedEtag(ifRange, etag) === null)))
    return null;
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return null;
  if (first === '') {
    const length = Math.min(Number(last), bytes);
    return length === 0 ? 'unsatisfiable' : { start: bytes - length, end: bytes - 1 };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return null;
  if (start >= bytes) return 'unsatisfiable';
  return { start, end: last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1) };
}
