import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { MediaFault } from './media-fault.ts';
import type { MediaCall, MediaTools } from './media-tools.ts';
import { FetchFault, isPassingStatus } from './net/fetch-fault.ts';
import type { PaceLimits } from './net/pace.ts';
import type { TrustedFetch } from './net/trusted-fetch.ts';
import type { Probe } from './probe.ts';
import { type PutOptions, type Storage, StorageError, type StoredFile } from './storage.ts';
import { temporaryPath } from './temporary-path.ts';

type MediaKind = Probe['kind'];

export interface ReferenceLimits {
  readonly maxBytes: Readonly<Record<MediaKind, number>>;
  /** Maximum milliseconds of the whole download. */
  readonly timeoutMs: number;
  readonly pace: PaceLimits;
}

export const DEFAULT_REFERENCE_LIMITS: ReferenceLimits = {
  maxBytes: { image: 50_000_000, video: 500_000_000, audio: 100_000_000 },
  timeoutMs: 5 * 60 * 1000,
  pace: { answerWithinMs: 60_000, minBytes: 20 * 1024, perMs: 20_000 },
};

/** Source of a medium: a URL, our own storage, or bytes or a stream of the caller. */
type ReferenceSource = (
  | {
      readonly url: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly allowOrigins?: readonly string[];
    }
  | { readonly key: string }
  | { readonly data: Uint8Array }
  | { readonly stream: Readable }
) & {
  /** The expected kind; null = any of the three. */
  readonly kind: MediaKind | null;
  /** A limit lower than that of its kind. */
  readonly maxBytes?: number;
};

interface CollectedMedia extends Probe {
  readonly key: string;
  /** Digest in hexadecimal. */
  readonly sha256: string;
}

/** Error for a medium that cannot be used. The message may be shown to its sender; the caller adds the field. */
export class ReferenceFault extends Error {
  /** Whether a retry may succeed, for example if a name does not resolve, or a host is busy or broke the connection. */
  readonly retryable: boolean;

