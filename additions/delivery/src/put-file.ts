import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { StoredOutput } from '@darkroom-service/darkroom/kernel';
import { findReportedDigest } from '@darkroom-service/files';
import { FetchFault, type Storage, StorageError, type TrustedFetch } from '@darkroom-service/media';

/** Reason why an output was not delivered; shown to the customer. */
export class DeliveryFault extends Error {
  /** Whether the same request would be refused again. */
  readonly isFinal: boolean;

  constructor(message: string, { isFinal = false }: { readonly isFinal?: boolean } = {}) {
    super(message);
    this.isFinal = isFinal;
  }
}

const MAX_ANSWER_BYTES = 64 * 1024;
/** Base time limit of an attempt; added to it is the time that the file takes at 256 KB a second. */
const ATTEMPT_MS = 30_000;
const BYTES_PER_MS = 256;

/** Proof that the receiver has the file. */
export interface Receipt {
  readonly etag: string;
  /**
   * Kind of the digest that its answer repeats; null if it has none, as of buckets that encrypt with keys of their own.
   */
  readonly verifiedBy: 'sha256' | 'md5' | null;
}

/**
 * Sends a file with one PUT. The address is checked again at this attempt. The answer must have an ETag, and no digest
 * of other bytes than those that were sent.
 * @param headers headers with which the address was signed, and those of the order
 * @throws DeliveryFault; StorageError if the file cannot be read now; the reason of the signal
 */
export async function putFile(
  { fetch, storage }: { readonly fetch: TrustedFetch; readonly storage: Pick<Storage, 'open'> },
  { url, headers }: { readonly url: string; readonly headers: Readonly<Record<string, string>> },
  output: StoredOutput,
  signal: AbortSignal,
): Promise<Receipt> {
  const file = await storage.open(output.key).catch((error: unknown) => {
    if (error instanceof StorageError && error.kind === 'not_found') throw new DeliveryFault('The file is lost.');
    throw error;
  });
  file.on('error', () => {});
  const sent = { bytes: 0, md5: createHash('md5'), sha256: createHash('sha256') };
  async function* count() {
    for await (const piece of file) {
      sent.bytes += piece.length;
      sent.md5.update(piece);
      sent.sha256.update(piece);
      yield piece;
    }
  }
  try {
    const response = await fetch(url, {
      method: 'PUT',
      headers: { ...headers, 'content-type': output.contentType, 'content-length': String(output.bytes) },
      body: Readable.from(count()),
      signal,
      maxBytes: MAX_ANSWER_BYTES,
      timeoutMs: ATTEMPT_MS + output.bytes / BYTES_PER_MS,
    });
    if (response.status < 200 || response.status > 299) {
      const text = String(await buffer(response.body).catch(() => ''));
      throw refusalOf(response.status, text);
    }
    response.body.destroy();
    if (sent.bytes < output.bytes) throw new DeliveryFault('The bucket answered before it had the whole file.');
    const sha256 = sent.sha256.digest();
    if (sha256.toString('hex') !== output.sha256)
      throw new StorageError('unavailable', `the storage gave other bytes of ${output.key} than were stored`);
    return receiptOf(response.headers, { md5: sent.md5.digest(), sha256 });
  } catch (error) {
    signal.throwIfAborted();
    if (file.errored instanceof StorageError) throw file.errored;
    throw error instanceof FetchFault ? new DeliveryFault(`${error.message}.`) : error;
  } finally {
    file.destroy();
  }
}

/** Reads a refusal. A missing header stays missing, no matter how often the file is sent. */
function refusalOf(status: number, text: string): DeliveryFault {
  const code = /<Code>(\w{1,60})<\/Code>/.exec(text)?.[1];
  const told = `The bucket answered ${status}${code === undefined ? '' : ` (${code})`}`;
  if (status !== 400 || code === undefined || !/^Missing\w*Header/.test(code)) return new DeliveryFault(`${told}.`);
  const name = /<(?:HeaderName|MissingHeaderName)>([\w-]{1,100})</.exec(text)?.[1];
  const missing = name === undefined ? 'a header is missing' : `the header '${name}' is missing`;
  return new DeliveryFault(`${told}: ${missing}. Send it in deliver_to.headers.`, { isFinal: true });
}

/** @throws DeliveryFault unless an answer shows that a bucket has the sent bytes */
function receiptOf(headers: IncomingHttpHeaders, sent: { readonly md5: Buffer; readonly sha256: Buffer }): Receipt {
  const { etag } = headers;
  // A page of something in between has none.
  if (etag === undefined) throw new DeliveryFault('The answer has no ETag, so no bucket has confirmed the file.');
  const told = findReportedDigest(headers, ['sha256', 'md5']);
  if (told !== null && told.digest !== sent[told.algorithm].toString('base64'))
    throw new DeliveryFault(`The bucket has other bytes than were sent: its answer tells the ${told.words}.`);
  return { etag, verifiedBy: told?.algorithm ?? null };
}
