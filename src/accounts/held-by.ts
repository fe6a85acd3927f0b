import type { Micros } from '@darkroom-service/contract';
import { sql } from 'kysely';
import type { Session } from '../database/database.ts';
import type { OrderingKey } from './api-key.ts';
import { keysInScope } from './report-scope.ts';

const TYPES = ['image', 'video'] as const;

/** Returns the amount held for the account's orders that are not final, in micro-dollars. */
export async function heldBy(session: Session, key: OrderingKey): Promise<Micros> {
  const keyIds = await keysInScope(session, key, 'account');
  // Orders of a batch are held before they are tasks.
  const unplaced = await session.first(
    session.builder
      .selectFrom('batches')
      .select(sql<number | null>`sum(quoted - placed_amount)`.as('held'))
      .where('api_key_id', 'in', keyIds)
      .where('status', '=', sql.lit('processing')),
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
