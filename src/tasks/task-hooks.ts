import type { Transaction } from '../database/database.ts';
import type { StoredOutput } from './task.ts';

/**
 * An addition's hooks within units of the core. A hook may read, send statements, and refuse by throwing, which undoes
 * the unit. It waits for nothing but the database: no network and no timer. A unit may run again, and its hooks with
 * it.
 */
export interface TaskHooks {
  /** Customer's data of a task is being erased: by age, or because the customer deleted the task. */
  readonly erased?: (trx: Transaction, task: ErasedTask) => Promise<unknown>;
  /**
   * Once a day, and again while it removes something: removes some of what belongs to tasks that were ordered before
   * this time, all of which are erased. Returns the number of removed rows.
   */
  readonly tidied?: (trx: Transaction, before: number) => Promise<number>;
  /** The addition's tables with data of customers. */
  readonly personalTables?: readonly PersonalTable[];
}

/** A table with data of customers: exports show its rows, and erasures remove them. */
export interface PersonalTable {
  readonly table: string;
  /** The column that names the task of a row. The hook `erased` removes such rows. */
  readonly taskColumn?: string;
  /** The column that names the account of a row. The erasure of an account removes such rows. */
  readonly accountColumn?: string;
  /** The column of the API key. Such a table also has a column `id`. */
  readonly keyColumn?: string;
  /** The column that names a person who signs in. Exports of that person show such rows; erasures leave them. */
  readonly personColumn?: string;
  /** The column with an email address. Exports of the person with this address show such rows, too. */
  readonly emailColumn?: string;
  /** Columns that no export shows, such as secrets. */
  readonly hidden?: readonly string[];
  /** Moves with its account to another cell, and nothing else: exports and erasures leave it out. */
  readonly onlyMoves?: true;
}

interface ErasedTask {
  readonly id: string;
  readonly keyId: string;
  readonly accountId: string;
  /** False if it only grew old. */
  readonly isDeleted: boolean;
  /** Those that it had until now. */
  readonly outputs: readonly StoredOutput[];
}
