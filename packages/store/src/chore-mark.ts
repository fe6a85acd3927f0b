import type { Session } from './store.ts';
import type { StoreSchema } from './store-schema.ts';

/** Notes when a chore was done, in one small row. */
export async function markChore(session: Session<StoreSchema>, chore: string): Promise<void> {
  await session.run(
    session.builder
      .insertInto('work')
      .values({
        kind: 'chore',
        subject: chore,
        owner: '',
        due_at: session.now,
        entered_at: session.now,
        fence: 0,
        attempts: 0,
      })
      .onConflict((conflict) =>
        conflict.columns(['kind', 'subject']).doUpdateSet(({ ref }) => ({ due_at: ref('excluded.due_at') })),
      ),
  );
}

/** Returns how many milliseconds ago that was; null = never. */
export async function choreAgeMs(session: Session<StoreSchema>, chore: string): Promise<number | null> {
  const row = await session.first(
    session.builder
      .selectFrom('work')
      .select(['due_at', session.now.as('now')])
      .where('kind', '=', 'chore')
      .where('subject', '=', chore),
  );
  return row === undefined ? null : Number(row.now) - Number(row.due_at);
}
