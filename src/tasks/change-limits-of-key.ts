import type { Act } from '../accounts/audit.ts';
import { changeKey } from '../accounts/change-key.ts';
import type { KeySettings } from '../accounts/key-settings.ts';
import type { Database } from '../database/database.ts';
import { forgetLimits, lockSlots, refillSlots } from '../queue/fair-queue.ts';
import type { TaskServices } from './task-services.ts';

/**
 * Changes settings of a key, and lets tasks start that a lower concurrency kept waiting.
 * @throws ServiceError as `changeKey`
 */
export async function changeLimitsOfKey(
  services: Pick<TaskServices, 'hooks'> & { readonly database: Pick<Database, 'kind' | 'reports' | 'write'> },
  by: Act,
  keyId: string,
  settings: KeySettings,
): ReturnType<typeof changeKey> {
  return await changeKey(services, by, keyId, settings, {
    before: (trx) => lockSlots(trx, keyId),
    after: async (trx, { old, changed }) => {
      forgetLimits(trx, keyId);
      if (old.concurrency !== changed.concurrency) await refillSlots(trx, keyId, changed.concurrency);
    },
  });
}
