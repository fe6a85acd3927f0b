import { type Duplex, type Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { FetchFault } from './fetch-fault.ts';

interface GuardOptions {
  readonly host: string;
  readonly maxBytes: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Converts the error that broke the transfer into the error that the reader gets. */
  readonly explain: (error: unknown) => Error;
  readonly onBytes: (count: number) => void;
}

/** Requests ask for uncompressed bodies. Decompresses anyway if the server compressed, under the same size limit. */
const DECODERS: ReadonlyMap<string, () => Duplex> = new Map<string, () => Duplex>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
  ['zstd', createZstdDecompress],
]);
/** Each layer can hide a thousand times its own work. */
const MOST_CODINGS = 4;

/** Wraps a body so that it yields at most `maxBytes` and ends with a FetchFault if it breaks. */
export function guardBody(body: Readable, options: GuardOptions): Readable {
  const decoders = decodersOf(options.headers['content-encoding']);
  const received = createMeter(options, options.onBytes);
  // Layers between are measured too: one may grow without end and yield nothing.
  const stages = [received, ...decoders.flatMap((decoder) => [decoder, createMeter(options)])];
  const guarded = stages.at(-1) ?? received;
  // A caller that needs only the status may never listen; an unhandled 'error' event would end the process.
  guarded.on('error', () => {});
  body.on('error', (error) => guarded.destroy(options.explain(error)));
  guarded.once('close', () => {
    body.destroy();
    for (const stage of stages) stage.destroy();
  });
  if (Number(options.headers['content-length']) > options.maxBytes) {
    guarded.destroy(tooLarge(options));
    return guarded;
  }
  for (const stage of stages.slice(0, -1))
    stage.on('error', (error) => guarded.destroy(options.explain(asDecodingFault(error, options))));
  stages.reduce<Readable>((from, stage) => from.pipe(stage), body);
  return guarded;
}

/**
 * Returns the decoders of a body, the coding applied last first. None if a coding is unknown: object stores serve
 * whatever an uploader named, such as `UTF-8` or `aws-chunked`, and the bytes are the file (WHATWG Fetch, "handle
 * content codings").
 */
function decodersOf(header = ''): Duplex[] {
  const codings = header
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity');
  const known = codings.flatMap((coding) => DECODERS.get(coding) ?? []);
  if (known.length !== codings.length || known.length > MOST_CODINGS) return [];
  return known.reverse().map((create) => create());
}

function createMeter(options: GuardOptions, onBytes: (count: number) => void = () => {}): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      bytes += chunk.byteLength;
      onBytes(chunk.byteLength);
      if (bytes > options.maxBytes) done(tooLarge(options));
      else done(null, chunk);
    },
  });
}

function tooLarge({ host, maxBytes }: GuardOptions): FetchFault {
  return new FetchFault('too_large', `expected at most ${maxBytes} bytes from ${host}, found more`, {
    sent: 'unknown',
  });
}

/** A body that ends too early was cut off on its way; one with other bytes stays as it is. */
function asDecodingFault(error: Error, { host, headers }: GuardOptions): Error {
  if (error instanceof FetchFault || ('code' in error && error.code === 'Z_BUF_ERROR')) return error;
  const coding = (headers['content-encoding'] ?? '').slice(0, 40);
  return new FetchFault('encoding', `${host} announced content-encoding "${coding}", but sent something else`, {
    sent: 'unknown',
    cause: error,
  });
}
