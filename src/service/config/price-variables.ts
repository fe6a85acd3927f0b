import { MODEL_GLOB } from '@darkroom-service/contract';
import type { PriceRule, Terms } from '../../catalog/pricing/terms.ts';
import { list, type ValuesOf } from './variable-types.ts';

const VENDOR = 'vendor:';
/** Pattern of a multiplier: with the six decimals of an account's multiplier, prices have nine. */
const MULTIPLIER = String.raw`\d{1,4}(\.\d{1,3})?`;

/** Variables of the operator's charges and costs beside those of the catalog. */
export const PRICE_VARIABLES = {
  DARKROOM_PRICE_MULTIPLIERS: list(new RegExp(`^(${VENDOR}[A-Za-z0-9 .*?-]{1,64}|${MODEL_GLOB})=${MULTIPLIER}$`), {
    expected: 'patterns of models or vendors with multipliers such as flux-*=1.2,vendor:ByteDance=1.15,*=1.1',
    description:
      'What you charge: multipliers of the [prices](catalog.md#your-own-prices) of models or vendors, with at most three decimals. The first match counts.',
    default: '',
  }),
  DARKROOM_COST_MULTIPLIERS: list(new RegExp(`^[a-z0-9][a-z0-9_-]{0,63}=${MULTIPLIER}$`), {
    expected: 'engines with multipliers such as fal=0.9,openai=0.95',
    description:
      'What you pay: multipliers of the [costs](engines.md#what-an-order-costs) that routes state, by engine, with at most three decimals.',
    default: '',
  }),
  DARKROOM_BELOW_COST_MODELS: list(new RegExp(`^${MODEL_GLOB}$`), {
    expected: 'patterns of models such as seedance-2.5,flux-*',
    description:
      'Models that you sell at their list price although an order [costs more](engines.md#orders-below-cost).',
    default: '',
  }),
} as const;

export function termsOf(values: ValuesOf<typeof PRICE_VARIABLES>): Terms {
  return {
    prices: values.DARKROOM_PRICE_MULTIPLIERS.map((pair): PriceRule => {
      const [name, multiplier] = readPair(pair);
      return name.startsWith(VENDOR) ? { vendor: name.slice(VENDOR.length), multiplier } : { models: name, multiplier };
    }),
    costs: Object.fromEntries(values.DARKROOM_COST_MULTIPLIERS.map(readPair)),
    belowCost: values.DARKROOM_BELOW_COST_MODELS,
  };
}

/** Returns the names of engines whose costs have a multiplier. */
export function enginesWithMultipliers(pairs: readonly string[]): string[] {
  return pairs.map((pair) => readPair(pair)[0]);
}

function readPair(pair: string): [string, string] {
  const at = pair.lastIndexOf('=');
  return [pair.slice(0, at), pair.slice(at + 1)];
}
