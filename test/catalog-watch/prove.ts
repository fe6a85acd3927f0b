import type { CatalogRoute, Model, Pricing } from '@darkroom-service/contract/catalog';
import { compareOffer } from './compare.ts';
import { DecisionBook, type WatchDecisions } from './decisions.ts';
import { createFinder, routesOf } from './names.ts';
import type { Offer } from './offer.ts';

/** Parts of the catalog of one kind, of which the watch would or would not miss each. */
export interface Proof {
  readonly of: 'models' | 'prices' | 'ends';
  readonly all: number;
  /** Parts that no source names when the catalog lacks them. */
  readonly unnamed: readonly string[];
}

interface Known {
  readonly models: readonly Model[];
  readonly decided: WatchDecisions;
  readonly offers: readonly Offer[];
}

/**
 * Takes the models, prices and ends out of the catalog, one at a time, and finds those of which the watch would then
 * report nothing: what it can say of a model that the catalog really lacks.
 */
export function proveWatch({ models, decided, offers }: Known): readonly Proof[] {
  const find = createFinder(models, decided.names);
  const byModel = Map.groupBy(offers, find);
  const present = models.filter(({ status }) => status !== 'retired');
  const prices = models.flatMap((model) => model.pricing.components.map((_, at) => ({ model, at })));
  const ends = models.flatMap((model) => endsOf(model));
  return [
    proof(
      'models',
      present,
      ({ model_id }) => model_id,
      (model) => isMissed({ models, decided, offers: byModel.get(model) ?? [] }, model),
    ),
    proof(
      'prices',
      prices,
      ({ model, at }) => `${model.model_id} ${at + 1}`,
      ({ model, at }) => isPriceMissed(model, at, byModel.get(model) ?? [], decided),
    ),
    proof(
      'ends',
      ends,
      ({ name }) => name,
      ({ routes, at }) =>
        (byModel.get(routes.model) ?? []).some(
          (offer) => offer.endsOn === at && routesOf(routes.model, offer).some((route) => routes.own.includes(route)),
        ),
    ),
  ];
}

function proof<Part>(
  of: Proof['of'],
  all: readonly Part[],
  nameOf: (part: Part) => string,
  isNamed: (part: Part) => boolean,
): Proof {
  return { of, all: all.length, unnamed: all.filter((part) => !isNamed(part)).map(nameOf) };
}

/** Tells whether a source's offer of a model would be an undecided one of a model that the catalog lacks. */
function isMissed({ models, decided, offers }: Known, model: Model): boolean {
  const names = Object.entries(decided.names).filter(([, id]) => id !== model.model_id);
  const find = createFinder(
    models.filter((one) => one !== model),
    Object.fromEntries(names),
  );
  const book = new DecisionBook(decided);
  return offers.some((offer) => find(offer) === null && !book.acceptsOffers([offer]));
}

/** Tells whether a comparison that agrees today would not, if the model lacked one of its prices. */
function isPriceMissed(model: Model, at: number, offers: readonly Offer[], decided: WatchDecisions): boolean {
  const components = model.pricing.components.filter((_, index) => index !== at);
  const agreedBy = (pricing: Pricing) =>
    offers
      .flatMap((offer) => compareOffer(model, offer, decided.orders[offer.key] ?? {}, pricing))
      .filter(({ of, agrees }) => agrees && of.startsWith('price of '))
      .map(({ price, of, order }) => `${price.key} ${of} ${JSON.stringify(order)}`);
  const left = new Set(agreedBy({ ...model.pricing, components }));
  return agreedBy(model.pricing).some((comparison) => !left.has(comparison));
}

interface End {
  readonly name: string;
  /** The day. */
  readonly at: string;
  readonly routes: { readonly model: Model; readonly own: readonly CatalogRoute[] };
}

function endsOf(model: Model): End[] {
  const { model_id, routes, sunset_at: whole } = model;
  const ofRoutes = routes.flatMap((route) =>
    route.sunset_at === undefined
      ? []
      : [{ name: `${model_id} at ${route.engine}`, at: route.sunset_at.slice(0, 10), routes: { model, own: [route] } }],
  );
  return whole === null
    ? ofRoutes
    : [{ name: model_id, at: whole.slice(0, 10), routes: { model, own: routes } }, ...ofRoutes];
}
