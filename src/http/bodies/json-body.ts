import { isAscii, isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import {
  type ByteRange,
  errorFromFaults,
  type Fault,
  isCleanText,
  type JsonObject,
  JsonScan,
  ServiceError,
  world,
} from '@darkroom-service/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { keepLongTexts } from '../../base/long-texts.ts';
import { turnOfItsOwn } from '../../base/map-in-slices.ts';
import { MOST_FAULTS } from '../../catalog/parameter-fault.ts';
import { type LongData, replaceEscapes } from './long-data.ts';
import { assertShape, type BodyLimits, keepShare, readJsonBytes, releaseBodies } from './read-body.ts';

// Without it, JSON.stringify throws for a body with an exact integer. The program around the service may have set its
// own.
(BigInt.prototype as { toJSON?: () => unknown }).toJSON ??= function toJson(this: bigint) {
  return (JSON as unknown as { rawJSON(text: string): object }).rawJSON(String(this));
};

const LONG_BODY = 1_000_000;
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');
/** Digits of an integer that may be beyond a double's precision. */
const LONG_INTEGER = /\d{16}/;
/** Maximum length of a text that is searched for its fault. */
const MOST_SEARCHED = 65_536;
const JSON_TYPES = ['application/json', /^application\/[\w.+-]+\+json(?:;|$)/];

/** Registers the only reader of JSON bodies. An empty body is no value at all: routes that need one say so. */
export function takeJsonBodies(app: FastifyInstance, limits: BodyLimits): void {
  app.removeAllContentTypeParsers();
  releaseBodies(app);
  for (const type of JSON_TYPES) {
    app.addContentTypeParser(type, async (request: FastifyRequest, payload: IncomingMessage) => {
      const { bytes, longData, free } = await readJsonBytes(request, payload, limits);
      if (bytes.length < LONG_BODY) return parseJsonBody(bytes);
      const texts = keepLongTexts(bytes, free);
      keepShare(request, texts);
      // Parsing a long body takes long, and so may the next step: other requests are served before and after.
      await turnOfItsOwn();
      const value = parseJsonBody(bytes, await replaceEscapes(bytes, longData), texts.add);
      await turnOfItsOwn();
      return value;
    });
  }
}

/** Makes routes whose bodies are files refuse JSON before it is read. */
export function refuseJsonBodies(app: FastifyInstance): void {
  app.removeContentTypeParser(JSON_TYPES);
}

/**
 * Parses an object from JSON within the limits of `assertShape`. `__proto__` and the like become ordinary properties,
 * which are then fields like any other.
 * @throws ServiceError `invalid_json`; `invalid_request` for anything but an object, for NUL, ill-formed Unicode and
 * numbers beyond a double.
 */
export function parseJsonBody(
  body: Buffer,
  longData: readonly LongData[] = [],
  standInOf: (text: ByteRange) => string = ({ start, end }) => body.toString('utf8', start, end),
): JsonObject | undefined {
  if (body.byteLength === 0) return undefined;
  // A byte order mark, as .NET and PowerShell write it, may be ignored (RFC 8259, 8.1).
  if (body[0] === BYTE_ORDER_MARK[0] && body.indexOf(BYTE_ORDER_MARK) === 0) body.fill(' ', 0, BYTE_ORDER_MARK.length);
  if (!isUtf8(body)) throw new ServiceError('invalid_json', 'The body is not valid UTF-8. Send JSON in UTF-8.');
  const cut = longData.length > 0 ? cutLongData(body, longData, standInOf) : null;
  const rest = cut?.body ?? body;
  // The same characters, several times faster.
  const text = rest.toString(isAscii(rest) ? 'latin1' : 'utf8');
  const value = parse(text, cut?.restore);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const found = value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`;
    throw new ServiceError('invalid_request', `The body must be a JSON object, found ${found}.`);
  }
  const faults: Fault[] = [];
  findFaults(value, [], text.includes('\\u'), faults);
  if (faults.length > 0) throw errorFromFaults(faults);
  return value as JsonObject;
}

/**
 * Reads an object from one of the JSON texts that a long body consists of, within the limits of a whole body.
 * @throws ServiceError like `parseJsonBody`; `body_too_large`, or `invalid_request` for its shape
 */
export function parseJsonPart(part: Buffer): JsonObject | undefined {
  const scan = new JsonScan(Number.POSITIVE_INFINITY);
  scan.push(part);
  assertShape(scan.shape());
  return parseJsonBody(part);
}

/** Replaces each long string by a short name, so that megabytes of media are neither parsed nor copied. */
function cutLongData(body: Buffer, longData: readonly LongData[], standInOf: (text: ByteRange) => string) {
  const mark = world.randomUUID();
  const names = new Map(longData.map(({ text }, index) => [`${mark}-${index}`, text]));
  const pieces: Buffer[] = [];
  let from = 0;
  for (const [index, { place }] of longData.entries()) {
    pieces.push(body.subarray(from, place.start), Buffer.from(`${mark}-${index}`));
    from = place.end;
  }
  pieces.push(body.subarray(from));
  return {
    body: Buffer.concat(pieces),
    restore(_name: string, value: unknown) {
      const range = typeof value === 'string' ? names.get(value) : undefined;
      return range === undefined ? value : standInOf(range);
    },
  };
}

type Revive = (name: string, value: unknown, context?: { readonly source?: string }) => unknown;

function parse(text: string, restore?: (name: string, value: unknown) => unknown): unknown {
  const revive: Revive = (name, value, { source = '' } = {}) =>
    typeof value === 'number' ? exactNumber(value, source) : (restore?.(name, value) ?? value);
  try {
    return JSON.parse(text, LONG_INTEGER.test(text) ? revive : restore);
  } catch (error) {
    // The parser's own message quotes the body, which may hold a secret. So does its error, which would be logged.
    throw new ServiceError('invalid_json', `The body is not valid JSON: ${faultIn(text, error as Error)}.`);
  }
}

/**
 * Keeps an integer beyond 2^53 as it was written, so that a refusal names it as the caller wrote it, and two different
 * ones stay different. The value is a bigint, which no check accepts as a number, a text or an object.
 */
function exactNumber(value: number, source: string): unknown {
  if (!Number.isFinite(value) || Number.isSafeInteger(value) || !/^-?\d+$/.test(source)) return value;
  return BigInt(source);
}

/** Describes the position of the fault in a JSON text, and quotes nothing of the text. */
function faultIn(text: string, { message }: Error): string {
  if (/^Unexpected end/.test(message)) return 'it ends too early';
  const place = placeIn(message) ?? (text.length > MOST_SEARCHED ? null : findFault(text));
  if (place === text.length) return 'it ends too early';
  if (place === null) return 'it has a character where JSON has none';
  const line = text.slice(0, place).split('\n');
  return `unexpected character at position ${place} (line ${line.length}, column ${(line.at(-1)?.length ?? 0) + 1})`;
}

function placeIn(message: string): number | null {
  const [, place] = /at position (\d+)/.exec(message) ?? [];
  return place === undefined ? null : Number(place);
}

/** Returns the length of the longest prefix that could still become JSON. */
function findFault(text: string): number {
  let [sound, wrong] = [0, text.length];
  while (wrong - sound > 1) {
    const middle = (sound + wrong) >> 1;
    if (isBeginning(text.slice(0, middle))) sound = middle;
    else wrong = middle;
  }
  return sound;
}

function isBeginning(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const { message } = error as Error;
    return /^(?:Unexpected end|Unterminated)/.test(message) || (placeIn(message) ?? -1) >= text.length;
  }
}

/**
 * Adds the faults within a value to `faults`. In JSON text that is UTF-8, NUL and lone surrogates can only be escapes;
 * without any escapes, no string is searched.
 */
function findFaults(value: object, path: (string | number)[], hasEscapes: boolean, faults: Fault[]): void {
  for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    if (faults.length >= MOST_FAULTS) return;
    const child = (value as Record<string | number, unknown>)[key];
    if (hasEscapes && typeof key === 'string' && !isCleanText(key)) faults.push(illFormed(path, 'a name'));
    if (typeof child === 'object' && child !== null) {
      path.push(key);
      findFaults(child, path, hasEscapes, faults);
      path.pop();
    } else if (hasEscapes && typeof child === 'string' && !isCleanText(child)) {
      faults.push(illFormed([...path, key], 'a string'));
    } else if (typeof child === 'number' && !Number.isFinite(child)) {
      faults.push(tooLarge([...path, key]));
    }
  }
}

function illFormed(path: readonly (string | number)[], what: string): Fault {
  const param = paramOf(path);
  return {
    param,
    code: 'invalid_request',
    message: `${param ?? 'The body'} has ${what} with a NUL character or an unpaired surrogate. Remove it.`,
  };
}

/** Returns the fault of a number such as `1e400`: JSON allows it, but no double can hold it. */
function tooLarge(path: readonly (string | number)[]): Fault {
  const param = paramOf(path);
  return {
    param,
    code: 'invalid_request',
    message: `${param} is outside the range of a 64-bit float (about ±1.8e308).`,
  };
}

function paramOf(path: readonly (string | number)[]): string | null {
  const param = path.reduce<string>(
    (before, key) => (typeof key === 'number' ? `${before}[${key}]` : before === '' ? key : `${before}.${key}`),
    '',
  );
  return param === '' ? null : param;
}
