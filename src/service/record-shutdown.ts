import type { Transaction } from '../database/database.ts';
import { databaseNow } from '../database/database-now.ts';
import { readFacts } from '../database/process-facts.ts';
import { IN_FLIGHT } from '../queue/in-flight.ts';

/**
 * Records that a process ends normally. Its row stays for a day: it replaced one that ended before, which is not
 * missing because of this stop.
 * @returns false if it still holds tasks; others must then detect that it has ended
 */
export async function recordShutdown(trx: Transaction, id: string): Promise<boolean> {
  const { builder } = trx;
  const row = await trx.first(builder.selectFrom('processes').select('facts').where('id', '=', id));
  const claimed = await trx.first(
    builder.selectFrom('tasks').select('id').where(IN_FLIGHT).where('worker', '=', id).limit(1),
  );
  const isFree = claimed === undefined;
  const facts = JSON.stringify({ ...readFacts(row?.facts ?? null), hasLeft: true });
  const ended_at = isFree ? await databaseNow(trx) : null;
  await trx.run(builder.updateTable('processes').set({ facts, ended_at }).where('id', '=', id));
  return isFree;
}
