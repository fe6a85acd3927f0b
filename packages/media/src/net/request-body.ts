import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';

/** The body of a request. A form is encoded in memory, so that its length is known and a redirect can send it again. */
export type FetchBody = SentBody | FormData;
export type SentBody = string | Uint8Array | Readable;

/** Encodes the body and returns it with the headers that describe it. */
export async function encodeBody(
  body: FetchBody | undefined,
): Promise<{ body: SentBody | null; headers: Readonly<Record<string, string>> }> {
  if (!(body instanceof FormData)) return { body: body ?? null, headers: {} };
  const boundary = `form-${randomUUID()}`;
  const encoded = Buffer.concat(await Array.fromAsync(partsOf(body, boundary)));
  return { body: encoded, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } };
}

/** Encodes a form by the HTML standard. `Response` would too, but a program around us may have replaced it. */
async function* partsOf(form: FormData, boundary: string): AsyncGenerator<Uint8Array> {
  for (const [name, value] of form) {
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"`;
    if (typeof value === 'string') {
      yield Buffer.from(`${head}\r\n\r\n${value.replaceAll(/\r\n?|\n/g, '\r\n')}\r\n`);
    } else {
      const type = value.type || 'application/octet-stream';
      yield Buffer.from(`${head}; filename="${quoted(value.name)}"\r\nContent-Type: ${type}\r\n\r\n`);
      yield await value.bytes();
      yield Buffer.from('\r\n');
    }
  }
  yield Buffer.from(`--${boundary}--\r\n`);
}

function quoted(name: string): string {
  return name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');
}
