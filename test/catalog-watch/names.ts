import type { CatalogRoute, Model } from '@darkroom-service/contract/catalog';
import { plainModelName, RELEASE_DATE } from '../../src/catalog/decided-models.ts';
import type { Offer } from './offer.ts';

/** Modes of one model. */
const MODE = /(?<=^|[^a-z0-9])[tir]2[vi](?=[^a-z0-9]|$)/g;

/**
 * Returns the words of a name that tell models apart: without vendor, punctuation, dates of release and modes, so that
 * `alibaba/wan-v3.0-t2v` is `wan 3`.
 */
export function comparableName(name: string): string {
  return wordsOf(name.replace(MODE, ''));
}

function wordsOf(name: string): string {
  const last = name.slice(name.lastIndexOf('/') + 1).toLowerCase();
  const words =
    last
      .replace(/:.*$/, '')
      .replace(RELEASE_DATE, '')
      .match(/[a-z]+|\d+/g) ?? [];
  const isVersion = (word: string | undefined) => /^\d/.test(word ?? '');
  return words
    .filter((word, at) => !(word === 'v' && isVersion(words[at + 1])) && !(word === '0' && isVersion(words[at - 1])))
    .join(' ');
}

/**
 * Returns the name of an offer in lower case with hyphens and without dates, such as `wan-v3-0-t2v`. The paths of fal
 * are whole.
 */
export function plainName({ engine, name }: Pick<Offer, 'engine' | 'name'>): string {
  return plainModelName(engine === 'fal' ? name : name.slice(name.lastIndexOf('/') + 1));
}

/** Finds the model of the catalog that an offer means. */
export type FindModel = (offer: Offer) => Model | null;

/**
 * Creates the function that finds the model of an offer.
 * @param same ids of models by the plain names that other sources use
 */
export function createFinder(models: readonly Model[], same: Readonly<Record<string, string>>): FindModel {
  const byId = new Map(models.map((model) => [model.model_id, model]));
  const byName = new Map(models.flatMap((model) => namesOf(model).map((name) => [comparableName(name), model])));
  for (const id of Object.values(same))
    if (!byId.has(id)) throw new Error(`expected names of models of the catalog, found ${id}`);
  return (offer) => {
    const routed = models.find((model) => routesOf(model, offer).length > 0);
    const named = byId.get(same[plainName(offer)] ?? '');
    const alike = offer.engine === 'fal' ? undefined : byName.get(comparableName(offer.name));
    return routed ?? named ?? alike ?? null;
  };
}

/** Returns the routes of a model that an offer is the upstream's own name of. */
export function routesOf({ routes }: Model, { engine, name }: Offer): readonly CatalogRoute[] {
  const isSame = (other: string) => (engine === 'fal' ? other === name : wordsOf(other) === wordsOf(name));
  return routes.filter((route) => route.engine === engine && route.model !== undefined && isSame(route.model));
}

/** The last part of a path at fal is a mode. */
function namesOf({ model_id, aliases, routes }: Model): readonly string[] {
  return [model_id, ...aliases, ...routes.flatMap(({ engine, model }) => (engine === 'fal' || !model ? [] : model))];
}
