import type { Session } from '../database/database.ts';
import type { OrderingKey } from './api-key.ts';

/**
 * The orders and money that a report shows: `key` = those of the calling key, `account` = those of all keys of the
 * account with the calling key's mode.
 */
export type ReportScope = 'key' | 'account';

/** Returns the ids of the keys that a report of the calling key covers. */
export async function keysInScope(session: Session, key: OrderingKey, scope: ReportScope): Promise<string[]> {
  if (scope === 'key') return [key.id];
  const rows = await session.all(
    session.builder
      .selectFrom('api_keys')
      .select('id')
      .where('account_id', '=', key.account.id)
      .where('mode', '=', key.mode),
  );
  return rows.map((row) => row.id);
}
