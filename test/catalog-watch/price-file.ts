import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ForeignPrice, ForeignUnit, Offer } from './offer.ts';
import type { Package } from './packages.ts';

/** An entry of LiteLLM's price file; other fields do not matter. */
interface Entry {
  readonly litellm_provider?: string;
  readonly mode?: string;
  readonly deprecation_date?: string;
  readonly source?: string;
  readonly metadata?: { readonly comment?: string };
  readonly [field: string]: unknown;
}

interface Seller {
  /** The engine of the catalog; null if the catalog has none for it. */
  readonly engine: string | null;
  readonly resells?: true;
}

/** By LiteLLM's name of the provider. Of others, only the names of models are read. */
const SELLERS: Readonly<Record<string, Seller>> = {
  azure: { engine: 'azure-openai', resells: true },
  azure_ai: { engine: 'azure-openai', resells: true },
  black_forest_labs: { engine: 'bfl' },
  dashscope: { engine: 'dashscope' },
  fal_ai: { engine: 'fal', resells: true },
  gemini: { engine: 'google' },
  meta: { engine: null },
  minimax: { engine: 'minimax' },
  openai: { engine: 'openai' },
  qwencloud: { engine: 'dashscope' },
  recraft: { engine: 'recraft' },
  runwayml: { engine: 'runway', resells: true },
  tencent: { engine: null },
  'vertex_ai-image-models': { engine: 'vertex' },
  'vertex_ai-language-models': { engine: 'vertex' },
  'vertex_ai-video-models': { engine: 'vertex' },
  vertex_ai: { engine: 'vertex' },
  xai: { engine: 'xai' },
};

/** Vendors have other prices in China, at hosts that the catalog's engines do not call. */
const ANOTHER_REGION = /\bChina \(Beijing\)/;
const MODES = ['image_generation', 'image_edit', 'video_generation'];
const QUALITY = /^(?:low|medium|high|xhigh|max|standard|hd|auto)$/;
const SIZE = /^(\d+)-x-(\d+)$/;
const OTHER_VARIANT = /^(?:max-x-max|(?:\d+|max)-steps)$/;

/** Fields of one price for all resolutions, or with `_` and a resolution behind. */
const FIELDS: readonly (readonly [string, ForeignUnit])[] = [
  ['output_cost_per_video_per_second', 'second'],
  ['output_cost_per_second', 'second'],
  ['output_cost_per_image_token', 'output_token'],
  ['output_cost_per_video_token', 'output_token'],
  ['output_cost_per_image', 'image'],
  ['input_cost_per_image_token', 'input_image_token'],
  ['input_cost_per_image', 'input_image'],
  ['input_cost_per_token', 'prompt_token'],
];
const TIER = /^_(\d+(?:\.\d+)?[kp])$/i;

/**
 * Reads LiteLLM's price file: models that make pictures and films, with prices and the dates of their end.
 * @throws Error if the package has no such file, or another shape.
 */
export async function readPriceFile({ name, folder }: Package): Promise<readonly Offer[]> {
  const text = await readFile(join(folder, 'litellm', 'model_prices_and_context_window_backup.json'), 'utf8');
  const entries = JSON.parse(text) as Readonly<Record<string, Entry>>;
  const offers = Object.entries(entries).flatMap(([key, entry]) =>
    isWanted(entry) ? [offerOf(name, key, entry)] : [],
  );
  if (offers.length === 0) throw new Error('expected models with a mode such as "image_generation", found none');
  const sized = new Set(offers.flatMap(({ engine, name: of, prices }) => (prices[0]?.size ? [`${engine} ${of}`] : [])));
  return offers.map((offer) => {
    // One price beside prices of sizes is that of a size which it does not name.
    const isFallback = sized.has(`${offer.engine} ${offer.name}`) && offer.prices[0]?.size === null;
    return isFallback ? { ...offer, prices: offer.prices.filter(({ per }) => per !== 'image') } : offer;
  });
}

function isWanted({ mode = '', output_cost_per_video_token: filmToken }: Entry): boolean {
  return MODES.includes(mode) || (mode === 'chat' && filmToken !== undefined);
}

function offerOf(source: string, key: string, entry: Entry): Offer {
  const provider = entry.litellm_provider ?? '';
  const seller = SELLERS[provider];
  const parts = key.split('/');
  if (parts.length > 1 && (parts[0] === provider || SELLERS[parts[0] ?? ''] !== undefined)) parts.shift();
  let size: string | null = null;
  let quality: string | null = null;
  while (parts.length > 1) {
    const [first = ''] = parts;
    const sides = SIZE.exec(first);
    if (sides !== null) size = `${sides[1]}x${sides[2]}`;
    else if (QUALITY.test(first)) quality = first;
    else if (!OTHER_VARIANT.test(first)) break;
    parts.shift();
  }
  const isOfRegion = seller !== undefined && !ANOTHER_REGION.test(entry.metadata?.comment ?? '');
  return {
    source,
    key,
    name: parts.join('/'),
    engine: seller?.engine ?? null,
    resells: seller?.resells ?? false,
    prices: isOfRegion ? pricesOf(key, entry).map((price) => ({ ...price, size, quality, sound: null })) : [],
    endsOn: entry.deprecation_date ?? null,
    readAt: entry.source ?? null,
  };
}

function pricesOf(key: string, entry: Entry): Omit<ForeignPrice, 'size' | 'quality' | 'sound'>[] {
  const found = Object.entries(entry).flatMap(([field, amount]) => {
    if (typeof amount !== 'number' || amount <= 0) return [];
    const kind = FIELDS.find(
      ([name]) => field === name || (field.startsWith(name) && TIER.test(field.slice(name.length))),
    );
    if (kind === undefined) return [];
    const tier = TIER.exec(field.slice(kind[0].length))?.[1] ?? null;
    return [{ key: `${key}.${field}`, per: kind[1], amount, tier }];
  });
  const amountsOf = (per: ForeignUnit, isTier: boolean) =>
    found.filter((one) => one.per === per && (!isTier || one.tier !== null)).map(({ amount }) => amount);
  return found.flatMap((price) => {
    // The price of the default resolution, told twice.
    if (price.tier === null && amountsOf(price.per, true).includes(price.amount)) return [];
    if (price.per !== 'input_image' || entry.mode === 'video_generation') return [price];
    // Older entries have the price of a result in the field of an input.
    const ofImages = amountsOf('image', false);
    if (ofImages.length === 0) return [{ ...price, per: 'image' as const }];
    return ofImages.includes(price.amount) ? [] : [price];
  });
}
