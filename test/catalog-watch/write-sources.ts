import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { CatalogFile, Entry, Model } from '@darkroom-service/contract/catalog';
import { standardPrices } from '../../src/catalog/batch-lane.ts';
import type { Comparison } from './compare.ts';

type Sources = NonNullable<Entry['price_sources']>;

/** Sources of a run of the watch, and the comparisons that agree with the catalog. */
export interface Agreed {
  /** Comparisons with sources from which the catalog has not read its own value. */
  readonly agreed: readonly Comparison[];
  readonly read: readonly { readonly name: string; readonly version: string }[];
  /** The day on which the sources were read, `2026-11-30`. */
  readonly today: string;
}

/** Counts of prices in the catalog's files. */
export interface StatedPrices {
  readonly all: number;
  /** Prices that a source states. */
  readonly stated: number;
}

/**
 * Writes into each entry of the catalog's files who states its prices: the source of the preferred route's cost, where
 * that is the same amount, and the sources of the watch that agree.
 */
export async function writePriceSources(
  directory: string,
  models: readonly Model[],
  agreed: Agreed,
): Promise<StatedPrices> {
  const byId = new Map(models.map((model) => [model.model_id, model]));
  let [all, stated] = [0, 0];
  for (const name of globSync('*.json', { cwd: directory }).sort()) {
    const content = JSON.parse(await readFile(join(directory, name), 'utf8')) as Partial<CatalogFile>;
    if (content.models === undefined) continue;
    const entries = content.models.map((entry) => {
      const model = byId.get(entry.model_id);
      const sources = [...vendorSource(entry), ...(model === undefined ? [] : secondSources(model, agreed))];
      all += entry.pricing.components.length;
      stated += new Set(sources.flatMap(({ prices }) => prices)).size;
      return withSources(entry, sources);
    });
    await writeFile(join(directory, name), `${JSON.stringify({ ...content, models: entries }, null, 2)}\n`);
  }
  return { all, stated };
}

function vendorSource({ pricing, routes: [preferred] }: Entry): Sources {
  const cost = preferred?.cost;
  if (cost === undefined || 'unknown' in cost) return [];
  const prices = pricing.components.flatMap((component, at) =>
    cost.components.some((one) => isDeepStrictEqual(one, component)) ? [at + 1] : [],
  );
  return prices.length === 0 ? [] : [{ source: cost.source, as_of: cost.as_of, prices }];
}

function secondSources(model: Model, { agreed, read, today }: Agreed): Sources {
  const own = standardPrices(model);
  return read.flatMap(({ name, version }) => {
    const same = agreed.filter(({ offer, of }) => offer.source === name && of === `price of ${model.model_id}`);
    const named = new Set(same.flatMap(({ components }) => components));
    const prices = own.flatMap((component, at) => (named.has(component) ? [at + 1] : []));
    // The version of a repository is a day already.
    const isDay = /^\d{4}-\d\d-\d\d$/.test(version);
    const source = isDay ? name : `${name} ${version}`;
    return prices.length === 0 ? [] : [{ source, as_of: isDay ? version : today, prices }];
  });
}

/** Returns the entry with these sources behind its prices. */
function withSources({ price_sources: _, ...entry }: Entry, sources: Sources): object {
  return Object.fromEntries(
    Object.entries(entry).flatMap(([name, value]) =>
      name === 'pricing' && sources.length > 0
        ? [
            [name, value],
            ['price_sources', sources],
          ]
        : [[name, value]],
    ),
  );
}
