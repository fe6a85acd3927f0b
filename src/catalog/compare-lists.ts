import type { Model } from '@darkroom-service/contract/catalog';
import type { ListedModels } from '@darkroom-service/engines';
import { plainModelName } from './decided-models.ts';

/** An upstream's own list of models, compared with the routes to it. */
export interface ListComparison {
  /** Models of routes that the upstream no longer has. */
  readonly gone: readonly string[];
  /** The times at which the upstream ends models of routes, ISO 8601. */
  readonly ends: ReadonlyMap<string, string>;
  /** Models of images or videos that the upstream lists and the catalog neither offers nor has decided about. */
  readonly lacking: readonly string[];
}

/** Upstreams that list models of all kinds say nothing of the kind but by the name. */
const MAKES_MEDIA = /image|imagine|imagen|banana|video|veo|sora|seedream|seedance/;

/**
 * Compares a list with the catalog.
 * @param kind of engine
 * @param isDecided whether a model of others is known and not offered
 */
export function compareList(
  models: readonly Model[],
  kind: string,
  listed: ListedModels,
  isDecided: (name: string) => boolean,
): ListComparison {
  const ends = routedModels(models, kind).flatMap(({ name }) => {
    const end = listed.get(name) ?? null;
    return end === null ? [] : [[name, end] as const];
  });
  return {
    gone: goneModels(models, kind, new Set(listed.keys())),
    ends: new Map(ends),
    lacking: lackingModels(models, [...listed.keys()], isDecided),
  };
}

/** Returns the names of models of a kind of engine, as the routes have them. */
export function routedNames(models: readonly Model[], kind: string): readonly string[] {
  return [...new Set(routedModels(models, kind).map(({ name }) => name))];
}

/**
 * Returns the upstream models of the routes of a kind of engine that its list lacks. A list without any of our images
 * proves nothing about images, and one without any of our videos nothing about videos: some upstreams list them
 * elsewhere. A dated version counts as its model.
 */
export function goneModels(models: readonly Model[], kind: string, listed: ReadonlySet<string>): string[] {
  const all = [...listed];
  const isListed = (name: string) => listed.has(name) || all.some((one) => one.startsWith(`${name}-`));
  return (['image', 'video'] as const).flatMap((type) => {
    const names = routedModels(models, kind).flatMap((one) => (one.type === type ? [one.name] : []));
    const missing = [...new Set(names)].filter((name) => !isListed(name));
    return missing.length === new Set(names).size ? [] : missing;
  });
}

/** Names with a vendor's name before them are those of sellers of others' models, who list thousands. */
function lackingModels(
  models: readonly Model[],
  listed: readonly string[],
  isDecided: (name: string) => boolean,
): string[] {
  const ours = models.flatMap(({ model_id, aliases, routes }) => [
    model_id,
    ...aliases,
    ...routes.flatMap(({ model }) => model ?? []),
  ]);
  const plain = new Set(ours.map(plainModelName));
  const isOurs = (name: string) => plain.has(plainModelName(name)) || ours.some((one) => name.startsWith(`${one}-`));
  return listed.filter((name) => !name.includes('/') && MAKES_MEDIA.test(name) && !isOurs(name) && !isDecided(name));
}

function routedModels(models: readonly Model[], kind: string): { readonly type: string; readonly name: string }[] {
  return models
    .filter(({ status }) => status !== 'retired')
    .flatMap(({ type, routes }) => routes.map((route) => ({ type, route })))
    .flatMap(({ type, route: { engine, model } }) =>
      engine === kind && model !== undefined ? [{ type, name: model }] : [],
    );
}
