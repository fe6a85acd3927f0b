import { sql } from 'kysely';
import type { ArchivedKind } from '../database/archive-tables.ts';
import type { Session, Transaction } from '../database/database.ts';

/** What archived tasks add to sums that are otherwise taken from rows. */
export interface ArchivedSum {
  readonly count: number;
  readonly price: number;
  readonly amount: number;
}

export async function readArchivedSum(session: Session, kind: ArchivedKind, name: string): Promise<ArchivedSum> {
  const row = await session.first(
    session.builder
      .selectFrom('archived_sums')
      .select([
        sql<number | null>`sum("count")`.as('count'),
        sql<number | null>`sum(price)`.as('price'),
        sql<number | null>`sum(amount)`.as('amount'),
      ])
      .where('kind', '=', kind)
      .where('name', '=', name),
  );
  return { count: Number(row?.count ?? 0), price: Number(row?.price ?? 0), amount: Number(row?.amount ?? 0) };
}

export async function addArchivedSum(
  trx: Transaction,
  sum: ArchivedSum & { readonly kind: ArchivedKind; readonly name: string; readonly at: number },
): Promise<void> {
  await trx.run(
    trx.builder
      .insertInto('archived_sums')
      .values(sum)
      .onConflict((conflict) =>
        conflict.columns(['kind', 'name', 'at']).doUpdateSet({
          count: sql<number>`archived_sums."count" + excluded."count"`,
          price: sql<number>`archived_sums.price + excluded.price`,
          amount: sql<number>`archived_sums.amount + excluded.amount`,
        }),
      ),
  );
}

/** The name of an end user's sum: its tasks are erased and have a digest instead of the name. */
export function archivedEndUser(keyId: string, digest: string): string {
  return `${keyId} ${digest}`;
}
