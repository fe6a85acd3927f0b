import type { Act } from '../accounts/audit.ts';
import { changeKey } from '../accounts/change-key.ts';
import type { KeySettings } from '../accounts/key-settings.ts';
import type { Database } from '../database/database.ts';
import { lockSlots, refillSlots } from './fair-queue.ts';
import { forgetLimits } from './limits-of-key.ts';

/**
 * Changes settings of a key, and lets tasks start that a lower concurrency kept waiting.
 * @throws ServiceError as `changeKey`
 */
export async function changeLimitsOfKey(
  database: Database,
  by: Act,
  keyId: string,
  settings: KeySettings,
): ReturnType<typeof changeKey> {
  return await changeKey(database, by, keyId, settings, {
    before: (trx) => lockSlots(trx, keyId),
    after: async (trx, { old, changed }) => {
      forgetLimits(trx, keyId);
      if (old.concurrency !== changed.concurrency) await refillSlots(trx, keyId, changed.concurrency);
    },
  });
}
