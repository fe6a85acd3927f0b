import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { ForeignPrice, ForeignUnit, Offer } from './offer.ts';
import type { Package } from './packages.ts';

/** A model of @llmgateway/models at one of its sellers; other fields do not matter. */
interface Mapping {
  readonly providerId: string;
  readonly externalId: string;
  readonly deactivatedAt?: string;
  readonly perSecondPrice?: Readonly<Record<string, string>>;
  readonly perImagePrice?: Readonly<Record<string, string>>;
  readonly requestPrice?: string;
  readonly inputPrice?: string;
  readonly imageInputPrice?: string;
  readonly imageOutputPrice?: string;
}

interface GatewayModel {
  readonly id: string;
  readonly output?: readonly string[];
  readonly providers: readonly Mapping[];
}

interface Seller {
  readonly engine: string | null;
  readonly resells?: true;
}

/** By the list's name of the provider. Others sell under cover names, or to no engine: only names are read. */
const SELLERS: Readonly<Record<string, Seller>> = {
  alibaba: { engine: 'dashscope' },
  azure: { engine: 'azure-openai', resells: true },
  bytedance: { engine: 'byteplus' },
  'google-ai-studio': { engine: 'google' },
  'google-vertex': { engine: 'vertex' },
  meta: { engine: null },
  minimax: { engine: 'minimax' },
  openai: { engine: 'openai' },
  xai: { engine: 'xai' },
};
/** Dollars below which the price of a sent image is one of its tokens. */
const LEAST_OF_AN_IMAGE = 0.0001;
const ANY_TIER = 'default';

const run = promisify(execFile);
const LIMITS = { timeout: 60_000, maxBuffer: 50_000_000 };
/** The list is a program: it runs in a process that can read its own folder, and nothing else. */
const PRINT = 'const { models } = await import(process.argv[1]); process.stdout.write(JSON.stringify(models));';

/**
 * Reads @llmgateway/models: the models of images and videos with prices and ends. Its licence lets us compare, and not
 * copy.
 * @throws Error if the package exports no such list
 */
export async function readGatewayModels({ name, folder }: Package): Promise<readonly Offer[]> {
  const entry = pathToFileURL(join(folder, 'package', 'dist', 'index.js')).href;
  const rights = ['--permission', `--allow-fs-read=${folder}`];
  const { stdout } = await run(process.execPath, [...rights, '--input-type=module', '-e', PRINT, entry], {
    ...LIMITS,
    env: {},
  });
  const models = JSON.parse(stdout) as readonly GatewayModel[];
  const media = models.filter(({ output = [] }) => output.includes('image') || output.includes('video'));
  if (media.length === 0) throw new Error('expected models with the output image or video, found none');
  return media.flatMap(({ output, providers }) =>
    providers.map((mapping) => offerOf(name, mapping, output?.includes('video') === true)),
  );
}

function offerOf(source: string, mapping: Mapping, isFilm: boolean): Offer {
  const { providerId, externalId, deactivatedAt } = mapping;
  const seller = SELLERS[providerId];
  const key = `${providerId}/${externalId}`;
  return {
    source,
    key,
    name: externalId,
    engine: seller?.engine ?? null,
    resells: seller === undefined || seller.resells === true,
    prices: seller === undefined ? [] : pricesOf(key, mapping, isFilm),
    endsOn: deactivatedAt?.slice(0, 10) ?? null,
    readAt: null,
  };
}

function pricesOf(key: string, mapping: Mapping, isFilm: boolean): ForeignPrice[] {
  const { perSecondPrice = {}, perImagePrice = {}, requestPrice, inputPrice, imageInputPrice } = mapping;
  const common = { tier: null, size: null, quality: null, sound: null };
  const priced = (field: string, per: ForeignUnit, amount: string | undefined, more: Partial<ForeignPrice> = {}) =>
    Number(amount) > 0 ? [{ ...common, key: `${key}.${field}`, per, amount: Number(amount), ...more }] : [];
  const ofInput = Number(imageInputPrice) < LEAST_OF_AN_IMAGE ? 'input_image_token' : 'input_image';
  const found = [
    ...Object.entries(perSecondPrice).flatMap(([word, amount]) => {
      const [tier = ANY_TIER, track] = word.split('_');
      const sound = track === undefined ? null : track === 'audio';
      return priced(`perSecondPrice.${word}`, 'second', amount, { tier: tier === ANY_TIER ? null : tier, sound });
    }),
    ...Object.entries(perImagePrice).flatMap(([word, amount]) => {
      const [tier = ANY_TIER, quality = null] = word.split('/').reverse();
      return priced(`perImagePrice.${word}`, 'image', amount, { tier: tier === ANY_TIER ? null : tier, quality });
    }),
    ...priced('requestPrice', isFilm ? 'second' : 'image', requestPrice),
    ...priced('imageInputPrice', ofInput, imageInputPrice),
    ...priced('imageOutputPrice', 'output_token', mapping.imageOutputPrice),
    ...priced('inputPrice', 'prompt_token', mapping.imageOutputPrice === undefined ? undefined : inputPrice),
  ];
  // The price of the default resolution is told twice.
  const isTold = (price: ForeignPrice) =>
    price.tier === null &&
    found.some((one) => one.tier !== null && one.amount === price.amount && one.sound === price.sound);
  return found.filter((price) => !isTold(price));
}
