import { hash } from 'node:crypto';
import type { Micros, PriceBasis } from '@darkroom-service/contract';
import type { PricedRoute, Pricing, Quote } from '@darkroom-service/contract/catalog';
import { canonicalJson } from '../base/canonical-json.ts';
import type { Database } from '../database/database.ts';
import { prepare } from '../database/prepared.ts';

/**
 * The tariff of an order as stored: the digest of the price list, the multiplier, and a fixed fee in micro-dollars, or
 * the route whose cost is the price list.
 */
export interface StoredTariff {
  readonly digest: string;
  readonly multiplier: string;
  readonly fixed?: number;
  readonly route?: PricedRoute;
  /** Set if the caller allows dearer routes: the amount of the quote, below the price that is held. */
  readonly consent?: { readonly amount: Micros; readonly share: string };
  /** Set if the order names several models: the amount of the quote at this one, at most the price that is held. */
  readonly amount?: Micros;
}

/** Stands before the route in a stored tariff. */
const AT = 'at';
/** Stands between the tariff and the consent to dearer routes. */
const OR_DEARER = ' or_dearer ';
/** Stands between the tariff and the amount of the quote of an order that names several models. */
const OF_SEVERAL = ' of_several ';

const digests = new WeakMap<Pricing, string>();

function digestOf(pricing: Pricing): string {
  const known = digests.get(pricing);
  if (known !== undefined) return known;
  const digest = hash('sha256', canonicalJson(pricing), 'base64url');
  digests.set(pricing, digest);
  return digest;
}

/** Returns the text of `price_list`. */
export function storedTariff({
  amount,
  basis,
  consent,
  hold,
}: Pick<Quote, 'amount' | 'basis' | 'consent' | 'hold'>): string {
  const { pricing, multiplier, fixed, route } = basis;
  if (hold !== undefined)
    return `${storedTariff({ amount, basis, ...(consent && { consent }) })}${OF_SEVERAL}${amount}`;
  if (consent !== undefined) return `${storedTariff({ amount, basis })}${OR_DEARER}${amount} ${consent.share}`;
  const tariff = `${digestOf(pricing)} ${multiplier}`;
  if (route !== undefined) return `${tariff} ${AT} ${route.engine} ${encodeURIComponent(route.model ?? '')}`;
  return fixed === undefined ? tariff : `${tariff} ${fixed}`;
}

export function readTariff(stored: string): StoredTariff {
  const [ofOne = '', amount] = stored.split(OF_SEVERAL);
  if (amount !== undefined) return { ...readTariff(ofOne), amount: Number(amount) };
  const [listed = '', consent] = stored.split(OR_DEARER);
  if (consent !== undefined) {
    const [amount, share = '1'] = consent.split(' ');
    return { ...readTariff(listed), consent: { amount: Number(amount), share } };
  }
  const [digest = '', multiplier = '1', fixed, engine = '', model = ''] = stored.split(' ');
  if (fixed === AT)
    return { digest, multiplier, route: { engine, model: model === '' ? null : decodeURIComponent(model) } };
  return { digest, multiplier, ...(fixed === undefined ? {} : { fixed: Number(fixed) }) };
}

/**
 * Shows the basis of a price.
 * @param route the route whose cost is the price; absent = the list price counts
 */
export function viewBasis(route: PricedRoute | undefined): PriceBasis {
  return route === undefined ? { basis: 'list' } : { basis: 'route_cost', basis_route: route };
}

interface PriceListRow {
  digest: string;
  list_json: string;
}

const insertList = prepare<PriceListRow, never>('price_list', (builder, argument) =>
  builder
    .insertInto('price_lists')
    .values({ digest: argument('digest'), list_json: argument('list_json') })
    .onConflict((conflict) => conflict.column('digest').doNothing()),
);
const selectList = prepare<{ digest: string }, Pick<PriceListRow, 'list_json'>>('price_list_of', (builder, argument) =>
  builder.selectFrom('price_lists').select('list_json').where('digest', '=', argument('digest')),
);

/** The lists that this process has stored or found in each database. A row is never changed or removed. */
const stored = new WeakMap<Database, Set<string>>();

/** Stores the price list of an order that is about to be placed, once for all orders. */
export async function storePriceList(database: Database, pricing: Pricing): Promise<void> {
  const known = stored.get(database) ?? new Set();
  stored.set(database, known);
  const digest = digestOf(pricing);
  if (known.has(digest)) return;
  if ((await database.read.first(selectList, { digest })) === undefined) {
    const row = { digest, list_json: canonicalJson(pricing) };
    // In a unit of its own: two orders that have locked their accounts could wait for each other here.
    await database.write('price_list', async (trx) => trx.send(insertList, row));
  }
  known.add(digest);
}

/**
 * Reads the price list of an order; null if it is not stored.
 * @param current the current lists of the catalog, of which one is usually the same
 */
export async function priceListOf(
  { read }: Pick<Database, 'read'>,
  digest: string,
  current: readonly Pricing[],
): Promise<Pricing | null> {
  const same = current.find((pricing) => digestOf(pricing) === digest);
  if (same !== undefined) return same;
  const row = await read.first(selectList, { digest });
  return row === undefined ? null : (JSON.parse(row.list_json) as Pricing);
}
