import type { Transaction } from '../database/database.ts';
import { IN_FLIGHT } from './in-flight.ts';

/**
 * Removes the row of a process that ends normally.
 * @returns false if it still holds tasks; others must then detect that it has ended
 */
export async function removeProcess(trx: Transaction, id: string): Promise<boolean> {
  const { builder } = trx;
  const claimed = await trx.first(
    builder.selectFrom('tasks').select('id').where(IN_FLIGHT).where('worker', '=', id).limit(1),
  );
  if (claimed !== undefined) return false;
  await trx.run(builder.deleteFrom('processes').where('id', '=', id));
  return true;
}
