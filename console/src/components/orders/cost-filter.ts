import type { RequestOf } from '../../api/operations.ts';

type Query = NonNullable<RequestOf<'GET /admin/v1/costs/orders'>['query']>;

/** Filter of the cost report's orders. */
export type CostFilter = Pick<Query, 'model_id' | 'account_id' | 'engine' | 'note'>;

/** Value of `state` in the address of the orders that the costs count. */
export const SETTLED = 'settled';
export const NOT_KNOWN = 'not known';
export const GROUPS = { model_id: 'Model', account_id: 'Account', engine: 'Engine' };
/** Notes for operators: as a filter, and as a sentence with a number of orders. */
export const NOTES = {
  below_cost: { name: 'Sold below cost', told: (count: string) => `${count} sold below cost` },
  differing: { name: 'Cost other than expected', told: (count: string) => `${count} with a cost other than expected` },
  unsuccessful: { name: 'Failed or canceled', told: (count: string) => `${count} failed or canceled` },
  unknown: { name: 'Outcome unknown', told: (count: string) => `${count} of unknown outcome` },
  without_amount: { name: 'Cost unknown', told: (count: string) => `cost unknown for ${count}` },
};
export const NOTE_NAMES = Object.keys(NOTES) as (keyof typeof NOTES)[];

/** Returns the address of the page that lists the filtered orders. */
export function costOrdersAddress(filter: CostFilter = {}): string {
  return `/orders?${new URLSearchParams({ state: SETTLED, ...(filter as Record<string, string>) }).toString()}`;
}

/** Reads the filter from the query of an address. Values that the page cannot show do not filter. */
export function readCostFilter(address: string): CostFilter {
  const query = new URLSearchParams(address);
  const groups = Object.keys(GROUPS).flatMap((group) =>
    query.has(group) ? [[group, query.get(group)?.slice(0, 64)]] : [],
  );
  const note = NOTE_NAMES.find((one) => one === query.get('note'));
  return { ...Object.fromEntries(groups), ...(note === undefined ? {} : { note }) };
}
