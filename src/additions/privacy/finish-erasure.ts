import { lockScope } from '../../accounts/scope-limits.ts';
import { type Claim, endWork, recordAct, type TaskServices, type Transaction } from '../../kernel.ts';
import type { DataRequest } from './data-requests.ts';
import { removeRows } from './remove-rows.ts';

/** Ends the use of an account before its data goes: revokes its keys and cancels its batches. */
export async function closeAccount(
  { database, clock, wakeWork }: Pick<TaskServices, 'database' | 'clock' | 'wakeWork'>,
  { account_id: accountId }: DataRequest,
): Promise<void> {
  await database.write('erasure_closes_account', async (trx) => {
    const { builder } = trx;
    await trx.run(
      builder
        .updateTable('api_keys')
        .set({ revoked_at: clock.now() })
        .where('account_id', '=', accountId)
        .where('revoked_at', 'is', null)
        .where('mode', '<>', 'admin'),
    );
    const keys = builder.selectFrom('api_keys').select('id').where('account_id', '=', accountId);
    const open = await trx.all(
      builder
        .updateTable('batches')
        .set({ cancel_requested_at: clock.now() })
        .where('api_key_id', 'in', keys)
        .where('status', '=', 'processing')
        .where('cancel_requested_at', 'is', null)
        .returning('id'),
    );
    trx.afterCommit(() => {
      for (const { id } of open) wakeWork('batch', id);
    });
  });
}

/**
 * Removes what is stored of the account or the end user beside its orders, and ends the erasure in the same commit.
 * What an end user has spent stays, by the digest that its erased orders keep.
 */
export async function finishErasure(
  services: Pick<TaskServices, 'clock' | 'createId' | 'database' | 'hooks'>,
  request: DataRequest,
  keys: readonly string[],
  claim: Claim,
): Promise<void> {
  const { clock, createId, database } = services;
  await database.write('erasure_finishes', async (trx) => {
    const { builder } = trx;
    if (request.end_user !== null) await lockScope(trx, keys, request.end_user);
    if (!(await endWork(trx, claim))) return;
    if (keys.length > 0) {
      let endUsers = builder.deleteFrom('end_users').where('api_key_id', 'in', [...keys]);
      if (request.end_user !== null) endUsers = endUsers.where('end_user', '=', request.end_user);
      await trx.run(endUsers);
    }
    if (request.end_user === null) await eraseAccount(services, trx, request.account_id, keys, clock.now());
    let exports = builder
      .deleteFrom('data_requests')
      .where('kind', '=', 'export')
      .where('account_id', '=', request.account_id);
    if (request.end_user !== null) exports = exports.where('end_user', '=', request.end_user);
    await trx.run(exports);
    const ended = { end_user: null, completed_at: clock.now(), waiting: 0, cleaned_to: '' };
    await trx.run(builder.updateTable('data_requests').set(ended).where('id', '=', request.id));
    const what = request.end_user_digest === null ? 'account' : 'end_user';
    await recordAct(
      trx,
      { actor: 'erasure', now: clock.now(), createId },
      {
        act: `${what}.erased`,
        target: request.end_user_digest ?? request.account_id,
        detail: { account_id: request.account_id, subject: request.id },
      },
    );
  });
}

/** The account keeps its id, its balance and its terms. */
async function eraseAccount(
  { hooks }: Pick<TaskServices, 'hooks'>,
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
  // Of batches whose tasks age has removed, too.
  await trx.run(
    builder
      .updateTable('batches')
      .set({ metadata_json: '{}', webhook_url: null, deliver_json: null })
      .where('account_id', '=', accountId),
  );
  for (const { accountErased } of hooks) await accountErased?.(trx, accountId, now);
  // Keys of requests that the revoked keys cannot repeat; hashes of those of orders stay.
  for (const key of keys)
    await trx.run(
      builder
        .deleteFrom('idempotency')
        .where(({ or, eb }) => or([eb('scope', '=', key), eb('scope', 'like', `${key}:%`)])),
    );
  for (const { table, accountColumn, keyColumn } of hooks.flatMap(({ personalTables = [] }) => personalTables)) {
    if (accountColumn !== undefined) await removeRows(trx, table, { [accountColumn]: [accountId] });
    if (keyColumn !== undefined) await removeRows(trx, table, { [keyColumn]: keys });
  }
}
