import type { Session, Transaction } from './database.ts';

/** Notes when a chore was done, in one small row. */
export async function markChore(trx: Pick<Transaction, 'builder' | 'now' | 'run'>, chore: string): Promise<void> {
  await trx.run(
    trx.builder
      .insertInto('work')
      .values({ kind: 'chore', subject: chore, owner: '', due_at: trx.now, entered_at: trx.now, fence: 0, attempts: 0 })
      .onConflict((conflict) =>
        conflict.columns(['kind', 'subject']).doUpdateSet(({ ref }) => ({ due_at: ref('excluded.due_at') })),
      ),
  );
}

/** Returns how many milliseconds ago that was; null = never. */
export async function choreAgeMs(session: Session, chore: string): Promise<number | null> {
  const row = await session.first(
    session.builder
      .selectFrom('work')
      .select(['due_at', session.now.as('now')])
      .where('kind', '=', 'chore')
      .where('subject', '=', chore),
  );
  return row === undefined ? null : Number(row.now) - Number(row.due_at);
}
