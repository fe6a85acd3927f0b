import type { Micros, SpendWindow } from '@darkroom-service/contract';
import type { ApiKey } from '../../accounts/api-key.ts';
import { spentByKey } from '../../accounts/spend-limits.ts';
import { withUsage } from '../../accounts/usage-parts.ts';
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
   * Reports the orders of keys in a span. `report` gets the span that is covered and the rows or sums, as SQL.
   * @example
   * const span = { from: 0, to: 1, endUser: null, sums: 'days' } as const;
   * const covered = await kernel.money.usage(session, [key.id], span, async (covered) => covered);
   */
  usage: typeof withUsage;
}

/** Opens the money for additions. */
export function openMoney({ clock, database, hooks }: Pick<TaskServices, 'clock' | 'database' | 'hooks'>): Money {
  return {
    spent: (key, window, now) => spentByKey(database.read, hooks, key, window, now),
    spendingNow: () => ({ now: clock.now(), hooks }),
    usage: withUsage,
  };
}