  constructor(message: string, options: { retryable: boolean; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ReferenceFault';
    this.retryable = options.retryable;
  }
}

export interface References {
  /**
   * Writes a medium to a temporary file, checks its content, and stores it under the key.
   * @throws ReferenceFault; StorageError when our own disk or storage fails; the signal's reason.
   */
  collect(
    source: ReferenceSource,
    target: {
      readonly key: string;
    } & Omit<MediaCall, 'mode' | 'signal'>,
    options?: { readonly signal?: AbortSignal },
  ): Promise<CollectedMedia>;
}

interface ReferencesOptions {
  readonly fetch: TrustedFetch;
  readonly storage: Storage;
  readonly media: Pick<MediaTools, 'probe'>;
  /** Directory for temporary files, created if absent. The service removes files that a killed process leaves in it. */
  readonly temporaryDirectory: string;
  readonly limits?: ReferenceLimits;
}

const MAX_REDIRECTS = 5;
const KIND_NAMES: Readonly<Record<MediaKind, string>> = { image: 'an image', video: 'a video', audio: 'an audio file' };

export function createReferences(options: ReferencesOptions): References {
  const { fetch, storage, media, temporaryDirectory, limits = DEFAULT_REFERENCE_LIMITS } = options;

  return {
    async collect(source, { key, ...call }, { signal } = {}) {
      const path = await temporaryPath(temporaryDirectory);
      const maxBytes = byteLimit(source, limits);
      // A source that fails before it is read would end the process without a listener; reading reports the error
      // again.
      if ('stream' in source) source.stream.on('error', () => {});
      try {
        await save(await openSource(source, maxBytes, signal), path, maxBytes, signal);
        const probe = await media.probe(path, { ...call, ...(signal && { signal }) });
        checkKind(source, probe, limits);
        const known = call.digest === undefined ? {} : { sha256: call.digest() };
        return { ...probe, ...(await store(path, key, probe, { ...known, ...(signal && { signal }) })) };
      } catch (error) {
        signal?.throwIfAborted();
        throw explain(error);
      } finally {
        await rm(path, { force: true });
      }
    },
  };

  async function store(
    path: string,
    key: string,
    { contentType, bytes }: Probe,
    options: Pick<PutOptions, 'sha256' | 'signal'>,
  ): Promise<StoredFile> {
    const file = createReadStream(path);
    try {
      return await storage.put(key, file, { ...options, contentType, maxBytes: bytes });
    } finally {
      file.destroy();
    }
  }

  async function openSource(
    source: ReferenceSource,
    maxBytes: number,
    signal: AbortSignal | undefined,
  ): Promise<Readable> {
    if ('stream' in source) return source.stream;
    if ('data' in source) return Readable.from([source.data]);
    if ('key' in source) return await openStored(storage, source.key);
    const { url, headers = {}, allowOrigins = [] } = source;
    const { timeoutMs, pace } = limits;
    const response = await fetch(url, {
      headers: { accept: 'image/*, video/*, audio/*, */*;q=0.1', ...headers },
      maxBytes,
      timeoutMs,
      pace,
      maxRedirects: MAX_REDIRECTS,
      allowOrigins,
      ...(signal && { signal }),
    });
    if (response.status === 200) return response.body;
    response.body.destroy();
    throw new ReferenceFault(`${new URL(response.url).host} answered ${response.status} instead of the file`, {
      retryable: isPassingStatus(response.status),
    });
  }
}

async function openStored(storage: Storage, key: string): Promise<Readable> {
  try {
    return await storage.open(key);
  } catch (error) {
    if (!(error instanceof StorageError) || error.kind !== 'not_found') throw error;
    throw new ReferenceFault('the file no longer exists: it was deleted or has expired', {
      retryable: false,
      cause: error,
    });
  }
}

async function save(source: Readable, path: string, maxBytes: number, signal: AbortSignal | undefined): Promise<void> {
  async function* measured(chunks: AsyncIterable<Uint8Array>) {
    let bytes = 0;
    for await (const chunk of chunks) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw new MediaFault('too_large', `expected at most ${maxBytes} bytes, found more`);
      yield chunk;
    }
  }
  const file = createWriteStream(path, { flags: 'wx' });
  const closed = new Promise((resolve) => file.once('close', resolve));
  try {
    await pipeline(source, measured, file, signal === undefined ? {} : { signal });
  } finally {
    // A source that fails at once can do so before the file is open: if it were removed before that, it would be
    // created afterwards and stay.
    await closed;
  }
}

/** Returns the limit of bytes. If any kind is allowed, the highest limit applies until the content shows the kind. */
function byteLimit(source: ReferenceSource, { maxBytes }: ReferenceLimits): number {
  const ofKind = source.kind === null ? Math.max(...Object.values(maxBytes)) : maxBytes[source.kind];
  return Math.min(ofKind, source.maxBytes ?? ofKind);
}

function checkKind(source: ReferenceSource, { kind, contentType, bytes }: Probe, limits: ReferenceLimits): void {
  if (source.kind !== null && source.kind !== kind) {
    throw new MediaFault(
      'unsupported',
      `expected ${KIND_NAMES[source.kind]}, found ${KIND_NAMES[kind]} (${contentType})`,
    );
  }
  const most = limits.maxBytes[kind];
  if (bytes > most)
    throw new MediaFault('too_large', `expected ${KIND_NAMES[kind]} of at most ${most} bytes, found ${bytes}`);
}

function explain(error: unknown): unknown {
  if (error instanceof FetchFault) {
    return new ReferenceFault(error.message, { retryable: error.isPassing, cause: error });
  }
  if (error instanceof MediaFault) return new ReferenceFault(error.message, { retryable: false, cause: error });
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new StorageError('full', 'the disk for temporary files is full; free some space', error);
  }
  return error;
}
