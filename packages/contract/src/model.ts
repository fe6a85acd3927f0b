import { Type } from 'typebox';
import type { Constraint, FieldLimit, Parameter } from './catalog/entry-schema.ts';
import type { PriceComponent, PriceSource } from './catalog/price-schema.ts';
import { IMAGE_ROLES } from './catalog/vocabulary.ts';
import type { JsonObject } from './json.ts';
import { Currency, Flag, listOf, MediaType, Nullable, Text, type Wire } from './parts.ts';

const anyOf = (description: string) => ({ type: 'object', additionalProperties: true, description });

/** The parts whose full shape is the catalog's own; docs/catalog.md describes them. */
const Parameters = Type.Unsafe<Readonly<Record<string, Parameter>>>(
  anyOf('JSON Schema (2020-12) of each field that the model accepts.'),
);
const Limits = Type.Unsafe<Readonly<Record<string, FieldLimit>>>(
  anyOf('Limits of each field: length, number, bytes, seconds and megapixels of media.'),
);
const Constraints = Type.Unsafe<readonly Constraint[]>({
  type: 'array',
  items: anyOf('If `when` holds, `then` must hold; `message` says why.'),
  description: 'Rules for combinations of fields.',
});
/** A price of the catalog, with those who state the vendor's list price; without `sources` nobody does. */
type PricedComponent = PriceComponent & { readonly sources?: readonly PriceSource[] };

const Components = Type.Unsafe<readonly PricedComponent[]>({
  type: 'array',
  items: anyOf(
    'An amount per unit, with the conditions under which it counts. `sources` names who states the price of the vendor, and when that was read.',
  ),
});

const members = {
  model_id: Text,
  aliases: Type.Array(Text, { description: 'Other ids that name this model.' }),
  name: Text,
  vendor: Text,
  type: MediaType,
  description: Text,
  status: Type.Enum(['active', 'paused', 'deprecated', 'retired']),
  sunset_at: Nullable(Text, 'When a deprecated model is retired, if that is known.'),
  replaced_by: Nullable(Text, 'The model to use instead.'),
  default_config: Type.Unsafe<JsonObject>(anyOf('The default of each field; null = no default.')),
  parameters: Parameters,
  required: Type.Array(Type.Array(Text), { description: 'The fields of at least one of these lists must be present.' }),
  constraints: Constraints,
  supported_features: Type.Array(Text),
  actions: Type.Array(Text, { description: 'Follow-up actions that finished tasks of this model may offer.' }),
  image_roles: Type.Array(Type.Enum(IMAGE_ROLES), {
    description: 'The roles that image_roles can give the images of an order.',
  }),
  limits: Limits,
  pricing: Type.Object({
    currency: Currency,
    from: Type.String({ description: 'The lowest price of an order at standard speed, in US dollars.' }),
    minimum: Nullable(Text, 'The minimum charge of an order, in US dollars.'),
    components: Components,
  }),
  route_cost: Nullable(
    Type.Object({
      engine: Text,
      multiplier: Type.String({ description: 'Multiplies the amounts.' }),
      minimum: Nullable(Text, 'The least that an order costs there, in US dollars, before the multiplier.'),
      components: Components,
    }),
    'What the cheapest route of the lowest-priced order costs the operator. An order is charged the larger of the two sums: this and `pricing`. Another route may count for other orders: the `basis` of a quote tells. Null if the price list alone counts.',
  ),
  availability: Type.Object(
    { live: Flag, test: Flag, batch: Flag },
    {
      description:
        'Whether live keys and test keys can order the model now, and live keys with speed batch. `batch` is false for models without that speed.',
    },
  ),
  typical_seconds: Nullable(
    Type.Object({ p50: Type.Number(), p80: Type.Number() }),
    'How long recent orders took: half and 80 % of them were faster.',
  ),
  notes: Type.Array(Text, { description: 'Facts about the model that no field expresses.' }),
};

export const Model = Type.Object(members, {
  $id: 'Model',
  additionalProperties: true,
  description: 'A model: its fields, limits, prices and availability.',
});
export type CatalogEntry = Wire<typeof Model>;

export const ModelWithSchema = Type.Object(
  {
    ...members,
    input_schema: Type.Unsafe<object>(anyOf('JSON Schema (2020-12) of the body that creates a task with this model.')),
  },
  {
    $id: 'ModelWithSchema',
    additionalProperties: true,
    description: 'A model with the JSON Schema of its create body.',
  },
);
export type ModelView = Wire<typeof ModelWithSchema>;

export const ModelList = listOf(Model);
