import { text } from 'node:stream/consumers';
import { LocalFault } from './local-fault.ts';
import type { Answer } from './transport.ts';

/** Maximum number of bytes of a list that are read. */
const MAX_BYTES = 8 * 1024 * 1024;

/**
 * Reads the JSON of an answer.
 * @param what the list, in messages
 * @throws LocalFault if it is too large or no JSON, or the connection's error.
 */
export async function readList({ headers, body }: Answer, what: string): Promise<unknown> {
  const tooLarge = new LocalFault(`${what} is larger than expected.`);
  if (Number(headers['content-length'] ?? 0) > MAX_BYTES) {
    body.destroy();
    throw tooLarge;
  }
  async function* limited(): AsyncGenerator<Uint8Array> {
    let bytes = 0;
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) throw tooLarge;
      yield chunk;
    }
  }
  const json = await text(limited());
  try {
    return JSON.parse(json);
  } catch {
    throw new LocalFault(`${what}: expected JSON, found something else.`);
  }
}
