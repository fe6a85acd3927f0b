import type { Operations } from './types.ts';

/** Every operation of the API by method and path, such as `'GET /v1/account'`. */
export type Operation = keyof Operations;

/** Operations that change nothing. Some price requests have a body. */
export type Reading =
  | Extract<Operation, `GET ${string}`>
  | 'POST /v1/prices'
  | 'POST /v1/prices/compare'
  | 'POST /v1/batches/prices';

/** Operations that change something. Only the book of deeds sends them. */
export type Deed = Exclude<Operation, Reading>;

type ParameterOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterOf<Rest>
  : never;

/** The input of an operation: `path` if its path has parameters, `query` and `body` if it accepts them. */
export type RequestOf<O extends Operation> = Omit<Operations[O], 'data' | 'answer'> &
  ([ParameterOf<O>] extends [never] ? object : { readonly path: Readonly<Record<ParameterOf<O>, string>> });

/** The type of an operation's `data`; `unknown` if the document does not define it. */
export type DataOf<O extends Operation> = Operations[O]['data'];
