import type { Database, Schema, Vault } from '@darkroom-service/darkroom/kernel';
import type { Selectable } from 'kysely';

/** The tables whose rows have a secret in `sealed`. Two sealed texts are never equal. */
type SealedTable = { [T in keyof Schema]: 'sealed' extends keyof Schema[T] ? T : never }[keyof Schema];

/**
 * Reseals the secrets of a table that an earlier key of the operator has sealed, so that this key can be removed.
 * Secrets that cannot be opened stay as they are.
 * @param subjectOf returns the subject for which the secret of a row was sealed
 * @returns the number of secrets
 */
export async function sealAgain<Table extends SealedTable>(
  database: Pick<Database, 'read' | 'write'>,
  vault: Vault,
  table: Table,
  subjectOf: (row: Selectable<Schema[Table]>) => string,
): Promise<number> {
  const { read } = database;
  const rows = await read.all(
    read.builder
      .selectFrom(table as SealedTable)
      .selectAll()
      .where('sealed', 'not like', `1.${vault.keyId}.%`),
  );
  let count = 0;
  for (const row of rows as (Selectable<Schema[Table]> & { readonly sealed: string | null })[]) {
    const before = row.sealed ?? '';
    const sealed = vault.sealAgain(before, subjectOf(row));
    if (sealed !== null)
      count += await database.write('seal_again', (trx) =>
        trx.run(
          trx.builder
            .updateTable(table as SealedTable)
            .set({ sealed })
            .where('sealed', '=', before),
        ),
      );
  }
  return count;
}
