import { JsonScan, type JsonValue } from '@darkroom-service/contract';
import { LONG_STEP, Steps } from '@darkroom-service/media';
import { MOST_UNREAD_BYTES } from '../unread-answer.ts';
import type { Answer } from './error-map.ts';
import { GrowingBytes } from './growing-bytes.ts';
import { readFiles } from './read-files.ts';

interface Reading {
  /** Decodes files while they arrive. */
  readonly hasFiles: boolean;
  /** The length of the body; 0 if it is not known. */
  readonly expectedBytes: number;
  /** Maximum values; a body with more is not parsed: objects with that many names take 45 ms for each 100,000. */
  readonly mostValues: number;
}

/** Maximum nesting of an answer, far more than any upstream's. Readers of an answer may recurse at each level. */
const MOST_LEVELS = 64;
const SLICE_BYTES = 64 * 1024;
const UTF8 = new TextDecoder();
const LACKED = /\b(?:NaN|Infinity|nan|inf)\b/;
/** Matches a string, even an unterminated one, or a number that JSON lacks. */
const STRING_OR_LACKED = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|-?\b(?:NaN|Infinity|nan|inf)\b/gs;

/**
 * Reads the body of an answer. A body with too many values or levels counts as no JSON.
 * @throws the error of the body
 */
export async function readAnswer(
  body: AsyncIterable<Uint8Array>,
  { hasFiles, expectedBytes, mostValues }: Reading,
): Promise<Pick<Answer, 'text' | 'body' | 'unread' | 'files'>> {
  const { bytes, files } = hasFiles ? await readFiles(body, expectedBytes) : { bytes: await readBytes(body) };
  const isParsed = await isBounded(bytes, mostValues);
  const text = UTF8.decode(bytes);
  const json = isParsed ? parsed(text) : undefined;
  // A copy, since a part would keep the whole in memory.
  const unread = json === undefined ? { unread: Uint8Array.from(bytes.subarray(0, MOST_UNREAD_BYTES)) } : {};
  return { text, body: json, ...unread, ...(files === undefined ? {} : { files }) };
}

async function readBytes(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const bytes = new GrowingBytes();
  const steps = new Steps();
  for await (const chunk of body) {
    bytes.add(chunk);
    if (steps.isDue()) await steps.turn();
  }
  return bytes.whole();
}

async function isBounded(bytes: Buffer, mostValues: number): Promise<boolean> {
  const scan = new JsonScan(Infinity);
  const steps = new Steps();
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
    scan.push(bytes.subarray(at, at + SLICE_BYTES));
    const { values, depth } = scan.shape();
    if (values > mostValues || depth > MOST_LEVELS) return false;
    if (steps.isDue(LONG_STEP)) await steps.turn();
  }
  return true;
}

/** Parses JSON; undefined if it is none. Numbers that JSON lacks, as Python and C++ write them, become null. */
function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return LACKED.test(text) ? parsedWithNulls(text) : undefined;
  }
}

function parsedWithNulls(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text.replaceAll(STRING_OR_LACKED, (found) => (found.startsWith('"') ? found : 'null')));
  } catch {
    return undefined;
  }
}
