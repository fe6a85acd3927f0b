import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import type { JsonObject } from '../base/canonical-json.ts';
import { isCleanText } from '../base/clean-text.ts';
import { errorFromFaults, type Fault, ServiceError } from '../base/errors.ts';
import { MOST_FAULTS } from '../catalog/parameter-fault.ts';

/** How deep objects and arrays of a body may lie in one another; what walks a body later can then never overflow the stack. */
const MAX_DEPTH = 64;

/** Makes the one reader of JSON bodies. An empty body is no value at all: routes that need one say so. */
export function takeJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  for (const type of ['application/json', /^application\/[\w.+-]+\+json(?:;|$)/]) {
    app.addContentTypeParser<Buffer>(type, { parseAs: 'buffer' }, (_request, body, done) => {
      try {
        done(null, parseJsonBody(body));
      } catch (error) {
        done(error as Error);
      }
    });
  }
}

/**
 * An object from JSON. `__proto__` and its like become ordinary properties, which are then fields like any other.
 * @throws ServiceError `invalid_json`; `invalid_request` for anything but an object, for NUL, ill-formed Unicode and too deep nesting.
 */
export function parseJsonBody(body: Buffer): JsonObject | undefined {
  if (body.byteLength === 0) return undefined;
  if (!isUtf8(body)) throw new ServiceError('invalid_json', 'The body is not UTF-8, as JSON has to be.');
  const text = body.toString('utf8');
  const value = parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const found = value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`;
    throw new ServiceError('invalid_request', `The body must be a JSON object, found ${found}.`);
  }
  const faults = faultsWithin(value, text.includes('\\u'));
  if (faults.length > 0) throw errorFromFaults(faults);
  return value as JsonObject;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ServiceError('invalid_json', `The body is not JSON: ${(error as Error).message.slice(0, 200)}.`, {
      cause: error,
    });
  }
}

/**
 * In JSON text that is UTF-8, NUL and lone surrogates can stand as escapes only; without any, no string is looked at. A body may hold millions
 * of values: nothing is kept of those that are sound, and a place is named only where there is a fault.
 */
function faultsWithin(root: object, hasEscapes: boolean): Fault[] {
  const faults: Fault[] = [];
  const place: (string | number)[] = [];
  visit(root);
  return faults;

  function visit(value: object): void {
    if (place.length >= MAX_DEPTH) {
      throw new ServiceError('invalid_request', `The body nests objects and arrays deeper than ${MAX_DEPTH} levels.`);
    }
    for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
      if (faults.length >= MOST_FAULTS) return;
      const child = (value as Record<string | number, unknown>)[key];
      if (hasEscapes && typeof key === 'string' && !isCleanText(key)) faults.push(illFormed(place, 'a name'));
      if (typeof child === 'object' && child !== null) {
        place.push(key);
        visit(child);
        place.pop();
      } else if (hasEscapes && typeof child === 'string' && !isCleanText(child)) {
        faults.push(illFormed([...place, key], 'a text'));
      }
    }
  }
}

function illFormed(place: readonly (string | number)[], what: string): Fault {
  const path = place.reduce<string>(
    (before, key) => (typeof key === 'number' ? `${before}[${key}]` : before === '' ? key : `${before}.${key}`),
    '',
  );
  const param = path === '' ? null : path;
  return {
    param,
    code: 'invalid_request',
    message: `${param ?? 'The body'} holds ${what} with NUL or a lone surrogate, which is no well-formed text.`,
  };
}
