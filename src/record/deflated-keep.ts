import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** Prefix of a compressed text; no JSON text begins like this. */
const MARK = 'deflated:';
const WORTH_IT = 400;

/**
 * Compresses the text of `keep_json`, which only follow-up orders read. On the embedded database a row takes a page of
 * its own if it is longer than half a page. PostgreSQL itself compresses rows of more than 2 KB, but less well.
 */
export function deflateKeep(json: string): string {
  if (json.length < WORTH_IT) return json;
  const deflated = MARK + deflateRawSync(json, { chunkSize: 2_048 }).toString('base64');
  return deflated.length < json.length ? deflated : json;
}

export function inflateKeep(stored: string): string {
  if (!stored.startsWith(MARK)) return stored;
  return inflateRawSync(Buffer.from(stored.slice(MARK.length), 'base64')).toString();
}
