import { type Static, type TProperties, type TSchema, type TSchemaOptions, Type } from 'typebox';
import type { JsonObject } from './json.ts';
import { MODES } from './words.ts';

/** The parts that the schemas of the wire are made of. */

/** The type that a schema describes, deeply read-only, as views return it. */
export type Wire<S extends TSchema> = ReadOnly<Static<S>>;

type ReadOnly<T> = unknown extends T
  ? T
  : T extends string | number | boolean | null | undefined
    ? T
    : T extends readonly (infer Item)[]
      ? readonly ReadOnly<Item>[]
      : { readonly [Key in keyof T]: ReadOnly<T[Key]> };

export const CLOSED = { additionalProperties: false } as const;

/**
 * Limits of what requests send: on whole addresses, the parts of their paths, single headers, and the texts of a body
 * outside data URIs; then on its lists and on its objects.
 */
export const LONGEST = { address: 8_000, pathPart: 256, header: 2_000, text: 262_144, dataUri: 32_000_000 } as const;
export const MOST = { values: 2_000, names: 256 } as const;

export const SECRET_MARK = 'x-secret';
/** Marks a field whose value no message quotes. */
export const SECRET_FIELD = { [SECRET_MARK]: true, writeOnly: true } as const;

/** Marks a body schema that only documents: the body is a file, which is checked by its content. */
export const JUDGED_BY_CONTENT = { 'x-judged-by': 'its content' } as const;
/** Marks a body that may be left out. */
export const OPTIONAL_BODY = { 'x-optional': true } as const;

export const Text = Type.String();
/** An id, a name of the service, or one of a few values, in a request. */
export const Word = Type.String({ maxLength: 64 });
export const Instant = (description: string) => Type.String({ format: 'date-time', maxLength: 64, description });
/** Text with a format that says more than its length. */
export const SignedPart = (description: string) => Type.Optional(Type.String({ maxLength: 128, description }));
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

/** Returns the schema of an object that has no other fields than these. */
export function closedObject<Properties extends TProperties>(properties: Properties, options: TSchemaOptions = {}) {
  return Type.Object(properties, { ...options, ...CLOSED });
}

export function Nullable<T extends TSchema>(schema: T, description?: string) {
  return Type.Union([schema, Type.Null()], description === undefined ? {} : { description });
}

/** Returns a reference to a schema that has an `$id`; that becomes a component of the OpenAPI document. */
export function refTo<S extends TSchema>(schema: S) {
  const { $id } = schema as { readonly $id?: string };
  if ($id === undefined) throw new TypeError('a schema without $id cannot be referred to');
  return Type.Unsafe<Wire<S>>({ $ref: `${$id}#` });
}

/** Returns the schema of a list of items. @param members fields in addition to `items` */
export function listOf<S extends TSchema>(item: S, members: Record<string, TSchema> = {}) {
  return Type.Object({ items: Type.Array(refTo(item)), ...members });
}

/** Returns the schema of a page of a list, which tells whether another page follows. */
export function pageOf<S extends TSchema>(item: S) {
  return listOf(item, { limit: Whole, has_more: Flag });
}
