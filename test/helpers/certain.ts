import type { Constraint, FieldLimit, PriceComponent } from '@darkroom-service/contract/catalog';
import type { GENERATION, IMAGE, VIDEO } from '@darkroom-service/contract/schemas';
import type { Static, TObject } from 'typebox';
import type { JsonSchema } from './json-schema.ts';

/**
 * A wire type whose null fields and first three items can be read without a check: a test that reads one asserts its
 * value. The compiler still finds fields that the schema does not have.
 */
export type Certain<T> = unknown extends T
  ? unknown
  : [T] extends [readonly (infer Item)[]]
    ? [Certain<Item>, Certain<Item>, Certain<Item>, ...Certain<Item>[]]
    : [T] extends [object]
      ? keyof AnyOf<T> extends never
        ? Readonly<Record<string, unknown>>
        : { readonly [Key in keyof AnyOf<T>]-?: FieldOf<T, Key> }
      : T;

type FieldOf<T, Key extends keyof AnyOf<T>> = Key extends 'urls'
  ? UrlsOf<T>
  : Key extends keyof OpenFields
    ? IsOpen<NonNullable<AnyOf<T>[Key]>> extends true
      ? OpenFields[Key]
      : Certain<NonNullable<AnyOf<T>[Key]>>
    : Certain<NonNullable<AnyOf<T>[Key]>>;

/** An object whose keys the schema leaves open, or a list of them. */
type IsOpen<T> = [T] extends [readonly (infer Item)[]]
  ? IsOpen<Item>
  : unknown extends T
    ? true
    : [T] extends [object]
      ? keyof AnyOf<T> extends never
        ? true
        : false
      : false;

type OrderFields = Static<TObject<typeof GENERATION & typeof IMAGE & typeof VIDEO>>;
/** The fields of any model or action; a test that reads one asserts its value. */
type PerField<T> = Readonly<Record<keyof OrderFields | 'index' | 'ratio' | 'direction', T>> &
  Readonly<Record<string, T>>;

/** What the OpenAPI document leaves open, as the catalog and the orders have it. */
interface OpenFields {
  readonly input: { readonly [Key in keyof OrderFields]-?: Certain<NonNullable<OrderFields[Key]>> } & {
    readonly [field: string]: unknown;
  };
  readonly default_config: PerField<unknown>;
  readonly parameters: PerField<JsonSchema>;
  readonly input_schema: JsonSchema;
  readonly limits: PerField<FieldLimit>;
  readonly constraints: readonly Constraint[];
  readonly components: Certain<readonly PriceComponent[]>;
  readonly detail: { readonly engine: string; readonly message: string; readonly [fact: string]: unknown };
  readonly metadata: Readonly<Record<string, string>>;
}

/** The addresses in an answer, as far as they tell which route they lead to. */
type UrlsOf<T> = Omit<Certain<NonNullable<AnyOf<T>['urls' & keyof AnyOf<T>]>>, 'self' | 'cancel' | 'tasks'> &
  ('task_id' extends keyof AnyOf<T>
    ? { readonly self: `/v1/images/${string}`; readonly cancel: `/v1/images/${string}/cancel` }
    : {
        readonly self: `/v1/batches/${string}`;
        readonly cancel: `/v1/batches/${string}/cancel`;
        readonly tasks: `/v1/batches/${string}/tasks`;
      });

/** The named keys of an object that may have others too, such as a model with fields of its own. */
type NamedKeys<T> = keyof { [Key in keyof T as string extends Key ? never : number extends Key ? never : Key]: never };

/** An object with the fields of every member of a union, such as a task and what is left of a deleted one. */
type AnyOf<T> = {
  [Key in T extends T ? NamedKeys<T> : never]: T extends { readonly [K in Key]?: infer Value } ? Value : never;
};
