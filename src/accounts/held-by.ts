import type { Micros } from '@darkroom-service/contract';
import type { Session } from '../database/database.ts';
import type { OrderingKey } from './api-key.ts';
import { type GroupHooks, selectOpenGroups } from './open-groups.ts';
import { keysInScope } from './report-scope.ts';

const TYPES = ['image', 'video'] as const;

/** Returns the amount held for the account's orders that are not final, in micro-dollars. */
export async function heldBy(session: Session, key: OrderingKey, hooks: readonly GroupHooks[]): Promise<Micros> {
  const keyIds = await keysInScope(session, key, 'account');
  // Orders of a group are held before they are tasks.
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
      .where('status', 'in', ['queued', 'processing']),
  );
  return Number(row?.held ?? 0) + Number(unplaced?.held ?? 0);
}
