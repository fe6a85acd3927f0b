import type { JsonObject, JsonValue } from '../base/canonical-json.ts';
import { compileModel } from '../catalog/compiled-model.ts';
import type { Constraint, FieldLimit, Parameter, PriceComponent } from '../catalog/entry-schema.ts';
import type { Model } from '../catalog/model.ts';
import { divideHalfUp, formatDecimal, ONE, parseDecimal } from './decimal.ts';
import { priceFrom } from './price-from.ts';

/** An entry as the wire shows it. */
export interface CatalogEntry {
  readonly model_id: string;
  readonly aliases: readonly string[];
  readonly name: string;
  readonly vendor: string;
  readonly type: 'image' | 'video';
  readonly description: string;
  readonly status: Model['status'];
  readonly sunset_at: string | null;
  readonly replaced_by: string | null;
  /** Exactly the keys of `parameters`; null = no default. */
  readonly default_config: JsonObject;
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly required: readonly (readonly string[])[];
  readonly constraints: readonly Constraint[];
  readonly supported_features: readonly string[];
  readonly actions: readonly string[];
  readonly limits: Readonly<Record<string, FieldLimit>>;
  readonly pricing: {
    readonly currency: 'USD';
    readonly from: string;
    readonly minimum: string | null;
    readonly components: readonly PriceComponent[];
  };
  readonly availability: { readonly live: boolean; readonly test: boolean };
  readonly typical_seconds: { readonly p50: number; readonly p80: number } | null;
  readonly notes: readonly string[];
}

export interface CatalogViewOptions {
  /** The account's; `"1"` for default prices. */
  readonly multiplier: string;
  /** Whether an engine for it is configured. */
  readonly live: boolean;
  readonly typicalSeconds: { readonly p50: number; readonly p80: number } | null;
}

/** The public face of a model: its contract with callers at their prices, without sizes, routes and what else is ours. */
export function catalogEntry(model: Model, { multiplier, live, typicalSeconds }: CatalogViewOptions): CatalogEntry {
  return {
    model_id: model.model_id,
    aliases: model.aliases,
    name: model.name,
    vendor: model.vendor,
    type: model.type,
    description: model.description,
    status: model.status,
    sunset_at: model.sunset_at,
    replaced_by: model.replaced_by,
    default_config: compileModel(model).fields.defaults as Readonly<Record<string, JsonValue>>,
    parameters: model.parameters as Readonly<Record<string, Parameter>>,
    required: model.required,
    constraints: model.constraints,
    supported_features: model.supported_features,
    actions: model.actions,
    limits: model.limits,
    pricing: {
      currency: 'USD',
      from: priceFrom(model, multiplier),
      minimum: model.pricing.minimum === undefined ? null : multiplied(model.pricing.minimum, multiplier),
      components: model.pricing.components.map((component) => ({
        ...component,
        amount: multiplied(component.amount, multiplier),
      })),
    },
    availability: { live, test: true },
    typical_seconds: typicalSeconds,
    notes: model.notes,
  };
}

function multiplied(amount: string, multiplier: string): string {
  return formatDecimal(divideHalfUp(parseDecimal(amount) * parseDecimal(multiplier), ONE), 2);
}
