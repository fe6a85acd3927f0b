import type { TaskView as Task } from '@darkroom-service/contract';
import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useMemo, useRef } from 'react';
import { useLocation } from 'wouter';
import { isoTime } from '../../../api/form-field.ts';
import { useHashQuery } from '../../../api/hash-location.ts';
import { createStore, useStore } from '../../../api/store.ts';

const TYPING_MS = 300;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

export const TYPES = { all: 'All', image: 'Images', video: 'Videos' };
export const STATUSES = [
  { value: '', label: 'Any status' },
  { value: 'queued,processing', label: 'In progress' },
  { value: 'succeeded', label: 'Succeeded' },
  { value: 'failed', label: 'Failed' },
  { value: 'canceled', label: 'Canceled' },
];
export const SPANS = [
  { value: '', label: 'Any time' },
  { value: '1', label: 'Last 24 hours' },
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: 'days', label: 'Between two days' },
];

/** The filter of the wall that shows everything: empty texts do not filter. */
export const NO_FILTER = {
  type: 'all' as 'all' | Task['type'],
  /** Words of the prompt or of the model id, or a task id. */
  search: '',
  /** In the API's format: one status, or several separated by commas. */
  status: '',
  modelId: '',
  tag: '',
  endUser: '',
  batchId: '',
  /** A number of days up to now, `days` for the two dates below, or empty. */
  span: '',
  /** `2026-11-20`, in the reader's time zone. */
  from: '',
  to: '',
};

export type HistoryFilter = Readonly<typeof NO_FILTER>;

const NAMES = Object.keys(NO_FILTER) as readonly (keyof HistoryFilter)[];

export function isFiltered(filter: HistoryFilter): boolean {
  return NAMES.some((name) => filter[name] !== NO_FILTER[name]);
}

/** Returns the number of set filters besides the search. The two dates belong to the span. */
export function filtersSet(filter: HistoryFilter): number {
  return NAMES.filter((name) => !['search', 'from', 'to'].includes(name) && filter[name] !== NO_FILTER[name]).length;
}

/** Returns the filter as query parameters of the API's lists. */
export function queryOf(filter: HistoryFilter): Readonly<Record<string, string | undefined>> {
  const { from, to } = spanOf(filter);
  return {
    search: filter.search.trim() || undefined,
    status: filter.status || undefined,
    model_id: filter.modelId || undefined,
    tag: filter.tag || undefined,
    end_user: filter.endUser || undefined,
    batch_id: filter.batchId || undefined,
    created_after: from,
    created_before: to,
  };
}

function spanOf({ span, from, to }: HistoryFilter): { readonly from?: string; readonly to?: string } {
  if (span === 'days') {
    return {
      ...(from === '' ? {} : { from: isoTime(`${from}T00:00:00`) }),
      ...(to === '' ? {} : { to: isoTime(`${to}T24:00:00`) }),
    };
  }
  // Rounded to the minute, so that all pages of a list have the same query.
  const now = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
  return span === '' ? {} : { from: new Date(now - Number(span) * DAY_MS).toISOString() };
}

const isUpTo = (most: number) => (value: string) => value.length <= most;
const isDay = (value: string) => value === '' || (/^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value)));
/** Tells which values of an address the page can show. */
const ACCEPTS: Readonly<Record<keyof HistoryFilter, (value: string) => boolean>> = {
  type: (value) => value in TYPES,
  search: isUpTo(200),
  status: (value) => STATUSES.some((choice) => choice.value === value),
  modelId: isUpTo(64),
  tag: (value) => value.length <= 40 && value.trim() !== '',
  endUser: isUpTo(128),
  batchId: isUpTo(64),
  span: (value) => SPANS.some((choice) => choice.value === value),
  from: isDay,
  to: isDay,
};

/** Returns the name of a filter in the page's address: `model_id`. */
function wordOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Returns the filter as the query of an address; empty if it filters nothing. */
export function addressOf(filter: HistoryFilter): string {
  const query = new URLSearchParams();
  for (const name of NAMES) if (filter[name] !== NO_FILTER[name]) query.set(wordOf(name), filter[name]);
  return query.toString();
}

/** Reads a filter from the query of an address. Values that the page cannot show do not filter. */
function readFilter(address: string): HistoryFilter {
  const query = new URLSearchParams(address);
  const found = NAMES.map((name) => [name, query.get(wordOf(name))] as const);
  const shown = found.filter(([name, value]) => value !== null && ACCEPTS[name](value));
  return { ...NO_FILTER, ...Object.fromEntries(shown) };
}

/** The filter, kept while other pages are open. */
const filterStore = createStore<HistoryFilter>(NO_FILTER);

/**
 * Returns the filter of the wall, and the one for requests, which follows after a pause in typing. The page's address
 * contains the latter, so that a reload or a sent link shows the same.
 * @param batchId batch in the address, whose tasks are listed
 */
export function useFilter(batchId: string | undefined) {
  const [location, navigate] = useLocation();
  const query = useHashQuery();
  const kept = useStore(filterStore);
  const written = useRef('');
  // Tells an opened address from one that this page wrote itself.
  const isOpened = batchId !== undefined || (query !== '' && query !== written.current);
  const opened = useMemo(
    () => (batchId === undefined ? readFilter(query) : { ...NO_FILTER, batchId }),
    [query, batchId],
  );
  const filter = isOpened ? opened : kept;
  const [asked] = useDebouncedValue(filter, TYPING_MS);
  useEffect(() => {
    if (isOpened) {
      written.current = query;
      filterStore.set(filter);
    }
    const address = addressOf(asked);
    // Not during typing: browsers refuse an address that changes too often.
    if (asked !== filter || (batchId === undefined && address === query)) return;
    written.current = address;
    const path = batchId === undefined ? location : '/';
    navigate(address === '' ? path : `${path}?${address}`, { replace: true });
  }, [isOpened, filter, asked, query, location, batchId, navigate]);
  return { filter, asked, setFilter: filterStore.set };
}
