import type { ResolvedRequest } from '@darkroom-service/contract/catalog';
import type { Simulate } from '@darkroom-service/engines';
import type { Route } from './route.ts';
import type { TaskMedia, TaskRow } from './task.ts';
import { mediaOf, quoteOf, requestOf, routeOf, type StoredQuote, simulateOf } from './task-json.ts';

type ReadColumns =
  | 'route_json'
  | 'request_json'
  | 'media_json'
  | 'simulate_json'
  | 'lines_json'
  | 'price_basis_json'
  | 'price_list';

/**
 * A task as the worker uses it: its row, with the contents of the JSON columns that decisions and engines need.
 * `operation_json` stays a text, because only the engine that wrote it reads it.
 */
export interface TaskRecord extends Omit<TaskRow, ReadColumns> {
  /** The progress that the task shows. */
  progress: number;
  /** The frozen route. */
  route: Route;
  /** The request as engines receive it; empty once the order is erased. */
  request: ResolvedRequest;
  /** The references, fetched or not. */
  media: readonly TaskMedia[];
  simulate: Simulate | null;
  quote: StoredQuote;
}

/** Reads a row once, when a worker takes the task. Lists and views read only the columns that they show. */
export function readTask(row: TaskRow): TaskRecord {
  return {
    // With its JSON texts: V8 copies a whole row in a fraction of the time that it needs to leave columns out.
    ...row,
    route: routeOf(row),
    request: requestOf(row),
    media: mediaOf(row),
    simulate: simulateOf(row),
    quote: quoteOf(row),
  };
}
