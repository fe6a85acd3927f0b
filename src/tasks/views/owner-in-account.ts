import { ServiceError } from '@darkroom-service/contract';
import type { OrderingKey } from '../../accounts/api-key.ts';
import { findKeyById } from '../../accounts/keyring.ts';
import type { Session } from '../../database/database.ts';

/**
 * Returns the key that ordered a task or a batch, if it is of the caller's account and mode. For callers whose right to
 * see the whole account was proved.
 * @throws ServiceError `task_not_found` or `not_found`
 */
export async function ownerInAccount(
  session: Session,
  { account, mode }: OrderingKey,
  table: 'tasks' | 'batches',
  id: string,
): Promise<OrderingKey> {
  const row = await session.first(session.builder.selectFrom(table).select('api_key_id').where('id', '=', id));
  const owner = row === undefined ? null : await findKeyById(session, row.api_key_id);
  if (owner?.mode === mode && owner.account.id === account.id) return { ...owner, mode: owner.mode };
  const [code, what] = table === 'tasks' ? (['task_not_found', 'order'] as const) : (['not_found', 'batch'] as const);
  throw new ServiceError(code, `This account has no ${what} '${id.slice(0, 64)}' in ${mode} mode.`);
}
