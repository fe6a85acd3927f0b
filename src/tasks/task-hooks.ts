import type { Micros } from '@darkroom-service/contract';
import { type RawBuilder, sql } from 'kysely';
import type { OrderingKey } from '../accounts/api-key.ts';
import type { GroupHooks } from '../accounts/open-groups.ts';
import type { Session, Transaction } from '../database/database.ts';
import type { WorkKind } from '../database/work.ts';
import type { StoredOutput, TaskRow } from '../record/task.ts';

/**
 * An addition's hooks within units of the core. A hook may read, send statements, and refuse by throwing, which undoes
 * the unit. It waits for nothing but the database: no network and no timer. A unit may run again, and its hooks with
 * it.
 */
export interface TaskHooks extends GroupHooks {
  /**
   * Called when orders of one key are about to be placed, and nothing is written yet: may read, refuse by throwing, and
   * lock end users, after the spending of the key. `spending` sums the prices of the orders of each end user; empty =
   * they name none. `hooks` are those of all additions. Returns null if there is nothing to wait for.
   */
  readonly admit?: (
    trx: Transaction,
    key: OrderingKey,
    spending: () => ReadonlyMap<string, Micros>,
    now: number,
    hooks: readonly TaskHooks[],
  ) => Promise<unknown> | null;
  /** Called when customer's data of a task is being erased: by age, or because the customer deleted the task. */
  readonly erased?: (
    trx: Transaction,
    task: ErasedTask,
    /** Wakes the queue of a kind of work once the unit is on disk. */
    wakeAfterCommit: (kind: WorkKind) => void,
  ) => Promise<unknown>;
  /**
   * Removes everything that belongs to these tasks or groups of them: their rows have been removed in this unit, or
   * their customer asked for the erasure of all data.
   */
  readonly forgotten?: (trx: Transaction, subjects: readonly string[]) => Promise<unknown>;
  /** Called when an account is going to be erased, and its keys are revoked: stops the sources of further orders. */
  readonly accountClosed?: (
    trx: Transaction,
    accountId: string,
    now: number,
    /** Wakes the queue of a kind of work once the unit is on disk. */
    wakeAfterCommit: (kind: WorkKind) => void,
  ) => Promise<unknown>;
  /**
   * Removes the addition's data of an account that is erased, besides its orders and its `personalTables`. `now` is in
   * milliseconds.
   */
  readonly accountErased?: (trx: Transaction, accountId: string, now: number) => Promise<unknown>;
  /** Yields the rows of a key's orders that are placed and paid, but are no rows of `tasks` yet, some at a time. */
  readonly unplaced?: (read: Session, keyId: string) => AsyncIterable<readonly TaskRow[]>;
  /** Reads the groups of orders in bulk (`tasks.line` = 1), by order: once for a page of orders. */
  readonly groupsOf?: (session: Session, taskIds: readonly string[]) => Promise<ReadonlyMap<string, GroupPlace>>;
  /** Selects the ids of the orders of a group, each as `task_id`; without such a group, it selects nothing. */
  readonly ordersOfGroup?: (groupId: string) => RawBuilder<{ readonly task_id: string }>;
  /** Condition on a row of `tasks` while the addition needs it: neither the row nor its files are removed. */
  readonly needs?: RawBuilder<boolean>;
  /** Condition on a row of `tasks` while the addition needs the row, although its files are removed by age. */
  readonly needsRow?: RawBuilder<boolean>;
  /** The addition's tables with data of customers. */
  readonly personalTables?: readonly PersonalTable[];
}

/** Returns the condition on a row of `tasks` while some addition needs it and its files. */
export function neededBy(hooks: readonly TaskHooks[]): RawBuilder<boolean> {
  return anyOf(hooks.flatMap(({ needs }) => needs ?? []));
}

/** Returns the condition on a row of `tasks` while some addition needs the row, with its files or without them. */
export function rowNeededBy(hooks: readonly TaskHooks[]): RawBuilder<boolean> {
  return anyOf(hooks.flatMap(({ needs, needsRow }) => [needs ?? [], needsRow ?? []].flat()));
}

function anyOf(conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> {
  return sql`(${sql.join([sql`1 = 0`, ...conditions], sql` or `)})`;
}

/** The group to which an order belongs, such as a batch, and its name there. */
export interface GroupPlace {
  readonly id: string;
  /** The name by which other orders of the group may use it; null = none, or erased. */
  readonly name: string | null;
}

/** A table with data of customers: exports show its rows, and erasures remove them. */
export interface PersonalTable {
  readonly table: string;
  /** The column that names the task of a row. The hook `erased` removes such rows. */
  readonly taskColumn?: string;
  /**
   * The column that names the account of a row. The erasure of an account removes such rows. If there is a
   * `taskColumn` too, exports show the rows with their tasks.
   */
  readonly accountColumn?: string;
  /**
   * The column of the API key. Such a table also has a column `id`. If there is a `taskColumn` too, the erasure of a
   * customer removes the rows of its tasks, exports of an end user show the rows with its tasks, and those of an
   * account show all rows of its keys.
   */
  readonly keyColumn?: string;
  /**
   * The columns that exports of an end user show of the groups of its orders, which may have orders of others. Exports
   * of an account show the rows by their `keyColumn`; erasures leave them to the hooks `forgotten` and `accountErased`.
   */
  readonly groupColumns?: readonly string[];
  /** The column that names a person who signs in. Exports of that person show such rows; erasures leave them. */
  readonly personColumn?: string;
  /** The column with an email address. Exports of the person with this address show such rows, too. */
  readonly emailColumn?: string;
  /** Columns that no export shows, such as secrets. */
  readonly hidden?: readonly string[];
}

interface ErasedTask {
  readonly id: string;
  readonly keyId: string;
  readonly accountId: string;
  /** False if it is erased by age. */
  readonly isDeleted: boolean;
  /** Outputs that the task had until now. */
  readonly outputs: readonly StoredOutput[];
}
