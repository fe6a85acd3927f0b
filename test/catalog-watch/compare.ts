import type { JsonObject } from '@darkroom-service/contract';
import {
  type CatalogRoute,
  countedUnit,
  type Model,
  type PriceComponent,
  type Pricing,
  type Quote,
  type ResolvedRequest,
  statedCost,
} from '@darkroom-service/contract/catalog';
import { quoteRequest } from '../../src/catalog/pricing/quote.ts';
import { unsupportedFields } from '../../src/catalog/route-coverage.ts';
import { routesOf } from './names.ts';
import type { ForeignPrice, ForeignUnit, Offer } from './offer.ts';
import { fieldsOfSize, findImagePair, findOrder, type OrderPair, resolutionsOf } from './orders.ts';

/** A price of a source beside ours. */
export interface Comparison {
  readonly offer: Offer;
  readonly price: ForeignPrice;
  /** `price of veo-3.1`, or `cost of vertex:veo-3.1-generate-001`. */
  readonly of: string;
  readonly order: JsonObject;
  /** Our price of one unit; a text if there is none: the model or the route does not offer it, or states no cost. */
  readonly ours: number | 'not offered' | 'not stated';
  /** The source of our price. */
  readonly ourSource: string;
  readonly agrees: boolean;
  /** The prices of the catalog that ours consists of. */
  readonly components: readonly PriceComponent[];
}

/** Prices of the catalog that an offer can be compared with. */
interface Subject {
  readonly of: string;
  /** In order: the first that takes an order prices it. */
  readonly lists: readonly OwnList[];
}

interface OwnList {
  /** Null if the route states no cost. */
  readonly pricing: Pricing | null;
  readonly source: string;
  /** Fields that an order of it has. */
  readonly needs: JsonObject;
  takes(request: ResolvedRequest): boolean;
}

const TOKENS: Partial<Record<ForeignUnit, readonly string[]>> = {
  output_token: ['openai_image_tokens', 'output_image_tokens', 'video_tokens'],
  prompt_token: ['prompt_tokens'],
  input_image_token: ['input_image_tokens'],
};

/**
 * Compares all prices of an offer with the price of a model, and with the cost of its routes there.
 * @param fixed fields that the order of a price has beside those that the price names
 * @param pricing the model's price list
 */
export function compareOffer(
  model: Model,
  offer: Offer,
  fixed: JsonObject,
  pricing: Pricing = model.pricing,
): readonly Comparison[] {
  return subjectsOf(model, offer, pricing).flatMap((subject) =>
    offer.prices.flatMap((price) => {
      if (price.per in TOKENS) return compareTokens(offer, price, subject);
      const others = offer.prices.flatMap(({ per, tier }) => (per === price.per && tier !== null ? [tier] : []));
      return compareOrders(model, offer, price, subject, others, fixed);
    }),
  );
}

/** The model's price is the vendor's; that of somebody who sells models of others is a cost, unless he is preferred. */
function subjectsOf(model: Model, offer: Offer, pricing: Pricing): readonly Subject[] {
  const routes = routesOf(model, offer);
  const isPreferred = routes.length > 0 && offer.engine === model.routes[0]?.engine;
  const source = `the catalog's file of ${model.vendor}`;
  const price = {
    of: `price of ${model.model_id}`,
    lists: [{ pricing, source, needs: {}, takes: () => true }],
  };
  const cost = {
    of: `cost of ${offer.engine}:${routes[0]?.model}`,
    lists: routes.map((route) => {
      const stated = statedCost(route);
      return {
        pricing: stated ?? null,
        source: stated === undefined ? source : `${stated.source}, ${stated.as_of}`,
        needs: fieldsOf(model, route),
        takes: (request: ResolvedRequest) => unsupportedFields(route, model, request).length === 0,
      };
    }),
  };
  const hasPrice = isPreferred || (routes.length === 0 && !offer.resells);
  return [...(hasPrice ? [price] : []), ...(routes.length > 0 ? [cost] : [])];
}

