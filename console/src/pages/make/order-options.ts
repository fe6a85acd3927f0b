import type { Values } from '../../api/model.ts';
import type { Pair } from '../../components/fields/pairs-field.tsx';
import { studioTexts } from '../../texts/studio.ts';
import { faultOfLimit } from './order/price-words.ts';

/** The options of every order, besides the model's fields. Empty = not sent. */
export const NO_OPTIONS = {
  /** US dollars, as typed. */
  maxPrice: '',
  /** Whether dearer upstreams may make the order, up to the price limit. */
  allowDearer: false,
  endUser: '',
  webhookUrl: '',
  /** Name-value pairs in the order of entry; a name may still be missing. */
  metadata: [] as readonly Pair[],
};

export type OrderOptions = Readonly<typeof NO_OPTIONS>;
export type OptionFaults = Readonly<Partial<Record<keyof OrderOptions, string>>>;

export const MOST_PAIRS = 16;
export const LONGEST = { endUser: 128, name: 40, value: 500 };
/** Names of the options in the API. */
export const OPTION_NAMES: Readonly<Record<keyof OrderOptions, string>> = {
  maxPrice: 'max_price',
  allowDearer: 'allow_dearer',
  endUser: 'end_user',
  webhookUrl: 'webhook_url',
  metadata: 'metadata',
};

/** Returns the set options in the API's format. */
export function optionFields(options: OrderOptions): Values {
  const { maxPrice, endUser, webhookUrl, metadata } = options;
  const pairs = metadata.filter(({ name }) => name !== '');
  return {
    ...(maxPrice === '' ? {} : { max_price: maxPrice }),
    ...consentFields(options),
    ...(endUser === '' ? {} : { end_user: endUser }),
    ...(webhookUrl === '' ? {} : { webhook_url: webhookUrl }),
    ...(pairs.length === 0 ? {} : { metadata: Object.fromEntries(pairs.map(({ name, value }) => [name, value])) }),
  };
}

/** Returns the consent to dearer upstreams in the API's format: it changes the price, and needs a valid limit. */
export function consentFields({ maxPrice, allowDearer }: Pick<OrderOptions, 'maxPrice' | 'allowDearer'>): Values {
  const isAllowed = allowDearer && maxPrice !== '' && faultOfLimit(maxPrice, undefined) === undefined;
  return isAllowed ? { max_price: maxPrice, allow_dearer: true } : {};
}

/**
 * Returns an error text per option; empty if all are valid.
 * @param price the price of the order, if known, to compare with the limit
 */
export function faultsOfOptions(options: OrderOptions, price: string | undefined): OptionFaults {
  const { maxPrice, webhookUrl, metadata } = options;
  const limitFault = faultOfLimit(maxPrice, price);
  const names = metadata.map(({ name }) => name).filter((name) => name !== '');
  return {
    ...(limitFault === undefined ? {} : { maxPrice: limitFault }),
    ...(webhookUrl === '' || isWebAddress(webhookUrl) ? {} : { webhookUrl: studioTexts.urlFault }),
    ...(metadata.some(({ name, value }) => name === '' && value !== '') ? { metadata: 'A value needs a name.' } : {}),
    ...(new Set(names).size < names.length ? { metadata: 'Each name can be used only once.' } : {}),
  };
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);
}
