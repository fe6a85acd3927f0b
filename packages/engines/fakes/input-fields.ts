import type { FieldShape } from './fake-upstream.ts';

/** Fields of inputs, for the tables of what upstreams accept. */
export const text = { type: 'string' } as const;
export const flag = { type: 'boolean' } as const;
export const needed = { type: 'string', required: true } as const;
export const oneOf = <const Option>(...options: Option[]) => ({ type: 'any', enum: options }) as const;
export const from = (minimum: number, maximum: number) => ({ type: 'integer', minimum, maximum }) as const;
export const SEED_31 = from(0, 2_147_483_647);

/**
 * A table of the fields that a vendor accepts, bound to the request type of the vendor's own client: no field or value
 * beyond the type's, and every field that it requires.
 */
export type ShapeOf<Params> = {
  readonly [Name in keyof Params as object extends Pick<Params, Name> ? never : Name]-?: FieldOf<Params[Name]> & {
    readonly required: true;
  };
} & { readonly [Name in keyof Params as object extends Pick<Params, Name> ? Name : never]?: FieldOf<Params[Name]> };
type FieldOf<Value> = FieldShape & { readonly enum?: readonly Value[] };
