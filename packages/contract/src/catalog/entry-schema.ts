import { type Static, Type } from 'typebox';
import { MODEL_ID } from '../id-patterns.ts';
import { closedObject } from '../parts.ts';
import { CANONICAL_ACTIONS } from './actions.ts';
import { type Condition, ConditionSchema } from './condition-shape.ts';
import { AsOf, EntryPricingSchema, PriceSourcesSchema } from './price-schema.ts';
import { RouteSchema } from './route-map.ts';
import { FEATURES, MEDIA_ROLES } from './vocabulary.ts';

export type { Condition };

/** The schema of `catalog/<vendor>.json`. `check-entry.ts` checks what a schema cannot express. */

const Conditions = Type.Record(Type.String(), ConditionSchema);

const ConstraintSchema = closedObject({
  when: Type.Optional(Conditions),
  then: Conditions,
  message: Type.String({ minLength: 1 }),
});
export type Constraint = Static<typeof ConstraintSchema>;

/** JSON Schema (2020-12) of one parameter; `default` is required, and null means none. */
const ParameterSchema = Type.Object(
  {
    type: Type.Union([
      Type.Literal('string'),
      Type.Literal('integer'),
      Type.Literal('number'),
      Type.Literal('boolean'),
      Type.Literal('array'),
      Type.Literal('object'),
    ]),
    default: Type.Unknown(),
    description: Type.String({ minLength: 1 }),
  },
  { additionalProperties: true },
);
export type Parameter = Static<typeof ParameterSchema> & { readonly [keyword: string]: unknown };

const FieldLimitSchema = closedObject({
  max: Type.Optional(Type.Integer({ minimum: 1 })),
  min: Type.Optional(Type.Integer({ minimum: 0 })),
  unit: Type.Optional(
    Type.Union([Type.Literal('characters'), Type.Literal('words'), Type.Literal('tokens'), Type.Literal('bytes')], {
      description: 'of a text; tokens are counted as UTF-8 bytes / 3, rounded up, which no tokenizer of today passes',
    }),
  ),
  role: Type.Optional(Type.Enum(MEDIA_ROLES)),
  max_bytes: Type.Optional(Type.Integer({ minimum: 1 })),
  max_seconds: Type.Optional(Type.Number({ exclusiveMinimum: 0, description: 'per medium' })),
  min_seconds: Type.Optional(Type.Number({ minimum: 0 })),
  max_total_seconds: Type.Optional(
    Type.Number({ exclusiveMinimum: 0, description: 'of all media of the field together' }),
  ),
  max_megapixels: Type.Optional(Type.Number({ exclusiveMinimum: 0, description: 'per picture' })),
  min_side: Type.Optional(Type.Integer({ minimum: 1 })),
  max_side: Type.Optional(Type.Integer({ minimum: 1 })),
  content_types: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
});
export type FieldLimit = Static<typeof FieldLimitSchema>;

/** Sizes of pictures and videos. Default: the tier's area at the ratio, with sides in multiples of 16 (videos 8). */
const SizingSchema = closedObject({
  /**
   * Sizes of tiers that differ from the contract's (0.5K 1K 1.5K 2K 3K 4K, 360p … 2160p): name -> [width, height],
   * where only the area counts.
   */
  tiers: Type.Optional(
    Type.Record(Type.String(), Type.Tuple([Type.Integer({ minimum: 64 }), Type.Integer({ minimum: 64 })])),
  ),
  /** Exact sizes: tier -> ratio -> "WxH". */
  table: Type.Optional(Type.Record(Type.String(), Type.Record(Type.String(), Type.String({ pattern: '^\\d+x\\d+$' })))),
  /** The tier if the model has no `resolution`. */
  tier: Type.Optional(Type.String()),
  multiple_of: Type.Optional(Type.Integer({ minimum: 1 })),
  /** Factor of both sides of the first input image or video, or the field that has it, in place of everything else. */
  times: Type.Optional(Type.Union([Type.String(), Type.Number({ exclusiveMinimum: 0 })])),
});

/** Properties of the output that the request does not determine. */
const OutputSchema = closedObject({
  format: Type.Optional(
    Type.Union(
      [Type.Literal('png'), Type.Literal('jpeg'), Type.Literal('webp'), Type.Literal('mp4'), Type.Literal('webm')],
      { description: 'where the request cannot choose it' },
    ),
  ),
  fps: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
  audio: Type.Optional(Type.Boolean({ description: 'where the request cannot choose it' })),
  tiles: Type.Optional(Type.Literal(4)),
  /** Length in seconds that the test engine delivers if the model chooses the duration (auto, -1). */
  auto_seconds: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
  as_long_as: Type.Optional(
    Type.Array(closedObject({ fields: Type.Array(Type.String(), { minItems: 1 }), when: Type.Optional(Conditions) }), {
      minItems: 1,
      description:
        'the videos and sounds that determine the length: by the first rule whose `when` holds, the shortest of them',
    }),
  ),
});

const ModelId = Type.String({ pattern: `^${MODEL_ID}$` });
const EntrySchema = closedObject({
  model_id: ModelId,
  aliases: Type.Optional(Type.Array(ModelId)),
  name: Type.String({ minLength: 1 }),
  type: Type.Union([Type.Literal('image'), Type.Literal('video')]),
  description: Type.String({ minLength: 1 }),
  status: Type.Optional(
    Type.Union([Type.Literal('active'), Type.Literal('paused'), Type.Literal('deprecated'), Type.Literal('retired')]),
  ),
  deprecated_at: Type.Optional(Type.String({ description: 'ISO 8601; the Deprecation header of creates' })),
  sunset_at: Type.Optional(Type.String({ description: 'ISO 8601' })),
  replaced_by: Type.Optional(Type.String()),
  parameters: Type.Record(Type.String({ pattern: '^[a-z][a-z0-9_]*$' }), ParameterSchema),
  required: Type.Array(Type.Array(Type.String(), { minItems: 1 }), {
    description: 'any one of the lists must be present in full',
  }),
  constraints: Type.Optional(Type.Array(ConstraintSchema)),
  supported_features: Type.Array(Type.Enum(FEATURES), { uniqueItems: true }),
  actions: Type.Optional(Type.Array(Type.Enum(CANONICAL_ACTIONS), { uniqueItems: true })),
  as_action: Type.Optional(
    Type.String({
      pattern: '^[a-z][a-z_]*$',
      description:
        'the follow-up action as which every finished video offers this model if it takes one, or else every image',
    }),
  ),
  limits: Type.Optional(Type.Record(Type.String(), FieldLimitSchema)),
  sizing: Type.Optional(SizingSchema),
  output: Type.Optional(OutputSchema),
  pricing: EntryPricingSchema,
  price_sources: Type.Optional(PriceSourcesSchema),
  /** Routes to the model, in order of preference. `engine` names a configured engine. */
  routes: Type.Array(RouteSchema),
  notes: Type.Optional(
    Type.Array(Type.String(), {
      description: 'what cannot be decided from a request, and the choices made where the vendor is silent',
    }),
  ),
});
export type Entry = Static<typeof EntrySchema>;

export const CatalogFileSchema = closedObject({
  $schema: Type.Optional(Type.String()),
  vendor: Type.String({ minLength: 1 }),
  prices_as_of: Type.Optional(AsOf),
  models: Type.Array(EntrySchema),
});
export type CatalogFile = Static<typeof CatalogFileSchema>;
