import { type TSchema, Type } from 'typebox';

/** What every successful answer under `/v1` and `/admin/v1` is wrapped in. `code` is the HTTP status. */
export interface Envelope<T> {
  readonly code: 200 | 201;
  readonly data: T;
  readonly message: 'ok';
  readonly timestamp: string;
}

export function success<T>(data: T, code: 200 | 201 = 200): Envelope<T> {
  return { code, data, message: 'ok', timestamp: new Date().toISOString() };
}

const BEFORE_DATA = Buffer.from('{"code":200,"data":');

/** The same around data that is JSON text already, as bytes: long data is neither joined nor encoded anew for every answer. */
export function successAround(json: Buffer): Buffer {
  return Buffer.concat([BEFORE_DATA, json, Buffer.from(`,"message":"ok","timestamp":"${new Date().toISOString()}"}`)]);
}

/** The envelope as a schema, for the documentation. */
export function envelopeOf(data: TSchema, code: 200 | 201 = 200) {
  return Type.Object(
    {
      code: Type.Literal(code),
      data,
      message: Type.Literal('ok'),
      timestamp: Type.String({ format: 'date-time' }),
    },
    { description: code === 201 ? 'Made' : 'Done' },
  );
}
