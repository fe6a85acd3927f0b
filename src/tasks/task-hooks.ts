import type { Transaction } from '../database/database.ts';
import type { StoredOutput, TaskRow } from './task.ts';

/**
 * What an addition does within the units of the core that change a task. A hook may read, send statements, and refuse
 * by throwing, which undoes the unit. It waits for nothing but the database: no network and no timer. A unit may run
 * again, and its hooks with it.
 */
export interface TaskHooks {
  /** Customer's data of a task is being erased: by age, or because the customer deleted the task. */
  readonly erased?: (trx: Transaction, task: ErasedTask) => Promise<unknown>;
  /** A task has succeeded, and its row says so. */
  readonly succeeded?: (trx: Transaction, task: SucceededTask) => Promise<unknown>;
}

interface SucceededTask extends Pick<TaskRow, 'id' | 'account_id'> {
  readonly outputs: readonly StoredOutput[];
}

interface ErasedTask {
  readonly id: string;
  readonly keyId: string;
  readonly accountId: string;
  /** Those that it had until now. */
  readonly outputs: readonly StoredOutput[];
}
