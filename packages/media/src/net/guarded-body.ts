import { type Duplex, Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { FetchFault } from './fetch-fault.ts';
import { PieceJoiner, tooSmall, watchPieces } from './response-limits.ts';

interface GuardOptions {
  readonly host: string;
  readonly maxBytes: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Converts the error that broke the transfer into the error that the reader gets. */
  readonly explain: (error: unknown) => Error;
  readonly onBytes: (count: number) => void;
  /** Treatment of a body in chunks of a few bytes: read slowly or refused; absent = the client has handled it. */
  readonly pieces?: 'join' | 'refuse' | undefined;
}

/** Decoders for servers that compress although requests ask for uncompressed bodies; the same size limit applies. */
const DECODERS: ReadonlyMap<string, () => Duplex> = new Map<string, () => Duplex>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
  ['zstd', createZstdDecompress],
]);
/** Maximum content codings: each layer can hide a thousand times its own work. */
const MOST_CODINGS = 4;

/** Wraps a body so that it yields at most `maxBytes` and ends with a FetchFault if it breaks. */
export function guardBody(body: Readable, options: GuardOptions): Readable {
  const decoders = decodersOf(options.headers['content-encoding']);
  const received = new ReceivedBody(body, options);
  // Intermediate layers are measured too: one may grow without end and yield nothing.
  const layers = decoders.flatMap((decoder) => [decoder, createMeter(options)]);
  const guarded = layers.at(-1) ?? received;
  // A caller that needs only the status may never listen; an unhandled 'error' event would end the process.
  guarded.on('error', () => {});
  body.on('error', (error) => guarded.destroy(options.explain(error)));
  // The body may have failed since it began, while nobody listened.
  if (body.errored !== null) guarded.destroy(options.explain(body.errored));
  guarded.once('close', () => {
    body.destroy();
    received.destroy();
    for (const layer of layers) layer.destroy();
  });
  if (Number(options.headers['content-length']) > options.maxBytes) {
    guarded.destroy(tooLarge(options));
    return guarded;
  }
  for (const stage of layers.length === 0 ? [] : [received, ...layers.slice(0, -1)])
    stage.on('error', (error) => guarded.destroy(options.explain(asDecodingFault(error, options))));
  layers.reduce<Readable>((from, layer) => from.pipe(layer), received);
  return guarded;
}

/** Stream of a body's bytes that counts them; it costs a third of piping the body through a `Transform`. */
class ReceivedBody extends Readable {
  readonly #source: Readable;
  #isWanted = false;
  #isHeld = false;

  constructor(source: Readable, options: GuardOptions) {
    super();
    this.#source = source.pause();
    const take = this.#taker(options);
    let bytes = 0;
    source.on('data', (piece: Buffer) => {
      bytes += piece.length;
      options.onBytes(piece.length);
      if (bytes > options.maxBytes) this.destroy(tooLarge(options));
      else take(piece);
    });
  }

  override _read(): void {
    this.#isWanted = true;
    this.#flow();
  }

  /** Returns the function that takes the chunks, and ends the body with its source. */
  #taker({ pieces, host }: GuardOptions): (piece: Buffer) => void {
    const pass = (piece: Buffer) => {
      this.#isWanted = this.push(piece);
      this.#flow();
    };
    const end = () => void this.push(null);
    if (pieces !== 'join') {
      this.#source.once('end', end);
      const window = pieces === 'refuse' ? watchPieces() : null;
      return (piece) => (window?.add(piece.length) === true ? this.destroy(tooSmall(host)) : pass(piece));
    }
    const hold = (isHeld: boolean) => {
      this.#isHeld = isHeld;
      this.#flow();
    };
    const joiner = new PieceJoiner({ pass, hold: () => hold(true), release: () => hold(false) });
    this.#source.once('end', () => {
      joiner.end();
      end();
    });
    this.once('close', () => joiner.stop());
    return (piece) => joiner.add(piece);
  }

  #flow(): void {
    const flows = this.#isWanted && !this.#isHeld;
    if (flows === !this.#source.isPaused()) return;
    if (flows) this.#source.resume();
    else this.#source.pause();
  }
}

/**
 * Returns the decoders of a body, the coding applied last first. None if a coding is unknown: object stores serve any
 * coding that an uploader named, such as `UTF-8` or `aws-chunked`, and the bytes are the file (WHATWG Fetch, "handle
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

/** Converts a decoder's error: a body that ends too early was cut off in transit; other faults stay decoding faults. */
function asDecodingFault(error: Error, { host, headers }: GuardOptions): Error {
  if (error instanceof FetchFault || ('code' in error && error.code === 'Z_BUF_ERROR')) return error;
  const coding = (headers['content-encoding'] ?? '').slice(0, 40);
  return new FetchFault('encoding', `${host} announced content-encoding "${coding}", but sent something else`, {
    sent: 'unknown',
    cause: error,
  });
}
