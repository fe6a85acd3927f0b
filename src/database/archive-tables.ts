import type { Fixed } from './column.ts';

/** A file of finished tasks with their ledger entries, Idempotency-Keys and costs, whose rows are deleted. */
export interface ArchivesTable {
  id: Fixed<string>;
  /** The UTC month in which the tasks were created, such as `2026-03`. */
  month: Fixed<string>;
  storage_key: Fixed<string>;
  tasks: Fixed<number>;
  bytes: Fixed<number>;
  /** Of the file, in hexadecimal. */
  sha256: Fixed<string>;
  created_at: Fixed<number>;
  /** How many of its tasks have no rows any more. */
  moved: number;
  /** When the last of them was moved; null = some still have rows. */
  done_at: number | null;
}

export type ArchivedKind = 'balance' | 'key' | 'end_user' | 'batch';

/** What archived tasks add to sums that are otherwise taken from rows. */
export interface ArchivedSumsTable {
  kind: Fixed<ArchivedKind>;
  /** Account and mode; the key; key and digest of the end user; the batch. */
  name: Fixed<string>;
  /** For end users a time of the orders, otherwise 0. */
  at: Fixed<number>;
  /** Ledger entries for a balance, otherwise tasks. */
  count: number;
  price: number;
  /** The sum of the entries for a balance, otherwise what was charged. */
  amount: number;
}
