import type { paths } from './types.ts';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Every operation of the API by method and path, such as `'GET /v1/account'`. */
export type Operation = {
  [Path in keyof paths]: {
    [M in Method]: paths[Path][M] extends { readonly responses: unknown } ? `${Uppercase<M>} ${Path}` : never;
  }[Method];
}[keyof paths];

/** Operations that change nothing. Some prices are asked for with a body. */
export type Reading =
  | Extract<Operation, `GET ${string}`>
  | 'POST /v1/prices'
  | 'POST /v1/prices/compare'
  | 'POST /v1/batches/prices';

/** Operations that change something. Only the book of deeds sends them. */
export type Deed = Exclude<Operation, Reading>;

type Described<O extends Operation> = {
  [Path in keyof paths]: {
    [M in Method]: O extends `${Uppercase<M>} ${Path}` ? paths[Path][M] : never;
  }[Method];
}[keyof paths];

type Parameters<O extends Operation, Place extends 'path' | 'query'> =
  Described<O> extends { readonly parameters: { readonly [P in Place]?: infer Found } }
    ? [NonNullable<Found>] extends [never]
      ? object
      : { readonly [P in Place]: NonNullable<Found> }
    : object;

type Body<O extends Operation> =
  Described<O> extends {
    readonly requestBody?: { readonly content: { readonly 'application/json': infer Found } } | undefined;
  }
    ? { readonly body?: Found }
    : object;

/** The input of an operation: `path` if its path has parameters, `query` and `body` if it accepts them. */
export type RequestOf<O extends Operation> = Parameters<O, 'path'> & Partial<Parameters<O, 'query'>> & Body<O>;

type Success = 200 | 201 | 202;

/** The type of an operation's `data`; `unknown` if the document does not define it. */
export type DataOf<O extends Operation> =
  Described<O> extends { readonly responses: infer Responses }
    ? {
        [S in keyof Responses & Success]: Responses[S] extends {
          readonly content: { readonly 'application/json': { readonly data: infer Data } };
        }
          ? Data
          : unknown;
      }[keyof Responses & Success]
    : unknown;
