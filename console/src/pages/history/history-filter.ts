import type { Task } from '../../api/types.ts';

/** What the history is narrowed to; empty texts narrow nothing. */
export interface HistoryFilter {
  readonly type: 'all' | Task['type'];
  /** As the interface takes it: one status, or several with commas. */
  readonly status: string;
  readonly modelId: string;
  readonly endUser: string;
  /** The last so many days, `days` for the two days below, or empty. */
  readonly span: string;
  /** `2026-11-20`, in the reader's time zone. */
  readonly from: string;
  readonly to: string;
}

export const NO_FILTER: HistoryFilter = {
  type: 'all',
  status: '',
  modelId: '',
  endUser: '',
  span: '',
  from: '',
  to: '',
};

export function isFiltered(filter: HistoryFilter): boolean {
  return Object.entries(NO_FILTER).some(([name, value]) => filter[name as keyof HistoryFilter] !== value);
}

/** The filter as the lists of the interface take it. */
export function queryOf(filter: HistoryFilter): Readonly<Record<string, string | undefined>> {
  const { from, to } = spanOf(filter);
  return {
    status: filter.status || undefined,
    model_id: filter.modelId || undefined,
    end_user: filter.endUser || undefined,
    created_after: from,
    created_before: to,
  };
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

function spanOf({ span, from, to }: HistoryFilter): { readonly from?: string; readonly to?: string } {
  if (span === 'days') {
    return {
      ...(from === '' ? {} : { from: new Date(`${from}T00:00:00`).toISOString() }),
      ...(to === '' ? {} : { to: new Date(new Date(`${to}T00:00:00`).getTime() + DAY_MS).toISOString() }),
    };
  }
  // To the minute, so that pages of one list ask the same.
  const now = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
  return span === '' ? {} : { from: new Date(now - Number(span) * DAY_MS).toISOString() };
}
