import type { Database, Session } from '../../database/database.ts';

const MARK = { kind: 'chore', subject: 'alerts_looked', owner: '', fence: 0, attempts: 0 } as const;

/** Notes that a process has looked at what concerns all of them, and could record it. */
export async function noteLook(database: Pick<Database, 'write'>): Promise<void> {
  await database.write('alerts_looked', (trx) =>
    trx.run(
      trx.builder
        .insertInto('work')
        .values({ ...MARK, due_at: trx.now, entered_at: trx.now })
        .onConflict((conflict) =>
          conflict.columns(['kind', 'subject']).doUpdateSet(({ ref }) => ({ due_at: ref('excluded.due_at') })),
        ),
    ),
  );
}

/** Returns how long ago that was, in milliseconds; null = never. */
export async function readLookAge(session: Session): Promise<number | null> {
  const row = await session.first(
    session.builder
      .selectFrom('work')
      .select(['due_at', session.now.as('now')])
      .where('kind', '=', MARK.kind)
      .where('subject', '=', MARK.subject),
  );
  return row === undefined ? null : Number(row.now) - Number(row.due_at);
}
