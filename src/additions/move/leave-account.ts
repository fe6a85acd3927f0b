import type { Storage } from '@darkroom-service/media/storage';
import { type Move, withinMove } from './ends.ts';
import { MOVER, NOW } from './fence.ts';
import { removeFiles } from './move-files.ts';
import type { OwnedTable } from './owned-tables.ts';

const ROWS_AT_ONCE = 2_000;
/** What addresses name, by the table that has it. */
const NAMED = ['tasks', 'batches', 'shares'];

/**
 * Removes what the source still has of an account that has left, and keeps only where its keys and ids lead. It may be
 * repeated.
 * @param storage of the source; null = both cells have the same files
 */
export async function leaveAccount(move: Move, tables: readonly OwnedTable[], storage: Storage | null): Promise<void> {
  if (storage !== null) await removeFiles(move, storage);
  for (const owned of tables) {
    if (owned.isShared) continue;
    const { table, where } = owned;
    const pick = `ctid = any(array(select r.ctid from ${table} r where ${where} limit ${ROWS_AT_ONCE}))`;
    const keep = NAMED.includes(table)
      ? `insert into moved_ids select id, $1::text from gone on conflict do nothing`
      : '';
    for (let removed = ROWS_AT_ONCE; removed === ROWS_AT_ONCE; )
      removed = await withinMove(move, 'source', 'share', async (source) => {
        await source.query(MOVER);
        const { rows } = await source.query<{ removed: number }>(
          `with gone as (delete from ${table} where ${pick} returning ${owned.key[0]})
            ${keep === '' ? '' : `, kept as (${keep})`} select count(*) as removed from gone`,
          [move.account],
        );
        return rows[0]?.removed ?? 0;
      });
  }
  await withinMove(move, 'source', 'update', async (source) => {
    await source.query('delete from account_changes where account_id = $1', [move.account]);
    await source.query(
      `update account_moves set state = 'left', changed_at = ${NOW} where account_id = $1 and role = 'source'`,
      [move.account],
    );
  });
}
