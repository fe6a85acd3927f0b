import type { Micros } from '@darkroom-service/contract';
import type { Session } from '../database/database.ts';
import type { OrderingKey } from './api-key.ts';
import { type GroupHooks, HAS_NOT_ENDED, selectOpenGroups } from './open-groups.ts';

/**
 * The orders and money that a report shows: `key` = those of the calling key, `account` = those of all keys of the
 * account with the calling key's mode.
 */
export type ReportScope = 'key' | 'account';

/** Returns the ids of the keys of the account with the calling key's mode. */
export async function keysOfAccount(session: Session, key: OrderingKey): Promise<string[]> {
  const rows = await session.all(
    session.builder
      .selectFrom('api_keys')
      .select('id')
      .where('account_id', '=', key.account.id)
      .where('mode', '=', key.mode),
  );
  return rows.map((row) => row.id);
}

const TYPES = ['image', 'video'] as const;

/** Returns the amount held for the account's orders that are not final, in micro-dollars. */
export async function heldBy(session: Session, key: OrderingKey, hooks: readonly GroupHooks[]): Promise<Micros> {
  const keyIds = await keysOfAccount(session, key);
  // Orders of a group are held before they have rows of `tasks`.
  const unplaced = await session.first(
    selectOpenGroups(session, hooks)
      .select((expression) => expression.fn.sum<number | null>('promised').as('held'))
      .where('api_key_id', 'in', keyIds),
  );
  const row = await session.first(
    session.builder
      .selectFrom('tasks')
      .select((expression) => expression.fn.sum<number | null>('price').as('held'))
      .where('api_key_id', 'in', keyIds)
      .where('type', 'in', TYPES)
      .where(HAS_NOT_ENDED),
  );
  return Number(row?.held ?? 0) + Number(unplaced?.held ?? 0);
}
