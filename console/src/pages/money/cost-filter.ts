import type { RequestOf } from '../../api/operations.ts';
import { operationsTexts } from '../../texts/operations.ts';

type Query = NonNullable<RequestOf<'GET /admin/v1/costs/orders'>['query']>;

/** Which orders of the cost report are listed. */
export type CostFilter = Pick<Query, 'model_id' | 'account_id' | 'engine' | 'note'>;

export const NOTES = ['below_cost', 'differing', 'unsuccessful', 'unknown', 'without_amount'] as const;
const GROUPS = Object.keys(operationsTexts.costs.groups) as (keyof typeof operationsTexts.costs.groups)[];

/** Returns the page that lists them. */
export function costOrdersAddress(filter: CostFilter = {}): string {
  const query = new URLSearchParams(filter as Record<string, string>).toString();
  return `/money/settled${query === '' ? '' : `?${query}`}`;
}

/** Reads the filter from the query of an address. What the page cannot show does not filter. */
export function readCostFilter(address: string): CostFilter {
  const query = new URLSearchParams(address);
  const groups = GROUPS.flatMap((group) => (query.has(group) ? [[group, query.get(group)?.slice(0, 64)]] : []));
  const note = NOTES.find((one) => one === query.get('note'));
  return { ...Object.fromEntries(groups), ...(note === undefined ? {} : { note }) };
}
