import type { Transaction } from '../database/database.ts';

/**
 * What an addition does within units of the core. A hook may read, send statements, and refuse
 * by throwing, which undoes the unit. It waits for nothing but the database: no network and no timer. A unit may run
 * again, and its hooks with it.
 */
export interface TaskHooks {
  /** Customer's data of a task is being erased: by age, or because the customer deleted the task. */
  readonly erased?: (trx: Transaction, task: { readonly id: string; readonly keyId: string }) => Promise<unknown>;
  /**
   * Once a day, and again while it removes something: removes some of what belongs to tasks that were ordered before
   * this time, all of which are erased. Returns the number of removed rows.
   */
  readonly tidied?: (trx: Transaction, before: number) => Promise<number>;
}
