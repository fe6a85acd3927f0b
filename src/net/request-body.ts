import type { Readable } from 'node:stream';

/** A form is encoded in memory, so that it has a length and can be sent again on a redirect. */
export type FetchBody = SentBody | FormData;
export type SentBody = string | Uint8Array | Readable;

/** The body as it goes out, and the headers that tell what it is. */
export async function encodeBody(
  body: FetchBody | undefined,
): Promise<{ body: SentBody | null; headers: Readonly<Record<string, string>> }> {
  if (!(body instanceof FormData)) return { body: body ?? null, headers: {} };
  const encoded = new Response(body);
  const contentType = encoded.headers.get('content-type') ?? '';
  return { body: await encoded.bytes(), headers: { 'content-type': contentType } };
}
