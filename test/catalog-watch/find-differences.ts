import { type Model, type PriceComponent, statedCost } from '@darkroom-service/contract/catalog';
import { type Comparison, compareOffer } from './compare.ts';
import { DecisionBook, type Value, type WatchDecisions } from './decisions.ts';
import { createFinder, plainName, routesOf } from './names.ts';
import type { Offer } from './offer.ts';

/** A model of others that the catalog lacks. */
interface ForeignModel {
  readonly name: string;
  readonly offers: readonly Offer[];
}

/** A price or an end of which a source has one value and the catalog others. */
interface ValueDifference {
  /** Of a decision. */
  readonly key: string;
  /** The source's value, and all of ours that differ. */
  readonly values: readonly Value[];
}

interface PriceDifference extends ValueDifference {
  readonly comparisons: readonly Comparison[];
}

interface EndDifference extends ValueDifference {
  readonly model: Model;
}

/** Differences and whether they are decided. */
export interface Judged<Difference> {
  readonly open: readonly Difference[];
  readonly decided: readonly Difference[];
}

export interface Differences {
  readonly agreed: readonly Comparison[];
  readonly differing: Judged<PriceDifference>;
  readonly onlyTheirs: Judged<ForeignModel>;
  /** Models of the catalog of which no price and no cost has a second source. */
  readonly onlyOurs: readonly string[];
  readonly ended: Judged<EndDifference>;
  /** Decisions that no difference needs any more. */
  readonly stale: readonly string[];
  readonly undecided: number;
  /** Of the prices of models, and of the costs of routes: how many there are, and how many have a second source. */
  readonly prices: Coverage;
  readonly costs: Coverage;
}

interface Coverage {
  readonly all: number;
  /** Compared with a source that the catalog did not read them from. */
  readonly compared: number;
}

interface Known {
  readonly models: readonly Model[];
  readonly decided: WatchDecisions;
  readonly offers: readonly Offer[];
  readonly unread: readonly { readonly name: string }[];
  /** Names of sources that were left out. */
  readonly unasked?: readonly string[];
}

/** Compares what sources offer with the catalog. */
export function findDifferences({ models, decided, offers, unread, unasked }: Known): Differences {
  const book = new DecisionBook(decided);
  const find = createFinder(models, decided.names);
  const found = offers.map((offer) => ({ offer, model: find(offer) }));
  const comparisons = found.flatMap(({ offer, model }) =>
    model === null ? [] : compareOffer(model, offer, decided.orders[offer.key] ?? {}),
  );
  const hasValues = ({ key, values }: ValueDifference) => book.acceptsValues(key, values);
  const differing = judge(priceDifferences(comparisons), hasValues);
  const ended = judge(found.flatMap(endsOf), hasValues);
  const onlyTheirs = judge(foreignModels(found), ({ offers: of }) => book.acceptsOffers(of));
  const compared = new Set(comparisons.filter(isSecond).flatMap(({ components }) => components));
  const coverage = (all: readonly PriceComponent[]) => ({
    all: all.length,
    compared: all.filter((one) => compared.has(one)).length,
  });
  const pricesOf = ({ pricing }: Model) => pricing.components;
  const costsOf = ({ routes }: Model) => routes.flatMap((route) => statedCost(route)?.components ?? []);
  return {
    agreed: comparisons.filter(({ agrees }) => agrees),
    differing,
    onlyTheirs,
    onlyOurs: models
      .filter((model) => coverage([...pricesOf(model), ...costsOf(model)]).compared === 0)
      .map(({ model_id }) => model_id),
    ended,
    stale: book.stale(
      unread.map(({ name }) => name),
      unasked,
    ),
    undecided: differing.open.length + onlyTheirs.open.length + ended.open.length,
    prices: coverage(models.flatMap(pricesOf)),
    costs: coverage(models.flatMap(costsOf)),
  };
}

function judge<Difference>(
  differences: readonly Difference[],
  isDecided: (difference: Difference) => boolean,
): Judged<Difference> {
  const decided = new Set(differences.filter(isDecided));
  return { open: differences.filter((one) => !decided.has(one)), decided: [...decided] };
}

function priceDifferences(comparisons: readonly Comparison[]): PriceDifference[] {
  const differing = comparisons.filter(({ agrees }) => !agrees);
  const byKey = Map.groupBy(differing, ({ offer, price }) => `${offer.source}:${price.key}`);
  return [...byKey].map(([key, same]) => {
    const theirs = same.map(({ price }) => price.amount);
    return { key, values: [...new Set([...theirs, ...same.map(({ ours }) => ours)])], comparisons: same };
  });
}

function foreignModels(found: readonly { readonly offer: Offer; readonly model: Model | null }[]): ForeignModel[] {
  const unknown = Map.groupBy(
    found.flatMap(({ offer, model }) => (model === null ? [offer] : [])),
    plainName,
  );
  return [...unknown].map(([name, offers]) => ({ name, offers })).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function endsOf({ offer, model }: { readonly offer: Offer; readonly model: Model | null }): EndDifference[] {
  if (model === null || offer.endsOn === null) return [];
  const ends = routesOf(model, offer).map(({ sunset_at }) => (sunset_at ?? model.sunset_at)?.slice(0, 10) ?? null);
  const others = [...new Set(ends)].filter((end) => end !== offer.endsOn);
  if (others.length === 0) return [];
  return [{ key: `${offer.source}:${offer.key}.deprecation_date`, values: [offer.endsOn, ...others], model }];
}

/** Tells whether a source is another than the one from which the catalog has its value. */
export function isSecond({ offer: { source, readAt }, ourSource }: Comparison): boolean {
  const ours = ourSource.toLowerCase();
  return [source, readAt].every((name) => name === null || !ours.includes(name.toLowerCase()));
}
