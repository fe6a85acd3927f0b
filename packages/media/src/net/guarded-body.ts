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

/** Wraps a body so that it yields at most `maxBytes` and ends with a FetchFault if it breaks. */
export function guardBody(body: Readable, options: GuardOptions): Readable {
  const encoding = (options.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const meter = createMeter(options);
  // A caller that needs only the status may never listen; an unhandled 'error' event would end the process.
  meter.on('error', () => {});
  const decoder = DECODERS.get(encoding)?.();
  body.on('error', (error) => meter.destroy(options.explain(error)));
  decoder?.on('error', (error) => meter.destroy(options.explain(error)));
  meter.once('close', () => {
    body.destroy();
    decoder?.destroy();
  });
  if (decoder === undefined && encoding !== 'identity' && encoding !== '') {
    meter.destroy(unknownEncoding(options.host, encoding));
  } else if (decoder === undefined && Number(options.headers['content-length']) > options.maxBytes) {
    meter.destroy(tooLarge(options));
  } else {
    (decoder === undefined ? body : body.pipe(decoder)).pipe(meter);
  }
  return meter;
}

function createMeter(options: GuardOptions): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      bytes += chunk.byteLength;
      options.onBytes(chunk.byteLength);
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

function unknownEncoding(host: string, encoding: string): FetchFault {
  const message = `expected a plain body from ${host}, found content-encoding "${encoding.slice(0, 40)}"`;
  return new FetchFault('protocol', message, { sent: 'unknown' });
}
