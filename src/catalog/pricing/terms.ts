import { matchesGlob } from '@darkroom-service/contract';
import { formatProduct, parseDecimal } from './decimal.ts';

/** The operator's charges and costs in addition to the catalog's. Decimals such as `"0.9"`. */
export interface Terms {
  /** The first rule that matches a model multiplies its prices, for all accounts. */
  readonly prices: readonly PriceRule[];
  /** Multipliers of the routes' stated costs, by the name or the kind of an engine. */
  readonly costs: Readonly<Record<string, string>>;
  /** Patterns of models that may be sold below cost. */
  readonly belowCost: readonly string[];
}

/** A multiplier for the models whose id matches a pattern, or whose vendor does, ignoring case. */
export type PriceRule = { readonly multiplier: string } & ({ readonly models: string } | { readonly vendor: string });

export const NO_TERMS: Terms = { prices: [], costs: {}, belowCost: [] };

/** Returns the installation's multiplier of a model's catalog price. */
export function installationMultiplier(
  { prices }: Pick<Terms, 'prices'>,
  { model_id: modelId, vendor }: { readonly model_id: string; readonly vendor: string },
): string {
  const found = prices.find((rule) =>
    'models' in rule ? matchesGlob(rule.models, modelId) : matchesGlob(rule.vendor.toLowerCase(), vendor.toLowerCase()),
  );
  return found?.multiplier ?? '1';
}

/** Returns the operator's costs at an engine, as a share of its routes' stated costs. */
export function costMultiplier(
  { costs }: Pick<Terms, 'costs'>,
  { name, kind }: { readonly name: string; readonly kind: string },
): string {
  return costs[name] ?? costs[kind] ?? '1';
}

export function mayLose({ belowCost }: Pick<Terms, 'belowCost'>, modelId: string): boolean {
  return belowCost.some((pattern) => matchesGlob(pattern, modelId));
}

/** Multiplies two multipliers exactly. They may have nine decimals together. */
export function timesExactly(one: string, other: string): string {
  if (one === '1') return other;
  if (other === '1') return one;
  return formatProduct(parseDecimal(one) * parseDecimal(other), 0);
}
