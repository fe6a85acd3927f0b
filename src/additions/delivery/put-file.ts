import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { FetchFault } from '@darkroom-service/media/net/fetch-fault';
import type { TrustedFetch } from '@darkroom-service/media/net/trusted-fetch';
import { type Storage, StorageError } from '@darkroom-service/media/storage';
import type { StoredOutput } from '../../tasks/task.ts';

/** Why an output was not delivered; told to the customer. */
export class DeliveryFault extends Error {}

const MAX_ANSWER_BYTES = 64 * 1024;
/** For each attempt: a time of its own, and as long as the file takes at 256 KB a second. */
const ATTEMPT_MS = 30_000;
const BYTES_PER_MS = 256;

/**
 * Sends a file with one PUT. The address is judged with this attempt.
 * @returns the ETag
 * @throws DeliveryFault; StorageError if the file cannot be read now; the reason of the signal
 */
export async function putFile(
  { fetch, storage }: { readonly fetch: TrustedFetch; readonly storage: Pick<Storage, 'open'> },
  url: string,
  output: StoredOutput,
  signal: AbortSignal,
): Promise<string | null> {
  const file = await storage.open(output.key).catch((error: unknown) => {
    if (error instanceof StorageError && error.kind === 'not_found') throw new DeliveryFault('The file is lost.');
    throw error;
  });
  file.on('error', () => {});
  let sent = 0;
  async function* count() {
    for await (const piece of file) {
      sent += piece.length;
      yield piece;
    }
  }
  try {
    const response = await fetch(url, {
      method: 'PUT',
      headers: { 'content-type': output.contentType, 'content-length': String(output.bytes) },
      ...{ body: Readable.from(count()), signal, maxBytes: MAX_ANSWER_BYTES },
      timeoutMs: ATTEMPT_MS + output.bytes / BYTES_PER_MS,
    });
    if (response.status < 200 || response.status > 299) {
      const text = String(await buffer(response.body).catch(() => ''));
      const code = /<Code>(\w{1,60})<\/Code>/.exec(text)?.[1];
      throw new DeliveryFault(`The bucket answered ${response.status}${code === undefined ? '' : ` (${code})`}.`);
    }
    response.body.destroy();
    if (sent < output.bytes) throw new DeliveryFault('The bucket answered before it had the whole file.');
    return response.headers.etag ?? null;
  } catch (error) {
    signal.throwIfAborted();
    if (file.errored instanceof StorageError) throw file.errored;
    throw error instanceof FetchFault ? new DeliveryFault(`${error.message}.`) : error;
  } finally {
    file.destroy();
  }
}
