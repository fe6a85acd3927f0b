import type { Client } from 'pg';
import { CommandFault } from '../../cli/command-fault.ts';
import { readMove } from './begin-move.ts';
import { GONE, within } from './ends.ts';
import { removeFence } from './fence.ts';
import type { OwnedTable } from './owned-tables.ts';
import { dropStage } from './stage.ts';

/** Ends a move that has not left yet, and removes what was copied; the account stays. It may be repeated. */
export async function cancelMove(
  { account, source, target }: { readonly account: string; readonly source: Client; readonly target: Client },
  tables: readonly OwnedTable[],
): Promise<void> {
  await within(source, async () => {
    const found = await readMove(source, account, 'source', 'for update');
    if (found === null) return;
    if (GONE.includes(found.state))
      throw new CommandFault(`'${account}' is in ${found.cell} already. Move it back from there.`);
    await source.query(`delete from account_moves where account_id = $1 and role = 'source'`, [account]);
    await source.query('delete from account_changes where account_id = $1', [account]);
  });
  await within(target, async () => {
    const found = await readMove(target, account, 'target', 'for update');
    if (found?.state !== 'copying') return;
    await dropStage(target, tables);
    await target.query(`delete from account_moves where account_id = $1 and role = 'target'`, [account]);
  });
  await removeFence(source, tables);
}
