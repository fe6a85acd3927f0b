import { createHash, hash as hashOf } from 'node:crypto';
import type { JsonValue } from '@darkroom-service/contract';
import canonicalize from 'canonicalize';
import { type LongText, longTextOf } from './long-texts.ts';
import { eachInSlices } from './map-in-slices.ts';

/**
 * Strings at least this long, such as data URIs, are hashed piece by piece: serializing them whole would copy a body of
 * several megabytes three more times.
 */
const LONG_TEXT = 65_536;
/**
 * Stands for a long string in the canonical text. It cannot clash: bodies contain no NUL, and a backslash in a body is
 * doubled in the text.
 */
const PLACEHOLDER = /"\\u0000(\d+)"/;

/** Returns the canonical JSON (RFC 8785) of a value without texts of several megabytes. */
export function canonicalJson(value: object): string {
  return canonicalize(value) ?? 'null';
}

/**
 * Computes the SHA-256 (hex) of a value's canonical JSON (RFC 8785). Bodies that differ only in spacing and key order
 * get the same fingerprint.
 */
export function fingerprint(value: unknown): string {
  if (!hasLongText(value as JsonValue)) return hashOf('sha256', canonicalize(value) ?? 'null');
  const hash = createHash('sha256');
  for (const part of canonicalParts(value)) hash.update(part);
  return hash.digest('hex');
}

/** Computes `fingerprint` for values of several megabytes: yields to the event loop between slices. */
export async function fingerprintInSlices(value: unknown): Promise<string> {
  if (!hasLongText(value as JsonValue)) return fingerprint(value);
  const hash = createHash('sha256');
  await eachInSlices(canonicalParts(value), (part) => hash.update(part));
  return hash.digest('hex');
}

/** Yields the canonical text in parts, so that no part contains a whole long string. */
function* canonicalParts(value: unknown): Generator<string | Uint8Array> {
  const long: string[] = [];
  const text = canonicalize(withoutLongTexts(value as JsonValue, long)) ?? 'null';
  for (const [place, part] of text.split(PLACEHOLDER).entries()) {
    const isPlaceholder = place % 2 === 1;
    if (isPlaceholder) yield* partsOfText(long[Number(part)] ?? '');
    else yield part;
  }
}

/** Yields `JSON.stringify(text)` in parts, without building the whole string. */
function* partsOfText(text: string): Generator<string | Uint8Array> {
  const long = longTextOf(text);
  yield '"';
  yield* long === null ? escapedParts(text) : rawParts(long);
  yield '"';
}

/** A long text has no escapes in its body, so its bytes are the canonical text. */
function* rawParts(text: LongText): Generator<Uint8Array> {
  for (let from = 0; from < text.length; from += LONG_TEXT) yield text.bytes(from, from + LONG_TEXT);
}

function* escapedParts(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const end = from + LONG_TEXT;
    // Keeps a surrogate pair together: JSON.stringify would escape half of one.
    const to = isHighSurrogate(text.charCodeAt(end - 1)) ? end + 1 : end;
    yield JSON.stringify(text.slice(from, to)).slice(1, -1);
    from = to;
  }
}

function isHighSurrogate(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800;
}

function hasLongText(value: JsonValue): boolean {
  if (typeof value === 'string') return value.length >= LONG_TEXT;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasLongText);
}

function withoutLongTexts(value: JsonValue, long: string[]): JsonValue {
  if (typeof value === 'string') return value.length < LONG_TEXT ? value : `\u0000${long.push(value) - 1}`;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: JsonValue) => withoutLongTexts(item, long));
  const entries = Object.entries(value).map(([name, item]) => [name, withoutLongTexts(item, long)] as const);
  return Object.fromEntries(entries);
}
