import type { Session } from './store.ts';
import type { StoreSchema } from './store-schema.ts';

/**
 * Records the time at which a chore was done, in one small row.
 * @param at milliseconds since 1970; by default the database's clock
 */
export async function markChore(session: Session<StoreSchema>, chore: string, at?: number): Promise<void> {
  const due_at = at ?? session.now;
  await session.run(
    session.builder
      .insertInto('work')
      .values({
        kind: 'chore',
        subject: chore,
        owner: '',
        due_at,
        entered_at: due_at,
        fence: 0,
        attempts: 0,
      })
      .onConflict((conflict) =>
        conflict.columns(['kind', 'subject']).doUpdateSet(({ ref }) => ({ due_at: ref('excluded.due_at') })),
      ),
  );
}

/** Returns the time at which a chore was last done, in milliseconds since 1970; null = never. */
export async function choreTime(session: Session<StoreSchema>, chore: string): Promise<number | null> {
  const row = await session.first(
    session.builder.selectFrom('work').select('due_at').where('kind', '=', 'chore').where('subject', '=', chore),
  );
  return row === undefined ? null : Number(row.due_at);
}

/** Returns the milliseconds since a chore was last done; null = never. */
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
