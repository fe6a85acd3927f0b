import { type Static, Type } from 'typebox';
import { closedObject, type Wire } from '../parts.ts';
import { ConditionSchema } from './condition-shape.ts';
import { PriceFormulaSchema, type TokenKind } from './price-formula.ts';
import { PRICE_UNITS } from './vocabulary.ts';

/** The schemas of prices, and of the costs of routes, which use the same terms. */

const Conditions = Type.Record(Type.String(), ConditionSchema);
const Amount = Type.String({ pattern: '^\\d{1,6}(\\.\\d{1,9})?$', description: 'US dollars, at most nine decimals' });

const PriceComponentSchema = closedObject({
  per: Type.Enum(PRICE_UNITS),
  formula: Type.Optional(PriceFormulaSchema),
  amount: Amount,
  when: Type.Optional(Conditions),
  units: Type.Optional(
    closedObject({ from: Type.Integer({ minimum: 1 }), to: Type.Optional(Type.Integer({ minimum: 1 })) }),
  ),
  at_least: Type.Optional(
    closedObject({ output_seconds: Type.Number({ exclusiveMinimum: 0 }) }, { description: 'times the output seconds' }),
  ),
  description: Type.Optional(Type.String()),
});
export type PriceComponent = Wire<typeof PriceComponentSchema>;

const COUNTED_AS = {
  openai_image_tokens: 'output_megapixel',
  prompt_tokens: 'request',
  input_image_tokens: 'input_image',
  output_image_tokens: 'image',
} as const;

/** Returns the unit of a component; for a formula, the unit that depends on the same parts of a request. */
export function countedUnit({ per, formula }: PriceComponent): PriceComponent['per'] {
  if (formula === undefined) return per;
  return formula.name === 'video_tokens' ? formula.seconds : COUNTED_AS[formula.name];
}

const pricing = { minimum: Type.Optional(Amount), components: Type.Array(PriceComponentSchema, { minItems: 1 }) };
export const PricingSchema = closedObject(pricing);
export type Pricing = Static<typeof PricingSchema>;

/** The prices of an entry as a catalog file states them. */
export const EntryPricingSchema = closedObject({
  ...pricing,
  batch_share: Type.Optional(
    Type.String({
      pattern: '^0\\.\\d{1,3}$',
      description: 'the share of the price that an order with speed batch pays, such as "0.5"',
    }),
  ),
});

/** A day, or a month. */
export const AsOf = Type.String({ pattern: '^\\d{4}-\\d{2}(-\\d{2})?$', description: 'when the source was read' });

const StatedCostSchema = closedObject({
  as_of: AsOf,
  source: Type.String({ minLength: 1, description: 'where the upstream states its price' }),
  minimum: Type.Optional(Amount),
  components: Type.Array(PriceComponentSchema, { minItems: 1 }),
  unit_price: Type.Optional({
    ...Amount,
    description: 'of one unit, where the upstream tells with each order how many units it charged',
  }),
  token_prices: Type.Optional(
    closedObject(
      {
        prompt: Type.Optional(Amount),
        input_image: Type.Optional(Amount),
        output_image: Type.Optional(Amount),
        output_text: Type.Optional(Amount),
        video: Type.Optional(Amount),
      } satisfies Record<TokenKind, unknown>,
      {
        description:
          'of one token by kind, where the upstream tells with each order how many it counted, and no component has a formula for that kind',
      },
    ),
  ),
});

const UnknownCostSchema = closedObject({
  as_of: AsOf,
  unknown: Type.String({ minLength: 1, description: 'what was looked at, and why it does not tell the cost' }),
});

/** The price of an order in its upstream's own price list: an expectation, which the order's own figure corrects. */
export type StatedCost = Static<typeof StatedCostSchema>;

export const RouteCostSchema = Type.Union([StatedCostSchema, UnknownCostSchema]);
type RouteCost = Static<typeof RouteCostSchema>;

/** Returns a route's stated cost of an order; undefined if it is unknown, or the route costs nothing. */
export function statedCost({ cost }: { readonly cost?: RouteCost }): StatedCost | undefined {
  return cost !== undefined && 'components' in cost ? cost : undefined;
}

const PriceSourceSchema = closedObject({
  source: Type.String({ minLength: 1, description: 'who states the price' }),
  as_of: AsOf,
});
/** A list or page that states a price, and the day or month on which it was read. */
export type PriceSource = Static<typeof PriceSourceSchema>;

/** Sources of an entry's prices. */
export const PriceSourcesSchema = Type.Array(
  closedObject({
    ...PriceSourceSchema.properties,
    prices: Type.Array(Type.Integer({ minimum: 1 }), {
      minItems: 1,
      description: 'the places of the prices in pricing.components, from 1',
    }),
  }),
);
