import type { Values } from '../../../api/model.ts';
import { LIGHT_TABLE } from '../../../components/batches/batch-state.tsx';

/** An order of a table, as sent to `POST /v1/batches`. */
export interface BatchEntry {
  readonly name: string;
  readonly operation: 'images' | 'videos' | 'actions';
  readonly body: Values;
}

const LONGEST_NAME = 64;

/**
 * Names an order by its position, so that the files of the batch sort as they are shown: `02-01_flux-2-pro_seed-7`.
 * @param rows number of rows of the table
 */
export function entryName(row: number, column: number, what: string, seed: number | null, rows = 1): string {
  const digits = Math.max(2, String(rows).length);
  const place = [row, column].map((index) => String(index + 1).padStart(digits, '0')).join('-');
  const words = [place, what.replace(/[^A-Za-z0-9.-]/g, '-'), ...(seed === null ? [] : [`seed-${seed}`])];
  return words.join('_').slice(0, LONGEST_NAME);
}

/** Returns row and column of a task by its name; null if it was not ordered as part of a table. */
export function placeOf(name: string | null): { readonly row: number; readonly column: number } | null {
  const found = /^(\d{2,})-(\d{2,})_/.exec(name ?? '');
  return found === null ? null : { row: Number(found[1]) - 1, column: Number(found[2]) - 1 };
}

/** Converts a batch to plain values, which the order book stores. @param limit the price limit; empty = the price */
export function bodyOf(entries: readonly BatchEntry[], title: string, limit: string): Values {
  const orders = entries.map(({ name, operation, body }) => ({ name, operation, body }));
  return { orders, ...(limit === '' ? {} : { max_price: limit }), metadata: { [LIGHT_TABLE]: title } };
}
