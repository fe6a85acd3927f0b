import type { Selectable } from 'kysely';
import type { Client } from 'pg';
import { CommandFault } from '../../cli/command-fault.ts';
import type { Schema } from '../../database/schema.ts';
import { NOW } from './fence.ts';

/** A run of the command for one account, with a connection to the database of each cell. */
export interface Move {
  readonly account: string;
  readonly source: Client;
  readonly target: Client;
  /** The fence of the move, equal in both databases; a later run has a higher one. */
  readonly fence: number;
}

export type MoveState = Selectable<Schema['account_moves']>['state'];
/** States of an account that has left its cell. */
export const GONE: readonly MoveState[] = ['moved', 'open', 'left'];

/** Runs statements in one transaction. */
export async function within<T>(client: Client, work: () => Promise<T>): Promise<T> {
  await client.query('begin');
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

/**
 * Runs statements that have an effect only if no later run of the command has begun.
 * @param lock `share`: others may read the state; `update`: waits for the writes of the account that are under way
 */
export async function withinMove<T>(
  { account, fence, ...clients }: Move,
  end: 'source' | 'target',
  lock: 'share' | 'update',
  work: (client: Client, row: { state: MoveState; closedForMs: number }) => Promise<T>,
): Promise<T> {
  const client = clients[end];
  return await within(client, async () => {
    const { rows } = await client.query(
      `select state, fence from account_moves where account_id = $1 and role = $2 for ${lock}`,
      [account, end],
    );
    if (rows[0]?.fence !== fence)
      throw new CommandFault(`Another run of this command has taken over the move of '${account}'.`);
    // After the lock: who waits for it waits by the clock.
    const { rows: closed } = await client.query(
      `select closed_until - ${NOW} as ms from account_moves where account_id = $1 and role = $2`,
      [account, end],
    );
    return await work(client, { state: rows[0].state, closedForMs: closed[0].ms });
  });
}
