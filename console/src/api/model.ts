import type { CatalogEntry, JsonValue } from '@darkroom-service/contract';
import type { Schema } from '@darkroom-service/contract/catalog';

/** The vendor of the models that the service draws itself. */
export const OURS = 'Darkroom';

export type Values = Readonly<Record<string, JsonValue>>;
export type MediaKind = NonNullable<Schema['x-media']>;

/** The JSON Schema of a parameter, whose choices are words or numbers. */
export type ParameterSchema = Omit<Schema, 'enum'> & {
  readonly enum?: readonly (string | number)[];
  readonly description?: string;
};

/** A catalog entry, with the keywords of its parameters. */
export type CatalogModel = Omit<CatalogEntry, 'parameters'> & {
  readonly parameters: Readonly<Record<string, ParameterSchema>>;
};

/** A parameter for images, videos or audio: one URL, or a list. */
export interface MediaParameter {
  readonly kind: MediaKind;
  readonly list: boolean;
  readonly most: number;
  readonly role: string;
}

/** Returns a parameter for media; null for other parameters, and for ones with nested media. */
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
