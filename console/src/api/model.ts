import type { Model } from './types.ts';

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };
export type Values = Readonly<Record<string, JsonValue>>;

/** The part of a parameter's JSON Schema that the console uses. */
export interface ParameterSchema {
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object';
  readonly enum?: readonly (string | number)[];
  readonly default?: JsonValue;
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly multipleOf?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly items?: ParameterSchema;
  readonly prefixItems?: readonly ParameterSchema[];
  readonly 'x-media'?: MediaKind;
}

export type MediaKind = 'image' | 'video' | 'audio';

export type Condition =
  | string
  | number
  | boolean
  | readonly (string | number | boolean)[]
  | { readonly present: boolean }
  | { readonly not: readonly (string | number | boolean)[] }
  | {
      readonly min?: number | undefined;
      readonly max?: number | undefined;
      readonly above?: number;
      readonly below?: number;
      readonly multiple_of?: number;
    };

export interface Constraint {
  readonly when?: Readonly<Record<string, Condition>>;
  readonly then: Readonly<Record<string, Condition>>;
  readonly message: string;
}

/** One line of a price: an amount per unit, with the conditions under which it counts. */
export interface PriceComponent {
  readonly per: string;
  readonly amount: string;
  readonly when?: Readonly<Record<string, Condition>>;
  readonly units?: { readonly from: number; readonly to?: number };
  readonly at_least?: { readonly output_seconds: number };
  readonly description?: string;
}

/** A catalog entry, with types for the parts that the API leaves open. */
export type CatalogModel = Pick<
  Model,
  | 'model_id'
  | 'name'
  | 'vendor'
  | 'type'
  | 'description'
  | 'status'
  | 'sunset_at'
  | 'replaced_by'
  | 'required'
  | 'supported_features'
  | 'actions'
  | 'availability'
  | 'typical_seconds'
> & {
  readonly notes?: readonly string[];
  readonly parameters: Readonly<Record<string, ParameterSchema>>;
  readonly constraints: readonly Constraint[];
  readonly limits: Readonly<Record<string, { readonly max?: number; readonly unit?: string; readonly role?: string }>>;
  readonly pricing: {
    readonly from: string;
    readonly minimum: string | null;
    readonly components: readonly PriceComponent[];
  };
  readonly default_config: Values;
};

/** A parameter for images, videos or audio: one URL, or a list. */
export interface MediaParameter {
  readonly kind: MediaKind;
  readonly list: boolean;
  readonly most: number;
  readonly role: string;
}

/** Returns null for other parameters, and for those with nested media. */
export function mediaParameter(
  model: Pick<CatalogModel, 'parameters' | 'limits'>,
  name: string,
): MediaParameter | null {
  const schema = model.parameters[name];
  const role = model.limits[name]?.role ?? 'reference';
  if (schema?.format === 'uri') return { kind: schema['x-media'] ?? 'image', list: false, most: 1, role };
  if (schema?.items?.format !== 'uri') return null;
  return { kind: schema.items['x-media'] ?? 'image', list: true, most: schema.maxItems ?? 16, role };
}

/** Returns the set values of a request; the model's defaults apply to the others. */
export function withoutEmpty(values: Values): Values {
  const isSet = ([, value]: [string, JsonValue]) =>
    value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(values).filter(isSet));
}

/** Returns the values that another model accepts too. */
export function valuesThatFit(values: Values, model: CatalogModel): Values {
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => {
      const schema = model.parameters[name];
      if (schema === undefined || value === null) return false;
      if (schema.enum !== undefined) return schema.enum.some((option) => option === value);
      if (typeof value === 'number')
        return (
          value >= (schema.minimum ?? Number.NEGATIVE_INFINITY) && value <= (schema.maximum ?? Number.POSITIVE_INFINITY)
        );
      return schema.type === undefined || schema.type === (Array.isArray(value) ? 'array' : typeof value);
    }),
  );
}
