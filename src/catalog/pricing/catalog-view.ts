import { type CatalogEntry, formatMicros, type JsonValue } from '@darkroom-service/contract';
import type { Model, Parameter, PriceSource, Pricing } from '@darkroom-service/contract/catalog';
import { standardPrices } from '../batch-lane.ts';
import { divideHalfUp, formatDecimal, ONE, parseDecimal } from './decimal.ts';
import { lowestOrder } from './price-from.ts';
import type { PriceFloor } from './tariff.ts';

interface CatalogViewOptions {
  /** The account's multiplier; `"1"` for default prices. */
  readonly multiplier: string;
  /** The costs that prices must cover. Default: none. */
  readonly floor?: PriceFloor | null;
  /** Whether an engine for the model is configured. */
  readonly live: boolean;
  /** Whether test keys can order it now. Default: true. */
  readonly test?: boolean;
  /** Whether live keys can order it with speed batch now. Default: false. */
  readonly batch?: boolean;
  readonly typicalSeconds: { readonly p50: number; readonly p80: number } | null;
}

/**
 * Returns the public part of a model: parameters and prices for this caller, without sizing, routes and other internal
 * facts.
 */
export function catalogEntry(
  model: Model,
  { multiplier, floor = null, live, test = true, batch = false, typicalSeconds }: CatalogViewOptions,
): CatalogEntry {
  const lowest = lowestOrder({ model, floor }, multiplier);
  const least = lowest === null ? null : (floor?.cheapest(lowest.request) ?? null);
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
    default_config: model.compiled.fields.defaults as Readonly<Record<string, JsonValue>>,
    parameters: model.parameters as Readonly<Record<string, Parameter>>,
    required: model.required,
    constraints: model.constraints,
    supported_features: model.supported_features,
    actions: model.actions,
    image_roles: [...model.compiled.fields.imageRoles.keys()],
    limits: model.limits,
    pricing: {
      currency: 'USD',
      from: formatMicros(lowest?.amount ?? 0),
      minimum: model.pricing.minimum === undefined ? null : multiplied(model.pricing.minimum, multiplier),
      components: model.pricing.components.map((component) => ({
        ...component,
        amount: multiplied(component.amount, multiplier),
        ...sourcesOf(model, component),
      })),
    },
    route_cost:
      least === null
        ? null
        : {
            engine: least.route.engine,
            multiplier: least.multiplier,
            minimum: least.pricing.minimum ?? null,
            components: least.pricing.components,
          },
    availability: { live, test, batch },
    typical_seconds: typicalSeconds,
    notes: model.notes,
  };
}

/** Returns who states a price of the vendor's list; nothing for a price that no source states. */
function sourcesOf(
  model: Model,
  component: Pricing['components'][number],
): { readonly sources?: readonly PriceSource[] } {
  const place = standardPrices(model).indexOf(component) + 1;
  const naming = (model.price_sources ?? []).filter(({ prices }) => prices.includes(place));
  return naming.length === 0 ? {} : { sources: naming.map(({ source, as_of }) => ({ source, as_of })) };
}

function multiplied(amount: string, multiplier: string): string {
  return formatDecimal(divideHalfUp(parseDecimal(amount) * parseDecimal(multiplier), ONE), 2);
}
