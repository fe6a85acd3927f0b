import { ServiceError } from '@darkroom-service/contract';
import type { OrderingKey } from '../../accounts/api-key.ts';
import { findKeyById } from '../../accounts/keyring.ts';
import { isBatch } from '../../accounts/list-ledger.ts';
import type { Session } from '../../database/database.ts';

/**
 * Returns the key that ordered a task or a batch, if it is of the caller's account and mode. For callers whose right to
 * see the whole account was proved.
 * @throws ServiceError `task_not_found` or `not_found`
 */
export async function ownerInAccount(
  session: Session,
  { account, mode }: OrderingKey,
  what: 'order' | 'batch',
  id: string,
): Promise<OrderingKey> {
  const { builder } = session;
  // One hold stands for all orders of a batch.
  const row = await session.first(
    what === 'order'
      ? builder.selectFrom('tasks').select('api_key_id').where('id', '=', id)
      : builder
          .selectFrom('ledger')
          .select('api_key_id')
          .where('task_id', '=', isBatch(id) ? id : ''),
  );
  const owner = row?.api_key_id == null ? null : await findKeyById(session, row.api_key_id);
  if (owner?.mode === mode && owner.account.id === account.id) return { ...owner, mode: owner.mode };
  const code = what === 'order' ? 'task_not_found' : 'not_found';
  throw new ServiceError(code, `This account has no ${what} '${id.slice(0, 64)}' in ${mode} mode.`);
}