function compareOrders(
  model: Model,
  offer: Offer,
  price: ForeignPrice,
  subject: Subject,
  otherTiers: readonly string[],
  fixed: JsonObject,
): Comparison[] {
  // Names such as kling-v3 mean an image model and a film model.
  if (price.per === 'image' && model.type === 'video') return [];
  const base = { offer, price, of: subject.of, agrees: false, components: [] };
  const find = price.per === 'input_image' ? findImagePair : findSingleOrder;
  const compared = resolutionsOf(model, price, otherTiers).flatMap((resolution): Comparison[] => {
    const sized = price.size === null ? {} : fieldsOfSize(model, price.size);
    if (sized === null) return [];
    const quality = price.quality === null ? {} : { quality: price.quality };
    const sound =
      price.sound === null || !('generate_audio' in model.parameters) ? {} : { generate_audio: price.sound };
    const fields = { ...fixed, ...(resolution === null ? {} : { resolution }), ...sized, ...quality, ...sound };
    for (const { pricing, source, needs, takes } of subject.lists) {
      const found = find(model, { ...needs, ...fields }, takes);
      if (found === null) continue;
      const order = found.more.body;
      if (pricing === null) return [{ ...base, order, ours: 'not stated', ourSource: source }];
      const { ours, components } = ownPrice(model, pricing, price.per, found);
      return [{ ...base, order, ours, ourSource: source, agrees: agree(ours, price, offer.markups), components }];
    }
    return [];
  });
  const isLacking = compared.length === 0 && price.tier !== null;
  const ourSource = `the catalog's file of ${model.vendor}`;
  return isLacking ? [{ ...base, order: { ...fixed }, ours: 'not offered', ourSource }] : compared;
}

function findSingleOrder(...wanted: Parameters<typeof findOrder>): OrderPair | null {
  const more = findOrder(...wanted);
  return more === null ? null : { more, fewer: null };
}

/** Quotes an order, and returns what one second, image or input image of it costs. */
function ownPrice(model: Model, pricing: Pricing, per: ForeignUnit, { more, fewer }: OrderPair) {
  const applying = pricing.components.filter((one) => quoteOf(model, [one], more.request).amount > 0);
  const ofResult = applying.filter(isOfResult);
  // A model that edits a film makes as many seconds as it is sent.
  const ofFilm = applying.filter((one) => one.per === 'input_video_second');
  const ofInput = applying.filter((one) => countedUnit(one) === 'input_image');
  const components = per === 'input_image' ? ofInput : ofResult.length > 0 ? ofResult : ofFilm;
  const { amount, lines } = quoteOf(model, components, more.request);
  const without = fewer === null ? 0 : quoteOf(model, components, fewer.request).amount;
  const seconds = ofResult.length > 0 ? more.request.output.durationSeconds : Number(lines[0]?.quantity);
  const units = per === 'second' ? seconds || 1 : 1;
  return { ours: Number(((amount - without) / 1_000_000 / units).toPrecision(6)), components };
}

/** Compares the price of a token, where the catalog counts tokens of this kind. */
function compareTokens(offer: Offer, price: ForeignPrice, { of, lists }: Subject): Comparison[] {
  const names = TOKENS[price.per] ?? [];
  const base = { offer, price, of, order: {} };
  const compared = lists.flatMap(({ pricing, source }) =>
    (pricing?.components ?? []).flatMap((component): Comparison[] => {
      // Sources state the price of their standard lane; the batch lane has its own share of it.
      if (!names.includes(component.formula?.name ?? '') || component.when?.speed === 'batch') return [];
      const ours = Number(component.amount);
      return [{ ...base, ours, ourSource: source, agrees: agree(ours, price, offer.markups), components: [component] }];
    }),
  );
  const silent = lists.find(({ pricing }) => pricing === null);
  if (silent === undefined || price.per !== 'output_token') return compared;
  return [...compared, { ...base, ours: 'not stated', ourSource: silent.source, agrees: false, components: [] }];
}

/** Sources state prices of results without what is sent. */
function isOfResult(component: PriceComponent): boolean {
  const unit = countedUnit(component);
  const isSent = unit.startsWith('input_') && unit !== 'input_plus_output_second';
  return !isSent && component.formula?.name !== 'prompt_tokens';
}

function quoteOf(model: Model, components: Pricing['components'], request: ResolvedRequest): Quote {
  return quoteRequest({ ...model, pricing: { components } }, request, '1');
}

/** Returns the fields of a model that the conditions of a route give a value. */
function fieldsOf({ parameters }: Model, { when = {} }: CatalogRoute): JsonObject {
  const fields = Object.entries(when).flatMap(([name, condition]) => {
    const [value] = [condition].flat();
    return name in parameters && typeof value !== 'object' && value !== undefined ? [[name, value]] : [];
  });
  return Object.fromEntries(fields);
}

/** A source that writes three decimals or more has rounded the last one. Ours is exact to a micro-dollar. */
function agree(ours: number, { amount: theirs, rounding }: ForeignPrice, markups: readonly number[] = [1]): boolean {
  let decimals = 0;
  while (decimals < 12 && Number(theirs.toFixed(decimals)) !== theirs) decimals++;
  const rounded = rounding ?? (decimals < 3 ? 0 : 0.5 * 10 ** -decimals);
  const exactness = theirs < 0.000_1 ? 1e-12 : 0.000_000_5;
  return markups.some((markup) => Math.abs(ours * markup - theirs) <= rounded + exactness);
}
