import { type TSchema, Type } from 'typebox';
import { isoTime } from './clock.ts';
import { world } from './world.ts';

/** Wraps every successful answer under `/v1` and `/admin/v1`. `code` is the HTTP status. */
export interface Envelope<T> {
  readonly code: 200 | 201;
  readonly data: T;
  readonly message: 'ok';
  readonly timestamp: string;
}

/** Returns the answer of a request that succeeded. */
export function success<T>(data: T, code: 200 | 201 = 200): Envelope<T> {
  return { code, data, message: 'ok', timestamp: isoTime(world.now()) };
}

/**
 * Wraps JSON text in a successful answer that is compressed once: `head` stands before the time, `tail` has the time
 * and the end.
 */
export function successAround(json: string): { readonly head: string; readonly tail: (time: number) => string } {
  return {
    head: `{"code":200,"data":${json},"message":"ok","timestamp":"`,
    tail: (time) => `${isoTime(time)}"}`,
  };
}

/** Returns the envelope as a schema, for the documentation. */
export function envelopeOf(data: TSchema, code: 200 | 201 = 200) {
  return Type.Object(
    {
      code: Type.Literal(code),
      data,
      message: Type.Literal('ok'),
      timestamp: Type.String({ format: 'date-time' }),
    },
    { description: code === 201 ? 'Created.' : 'OK.' },
  );
}
