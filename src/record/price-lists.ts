import { hash } from 'node:crypto';
import type { Pricing, Quote } from '@darkroom-service/contract/catalog';
import { canonicalJson } from '../base/canonical-json.ts';
import type { Database } from '../database/database.ts';
import { prepare } from '../database/prepared.ts';

/** The tariff of an order as stored: the digest of the price list, the multiplier, and a fixed fee in micro-dollars. */
export interface StoredTariff {
  readonly digest: string;
  readonly multiplier: string;
  readonly fixed?: number;
}

type Basis = Quote['basis'];

const digests = new WeakMap<Pricing, string>();

function digestOf(pricing: Pricing): string {
  const known = digests.get(pricing);
  if (known !== undefined) return known;
  const digest = hash('sha256', canonicalJson(pricing), 'base64url');
  digests.set(pricing, digest);
  return digest;
}

/** Returns the text of `price_list`. */
export function storedTariff({ pricing, multiplier, fixed }: Basis): string {
  const tariff = `${digestOf(pricing)} ${multiplier}`;
  return fixed === undefined ? tariff : `${tariff} ${fixed}`;
}

export function readTariff(stored: string): StoredTariff {
  const [digest = '', multiplier = '1', fixed] = stored.split(' ');
  return { digest, multiplier, ...(fixed === undefined ? {} : { fixed: Number(fixed) }) };
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
 * @param current the current list of the catalog, which is usually the same
 */
export async function priceListOf(
  { read }: Pick<Database, 'read'>,
  digest: string,
  current: Pricing | null,
): Promise<Pricing | null> {
  if (current !== null && digestOf(current) === digest) return current;
  const row = await read.first(selectList, { digest });
  return row === undefined ? null : (JSON.parse(row.list_json) as Pricing);
}
