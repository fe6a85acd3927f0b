import type { Micros, SpendWindow } from '@darkroom-service/contract';
import type { ApiKey, OrderingKey } from '../../accounts/api-key.ts';
import { keysOfAccount, type ReportScope } from '../../accounts/report-scope.ts';
import { spentByKey } from '../../accounts/spend-limits.ts';
import { withUsage } from '../../accounts/usage-parts.ts';
import type { Session } from '../../database/database.ts';
import type { TaskServices } from '../../tasks/task-services.ts';

/** Charges, limits and reports. All amounts are micro-dollars. */
export interface Money {
  /**
   * Returns the amount that a key has spent or holds in the window of a time.
   * @example const spent = await kernel.money.spent(key, 'month', kernel.clock.now());
   */
  spent(key: Pick<ApiKey, 'id' | 'timezone'>, window: SpendWindow, now: number): Promise<Micros>;
  /**
   * Returns the time for which the spending of end users is read, with what reads it.
   * @example const { now } = kernel.money.spendingNow();
   */
  spendingNow(): { readonly now: number; readonly hooks: TaskServices['hooks'] };
  /**
   * Returns the ids of the keys that a report covers: that of the caller, or all of its account.
   * @example const ids = await kernel.money.keys(key, 'account');
   */
  keys(key: OrderingKey, scope: ReportScope, session?: Session): Promise<readonly string[]>;
  /**
   * Reports the orders of keys in a span. `report` gets the span that is covered and the rows or sums, as SQL.
   * @example
   * const span = { from: 0, to: 1, endUser: null, sums: 'days' } as const;
   * const covered = await kernel.money.usage(session, [key.id], span, async (covered) => covered);
   */
  usage: typeof withUsage;
  /**
   * Price of an order at an engine of its account: micro-dollars, and a share of the catalog's price.
   * @example const { amount } = kernel.money.instanceFee;
   */
  readonly instanceFee: TaskServices['settings']['instanceFee'];
}

/** Opens the money for additions. */
export function openMoney({
  clock,
  database,
  hooks,
  settings,
}: Pick<TaskServices, 'clock' | 'database' | 'hooks' | 'settings'>): Money {
  return {
    spent: (key, window, now) => spentByKey(database.read, hooks, key, window, now),
    spendingNow: () => ({ now: clock.now(), hooks }),
    keys: async (key, scope, session = database.read) =>
      scope === 'key' ? [key.id] : await keysOfAccount(session, key),
    usage: withUsage,
    instanceFee: settings.instanceFee,
  };
}
