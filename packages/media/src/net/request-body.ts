import type { Readable } from 'node:stream';

/** A form is encoded in memory, so that its length is known and it can be sent again on a redirect. */
export type FetchBody = SentBody | FormData;
export type SentBody = string | Uint8Array | Readable;

/** Encodes the body and returns it with the headers that describe it. */
export async function encodeBody(
  body: FetchBody | undefined,
): Promise<{ body: SentBody | null; headers: Readonly<Record<string, string>> }> {
  if (!(body instanceof FormData)) return { body: body ?? null, headers: {} };
  const encoded = new Response(body);
  const contentType = encoded.headers.get('content-type') ?? '';
  return { body: await encoded.bytes(), headers: { 'content-type': contentType } };
}
