import type { Database } from '../../src/database/database.ts';

/** The state that an upgrade must not change. Amounts are in millionths. */
export interface Before {
  readonly until: number;
  readonly ledger: readonly { readonly kind: string; readonly entries: number; readonly amount: number }[];
  readonly tasks: readonly { readonly status: string; readonly count: number; readonly charged: number | null }[];
  readonly idempotencyKeys: number;
}

/** Sums up the entries and the ended tasks until a time, and the Idempotency-Keys, and closes the database. */
export async function readSums(database: Database, until: number): Promise<Before> {
  const { read } = database;
  const { builder } = read;
  const ledger = await read.all(
    builder
      .selectFrom('ledger')
      .select((of) => ['kind', of.fn.countAll<number>().as('entries'), of.fn.sum<number>('amount').as('amount')])
      .where('created_at', '<=', until)
      .groupBy('kind')
      .orderBy('kind'),
  );
  const tasks = await read.all(
    builder
      .selectFrom('tasks')
      .select((of) => [
        'status',
        of.fn.countAll<number>().as('count'),
        of.fn.sum<number | null>('charged').as('charged'),
      ])
      .where('completed_at', '<=', until)
      .groupBy('status')
      .orderBy('status'),
  );
  const keys = await read.first(builder.selectFrom('idempotency').select((of) => of.fn.countAll<number>().as('count')));
  await database.close();
  return { until, ledger, tasks, idempotencyKeys: keys?.count ?? 0 };
}
