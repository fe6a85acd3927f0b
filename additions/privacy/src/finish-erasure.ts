import { lockScope } from '@darkroom-service/addition-common/limits/scope-limits';
import type { Claim, Kernel, Transaction } from '@darkroom-service/darkroom/kernel';
import { endWork } from '@darkroom-service/store';
import type { DataRequest } from './data-requests.ts';
import { removeInSlices, removeRows } from './remove-rows.ts';

/** Ends the use of an account before its data are erased: revokes its keys, so that nothing places further orders. */
export async function closeAccount(
  { clock, hooks, store, work }: Pick<Kernel, 'clock' | 'hooks' | 'store' | 'work'>,
  { account_id: accountId }: DataRequest,
): Promise<void> {
  const now = clock.now();
  await store.write('erasure_closes_account', async (trx) => {
    await trx.run(
      trx.builder
        .updateTable('api_keys')
        .set({ revoked_at: now })
        .where('account_id', '=', accountId)
        .where('revoked_at', 'is', null)
        .where('mode', '<>', 'admin'),
    );
    const wake = (kind: Parameters<typeof work.wake>[0]) => trx.afterCommit(() => work.wake(kind));
    for (const { accountClosed } of hooks) await accountClosed?.(trx, accountId, now, wake);
  });
}

/** Removes the rows of a closed account's keys, which may be many, before the unit that ends the erasure. */
export async function removeManyRows(
  { store, hooks }: Pick<Kernel, 'hooks' | 'store'>,
  keys: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  for (const { table, keyColumn, groupColumns } of hooks.flatMap(({ personalTables = [] }) => personalTables))
    if (keyColumn !== undefined && groupColumns === undefined)
      await removeInSlices(store, { table, column: keyColumn, owners: keys }, signal);
}

/**
 * Removes the stored data of the account or the end user besides its orders, and ends the erasure in the same commit.
 * The spending of an end user stays, by the digest that its erased orders keep.
 */
export async function finishErasure(
  kernel: Pick<Kernel, 'accounts' | 'clock' | 'hooks' | 'store'>,
  request: DataRequest,
  keys: readonly string[],
  claim: Claim,
): Promise<void> {
  const { accounts, clock, store } = kernel;
  await store.write('erasure_finishes', async (trx) => {
    const { builder } = trx;
    if (request.end_user !== null) await lockScope(trx, keys, request.end_user);
    if (!(await endWork(trx, claim))) return;
    trx.erases('soon');
    if (keys.length > 0) {
      let endUsers = builder.deleteFrom('end_users').where('api_key_id', 'in', [...keys]);
      if (request.end_user !== null) endUsers = endUsers.where('end_user', '=', request.end_user);
      await trx.run(endUsers);
    }
    if (request.end_user === null) await eraseAccount(kernel, trx, request.account_id, keys, clock.now());
    let exports = builder
      .deleteFrom('data_requests')
      .where('kind', '=', 'export')
      .where('account_id', '=', request.account_id);
    if (request.end_user !== null) exports = exports.where('end_user', '=', request.end_user);
    await trx.run(exports);
    const ended = { end_user: null, completed_at: clock.now(), waiting: 0, cleaned_to: '' };
    await trx.run(builder.updateTable('data_requests').set(ended).where('id', '=', request.id));
    const what = request.end_user_digest === null ? 'account' : 'end_user';
    await accounts.record(
      trx,
      { actor: 'erasure', now: clock.now(), createId: store.createId },
      {
        act: `${what}.erased`,
        target: request.end_user_digest ?? request.account_id,
        detail: { account_id: request.account_id, subject: request.id },
      },
    );
  });
}

/** Erases an account, which keeps its id, its balance and its terms. */
async function eraseAccount(
  { hooks }: Pick<Kernel, 'hooks'>,
  trx: Transaction,
  accountId: string,
  keys: readonly string[],
  now: number,
): Promise<void> {
  const { builder } = trx;
  await trx.run(
    builder
      .updateTable('accounts')
      .set({ name: accountId, webhook_url: null, test_webhook_url: null, deliver_json: null })
      .where('id', '=', accountId),
  );
  await trx.run(
    builder
      .updateTable('api_keys')
      .set(({ ref }) => ({ name: ref('mode') }))
      .where('account_id', '=', accountId)
      .where('mode', '<>', 'admin'),
  );
  for (const { accountErased } of hooks) await accountErased?.(trx, accountId, now);
  // Keys of requests that the revoked keys cannot repeat; hashes of those of orders stay.
  for (const key of keys) {
    await trx.run(builder.deleteFrom('idempotency').where('scope', '=', key));
    // Keys of its client tokens, as a range of the index.
    await trx.run(builder.deleteFrom('idempotency').where('scope', '>', `${key}:`).where('scope', '<', `${key};`));
  }
  for (const { table, accountColumn } of hooks.flatMap(({ personalTables = [] }) => personalTables))
    if (accountColumn !== undefined) await removeRows(trx, table, { [accountColumn]: [accountId] });
}
