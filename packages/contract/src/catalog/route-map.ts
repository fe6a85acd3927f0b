import { type Static, Type } from 'typebox';
import { closedObject } from '../parts.ts';
import { ConditionSchema } from './condition-shape.ts';
import { RouteCostSchema } from './price-schema.ts';

/**
 * A route's translation of a request into its upstream's own fields, as data. Each entry of `parameters` is named after
 * the parameter or derived value it translates. Values without an entry are never sent, and an order that uses one goes
 * to another route. See docs/engines.md.
 */

const Conditions = Type.Record(Type.String(), ConditionSchema);

const plain = {
  to: Type.String({
    minLength: 1,
    description: 'where it goes; dots lead into objects, a closing [] appends to a list: "input.content[]"',
  }),
  from: Type.Optional(Type.String({ description: 'the parameter or derived value; else the name of the entry' })),
  text: Type.Optional(Type.String({ description: 'in place of `from`: a text with "{width}" and the like filled in' })),
  when: Type.Optional(Conditions),
  take: Type.Optional(
    Type.Union([Type.Literal('first'), Type.Literal('last'), Type.Literal('rest'), Type.Integer({ minimum: 0 })], {
      description: 'of a list: one item, or all but the first. Without it the list as it is',
    }),
  ),
  values: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description:
        'what each value is called there; null = said by leaving it out. A value that is not listed cannot be said',
    }),
  ),
  otherwise: Type.Optional(
    Type.Literal('same', { description: 'a value that `values` does not list is called the same' }),
  ),
  nearest: Type.Optional(
    Type.Array(Type.String({ pattern: '^[0-9.]+:[0-9.]+$' }), {
      minItems: 1,
      description:
        'of a ratio: `auto` becomes the one of these that is nearest to the output. A ratio that is not listed cannot be said',
    }),
  ),
  times: Type.Optional(Type.Number({ description: 'a number is multiplied, before `plus`' })),
  plus: Type.Optional(Type.Number()),
  as: Type.Optional(
    Type.Union([Type.Literal('string'), Type.Literal('number'), Type.Literal('integer'), Type.Literal('boolean')]),
  ),
  prefix: Type.Optional(Type.String()),
  suffix: Type.Optional(Type.String()),
  shape: Type.Optional(
    Type.Unknown({
      description:
        'what the value (each item of a list) is wrapped in, with "$" in its place, and "$strength" for the field strength beside it',
    }),
  ),
  unsent: Type.Optional(Type.Unknown({ description: 'what is sent where the order says nothing' })),
};

const PlainRuleSchema = closedObject(plain);
const PlainEntrySchema = Type.Union([Type.String({ minLength: 1 }), PlainRuleSchema, Type.Array(PlainRuleSchema)]);

const RouteRuleSchema = closedObject({
  ...plain,
  items: Type.Optional(
    Type.Record(Type.String(), PlainEntrySchema, {
      description:
        'of an object, or of each object of a list: how its fields are said; a colour has the fields 0, 1, 2',
    }),
  ),
});
export type RouteRule = Static<typeof RouteRuleSchema>;

const RouteMapSchema = Type.Record(
  Type.String(),
  Type.Union([Type.String({ minLength: 1 }), RouteRuleSchema, Type.Array(RouteRuleSchema, { minItems: 1 })]),
);
export type RouteMap = Static<typeof RouteMapSchema>;

const Sides = Type.String({ pattern: '^\\d{2,5}x\\d{2,5}$' });

/**
 * Output that an upstream really delivers, according to a source, where the general rules would judge it wrongly. See
 * docs/catalog.md.
 */
const RouteDeliversSchema = closedObject({
  size: Type.Optional(
    Type.Union([Type.Literal(false), Type.Record(Type.String({ minLength: 1 }), Sides)], {
      description: 'the pixels of a tier, such as { "480p": "864x496" }; false = sizes are not judged',
    }),
  ),
  seconds: Type.Optional(
    Type.Union(
      [
        Type.Literal(false),
        Type.Literal('without_input'),
        Type.Literal('with_input'),
        Type.Record(Type.String({ pattern: '^\\d+(\\.\\d+)?$' }), Type.Number({ exclusiveMinimum: 0 })),
      ],
      {
        description:
          'the length for each length sent, such as { "6": 5.4 }; whether the result of an order with a video includes that video; false = lengths are not judged',
      },
    ),
  ),
  sound: Type.Optional(
    Type.Literal(true, { description: 'an order with sound always gets it: one without is charged as silent' }),
  ),
  source: Type.String({ minLength: 1, description: 'where the upstream states it' }),
  as_of: Type.String({ pattern: '^\\d{4}-\\d{2}(-\\d{2})?$', description: 'when the source was read' }),
});
export type RouteDelivers = Static<typeof RouteDeliversSchema>;

/** `engine` names a configured engine, `model` its name there. */
export const RouteSchema = closedObject({
  engine: Type.String({ minLength: 1 }),
  model: Type.Optional(Type.String({ minLength: 1 })),
  /** Restricts the route to orders with `speed: "batch"`; the entry's `batch_share` is their price. */
  lane: Type.Optional(Type.Literal('batch')),
  /** Restricts the route to orders that meet all conditions. */
  when: Type.Optional(Conditions),
  /** Fields that the route cannot pass on: an order that sends one goes to another route. */
  without: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
  /** Fields that need no entry, because the upstream always behaves that way or the engine translates them itself. */
  covers: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
  parameters: Type.Optional(RouteMapSchema),
  /** Values that are sent with every order, by path. */
  fixed: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  deprecated_at: Type.Optional(Type.String({ description: 'ISO 8601; when its upstream announced the end' })),
  sunset_at: Type.Optional(Type.String({ description: 'ISO 8601; from then on it gets no orders' })),
  sunset_source: Type.Optional(
    Type.String({ minLength: 1, description: 'where the end was read; says so if no second source confirms it' }),
  ),
  replaced_by: Type.Optional(Type.String({ minLength: 1, description: "the successor's name at the upstream" })),
  /** Cost of an order; absent only for engines on the operator's own machine. Never shown to customers. */
  cost: Type.Optional(RouteCostSchema),
  /** Deviations of the output; absent if the general rules apply. */
  delivers: Type.Optional(RouteDeliversSchema),
});
export type CatalogRoute = Static<typeof RouteSchema>;
