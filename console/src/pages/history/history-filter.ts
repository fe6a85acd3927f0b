import type { TaskView as Task } from '@darkroom-service/contract/task';

/** The filter of the history; empty texts do not filter. */
export interface HistoryFilter {
  readonly type: 'all' | Task['type'];
  /** Words of the prompt or of the model id, or a task id. */
  readonly search: string;
  /** In the API's format: one status, or several separated by commas. */
  readonly status: string;
  readonly modelId: string;
  readonly tag: string;
  readonly endUser: string;
  readonly batchId: string;
  /** A number of days up to now, `days` for the two days below, or empty. */
  readonly span: string;
  /** `2026-11-20`, in the reader's time zone. */
  readonly from: string;
  readonly to: string;
}

export const NO_FILTER: HistoryFilter = {
  type: 'all',
  search: '',
  status: '',
  modelId: '',
  tag: '',
  endUser: '',
  batchId: '',
  span: '',
  from: '',
  to: '',
};

export function isFiltered(filter: HistoryFilter): boolean {
  return Object.entries(NO_FILTER).some(([name, value]) => filter[name as keyof HistoryFilter] !== value);
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

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

function spanOf({ span, from, to }: HistoryFilter): { readonly from?: string; readonly to?: string } {
  if (span === 'days') {
    return {
      ...(from === '' ? {} : { from: new Date(`${from}T00:00:00`).toISOString() }),
      ...(to === '' ? {} : { to: new Date(new Date(`${to}T00:00:00`).getTime() + DAY_MS).toISOString() }),
    };
  }
  // Rounded to the minute, so that all pages of a list have the same query.
  const now = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
  return span === '' ? {} : { from: new Date(now - Number(span) * DAY_MS).toISOString() };
}
