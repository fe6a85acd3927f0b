import type { RequestOf } from '../../api/operations.ts';

type Query = NonNullable<RequestOf<'GET /admin/v1/tasks'>['query']>;

export const STATES = ['all', 'open', 'failed', 'unknown'] as const;
type OrderState = (typeof STATES)[number];

/** The filter of a list of orders. */
export interface OrderFilter {
  readonly state: OrderState;
  /** Content of the search box; empty = all. */
  readonly search: string;
  readonly engine: string | null;
  readonly withTest: boolean;
}

const SEARCH_AT_MOST = 200;

/** Returns the address of the page that lists the filtered orders. */
export function ordersAddress({ state = 'all', search = '', engine = null, withTest = false }: Partial<OrderFilter>) {
  const query = new URLSearchParams({
    ...(state === 'all' ? {} : { state }),
    ...(search === '' ? {} : { search }),
    ...(engine === null ? {} : { engine }),
    ...(withTest ? { mode: 'all' } : {}),
  }).toString();
  return `/orders${query === '' ? '' : `?${query}`}`;
}

/** Reads the filter from the query of an address. Values that the page cannot show do not filter. */
export function readOrderFilter(address: string): OrderFilter {
  const query = new URLSearchParams(address);
  return {
    state: STATES.find((one) => one === query.get('state')) ?? 'all',
    search: (query.get('search') ?? '').slice(0, SEARCH_AT_MOST),
    engine: query.get('engine'),
    withTest: query.get('mode') === 'all',
  };
}

/** Returns the filter as the query of a request. */
export function queryOf({ search, engine, withTest }: OrderFilter): Pick<Query, 'mode' | 'search' | 'engine'> {
  return {
    mode: withTest ? 'all' : 'live',
    ...(search === '' ? {} : { search }),
    ...(engine === null ? {} : { engine }),
  };
}
