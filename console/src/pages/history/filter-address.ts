import { historyTexts } from '../../texts/history.ts';
import { type HistoryFilter, NO_FILTER } from './history-filter.ts';

type Name = keyof HistoryFilter;

/** The names of the filters in the page's address, and the values that the page can show. */
const PARTS: Readonly<Record<Name, { readonly word: string; readonly accepts: (value: string) => boolean }>> = {
  type: { word: 'type', accepts: (value) => value in historyTexts.filters.types },
  search: { word: 'search', accepts: (value) => value.length <= 200 },
  status: { word: 'status', accepts: (value) => isOneOf(historyTexts.filters.statuses, value) },
  modelId: { word: 'model_id', accepts: (value) => value.length <= 64 },
  tag: { word: 'tag', accepts: (value) => value.length <= 40 && value.trim() !== '' },
  endUser: { word: 'end_user', accepts: (value) => value.length <= 128 },
  batchId: { word: 'batch_id', accepts: (value) => value.length <= 64 },
  span: { word: 'span', accepts: (value) => isOneOf(historyTexts.filters.spans, value) },
  from: { word: 'from', accepts: isDay },
  to: { word: 'to', accepts: isDay },
};
const NAMES = Object.keys(PARTS) as readonly Name[];

/** Returns the filter as the query of an address; empty if it filters nothing. */
export function addressOf(filter: HistoryFilter): string {
  const query = new URLSearchParams();
  for (const name of NAMES) if (filter[name] !== NO_FILTER[name]) query.set(PARTS[name].word, filter[name]);
  return query.toString();
}

/** Reads a filter from the query of an address. Values that the page cannot show do not filter. */
export function readFilter(address: string): HistoryFilter {
  const query = new URLSearchParams(address);
  const found = NAMES.flatMap((name) => {
    const value = query.get(PARTS[name].word);
    return value !== null && PARTS[name].accepts(value) ? [[name, value]] : [];
  });
  return { ...NO_FILTER, ...Object.fromEntries(found) };
}

function isOneOf(choices: readonly { readonly value: string }[], value: string): boolean {
  return choices.some((choice) => choice.value === value);
}

function isDay(value: string): boolean {
  return value === '' || (/^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value)));
}
