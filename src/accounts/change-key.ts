import { errorFromFaults, type KeyView, ServiceError, SPEND_WINDOWS } from '@darkroom-service/contract';
import type { Database, Transaction } from '../database/database.ts';
import { lockKeyRow } from './api-keys.ts';
import { type Act, recordAct } from './audit.ts';
import { differenceOf } from './audited-fields.ts';
import { columnsOf, faultsOf, type KeyRow, type KeySettings, keyView } from './key-settings.ts';
import type { GroupHooks } from './open-groups.ts';
import { lockSpending } from './spend-limits.ts';
import { addSpending } from './spending.ts';
import { spentBeforeLimits, startCounting } from './start-counting.ts';

/**
 * Changes settings of a key; absent ones stay as they are. A new spend limit also counts spending already in its
 * window. A lowered limit ends no order and releases no hold.
 * @param within runs in the same transaction, before and after the change of the row.
 * @throws ServiceError `not_found`; `invalid_request` for wrong values and for a revoked key.
 */
export async function changeKey(
  {
    database,
    hooks,
  }: { readonly database: Pick<Database, 'kind' | 'reports' | 'write'>; readonly hooks: readonly GroupHooks[] },
  by: Act,
  keyId: string,
  settings: KeySettings,
  within: {
    readonly before: (trx: Transaction) => Promise<void>;
    readonly after: (trx: Transaction, key: { readonly old: KeyRow; readonly changed: KeyRow }) => Promise<void>;
  },
): Promise<KeyView> {
  const faults = faultsOf(settings, by.now);
  if (faults.length > 0) throw errorFromFaults(faults);
  const setsSpendLimit = SPEND_WINDOWS.some((window) => (settings.spendLimits?.[window] ?? 0) > 0);
  const spentBefore = setsSpendLimit ? await spentBeforeLimits(database.reports, keyId, by.now) : null;
  return await database.write('change_key', async (trx) => {
    await by.binding?.within(trx, keyId);
    await lockSpending(trx, keyId);
    await within.before(trx);
    const old = await lockKeyRow(trx, keyId);
    if (old.revoked_at !== null)
      throw new ServiceError(
        'invalid_request',
        `Key '${keyId}' was revoked and cannot be changed. Issue a new key instead.`,
      );
    const changed = { ...old, ...columnsOf(settings) };
    const difference = differenceOf(keyView(old), keyView(changed));
    if (difference === null) return keyView(old);
    const isLimited = SPEND_WINDOWS.some(
      (window) => old[`spend_${window}`] === null && changed[`spend_${window}`] !== null,
    );
    if (isLimited && spentBefore !== null) await startCounting(trx, { database, hooks }, keyId, spentBefore, by.now);
    // Otherwise a process that still treats the key as limited would create the row, without the orders of processes
    // that treat it as unlimited.
    if (SPEND_WINDOWS.some((window) => old[`spend_${window}`] !== null)) addSpending(trx, keyId, 0, by.now, true);
    await trx.run(trx.builder.updateTable('api_keys').set(columnsOf(settings)).where('id', '=', keyId));
    await within.after(trx, { old, changed });
    await recordAct(trx, by, { act: 'key.change', target: keyId, detail: { ...difference } });
    return keyView(changed);
  });
}
