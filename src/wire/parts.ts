import { type Static, type TSchema, Type } from 'typebox';
import type { JsonObject } from '../base/canonical-json.ts';
import { MODES } from './words.ts';

/** The parts that the schemas of the wire are made of. */

/** The type of what a schema describes, read-only in depth: what a view returns. */
export type Wire<S extends TSchema> = ReadOnly<Static<S>>;

type ReadOnly<T> = unknown extends T
  ? T
  : T extends string | number | boolean | null | undefined
    ? T
    : T extends readonly (infer Item)[]
      ? readonly ReadOnly<Item>[]
      : { readonly [Key in keyof T]: ReadOnly<T[Key]> };

export const CLOSED = { additionalProperties: false } as const;

export const Text = Type.String();
export const Whole = Type.Integer();
export const Flag = Type.Boolean();
export const Time = Type.String({ format: 'date-time', description: 'UTC, with milliseconds.' });
export const Money = Type.String({
  pattern: '^-?\\d+\\.\\d{2,6}$',
  description: 'US dollars as a decimal string with two to six decimals.',
  examples: ['0.04'],
});
export const Currency = Type.Literal('USD');
export const Mode = Type.Enum(MODES);
export const MediaType = Type.Enum(['image', 'video']);
export const AnyObject = Type.Unsafe<JsonObject>({ type: 'object', additionalProperties: true });

export function Nullable<T extends TSchema>(schema: T, description?: string) {
  return Type.Union([schema, Type.Null()], description === undefined ? {} : { description });
}

/** A reference to a schema that has an `$id`; it becomes a component of the OpenAPI document. */
export function refTo<S extends TSchema>(schema: S) {
  const { $id } = schema as { readonly $id?: string };
  if ($id === undefined) throw new TypeError('a schema without $id cannot be referred to');
  return Type.Unsafe<Wire<S>>({ $ref: `${$id}#` });
}

/** @param members fields beside `items` */
export function listOf<S extends TSchema>(item: S, members: Record<string, TSchema> = {}) {
  return Type.Object({ items: Type.Array(refTo(item)), ...members });
}

/** A page of a list, and whether another page follows. */
export function pageOf<S extends TSchema>(item: S) {
  return listOf(item, { limit: Whole, has_more: Flag });
}
