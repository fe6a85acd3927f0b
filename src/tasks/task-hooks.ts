import type { Transaction } from '../database/database.ts';
import type { StoredOutput, TaskRow } from './task.ts';

/**
 * What an addition does within the units of the core that change a task. A hook may read, send statements, and refuse
 * by throwing, which undoes the unit. It waits for nothing but the database: no network and no timer. A unit may run
 * again, and its hooks with it.
 */
export interface TaskHooks {
  /** A task ends. */
  readonly settled?: (trx: Transaction, task: SettledTask, ending: Settled) => Promise<void> | void;
  /** Customer's data of a task is being erased: by age, or because the customer deleted the task. */
  readonly erased?: (trx: Transaction, task: ErasedTask) => Promise<unknown>;
}

type SettledTask = Pick<TaskRow, 'id' | 'api_key_id' | 'account_id'>;

interface Settled {
  readonly status: 'succeeded' | 'failed' | 'canceled';
  /** Left out unless it succeeded. */
  readonly outputs?: readonly StoredOutput[];
}

interface ErasedTask {
  readonly id: string;
  readonly keyId: string;
  readonly accountId: string;
  /** Those that it had until now. */
  readonly outputs: readonly StoredOutput[];
}
