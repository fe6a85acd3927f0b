import type { Pool } from 'pg';
import { isConnectionLoss, isSerializationFailure, isStalePlan, translateFault } from './postgres-faults.ts';
import type { Answer, Statement } from './postgres-session.ts';

/** Repeats a read whose connection was lost, or that lost a race: a read changes nothing. */
export async function readFrom(pool: Pool, statement: Statement): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await pool.query(statement);
    } catch (error) {
      if (attempt > 2 || !(isConnectionLoss(error) || isStalePlan(error) || isSerializationFailure(error)))
        throw translateFault(error);
    }
  }
}
