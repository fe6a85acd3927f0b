import { checkpointOf } from '../../accounts/scope-limits.ts';
import { checkpointAt } from '../../accounts/scope-spending.ts';
import type { Session } from '../../database/database.ts';
import type { AuditReport } from '../finding.ts';

const SLICE = 500;

/**
 * Checks whether each end user's sum of older orders equals its tasks. Everything else that an end user spends is
 * summed from the tasks whenever it is asked for, and the tasks are checked against the ledger.
 */
export async function auditEndUsers(session: Session): Promise<AuditReport> {
  const faults: string[] = [];
  let looked = 0;
  for (let after = { key: '', user: '' }; ; ) {
    const rows = await session.all(
      session.builder
        .selectFrom('end_users')
        .selectAll()
        .where((expression) =>
          expression.or([
            expression('api_key_id', '>', after.key),
            expression.and([expression('api_key_id', '=', after.key), expression('end_user', '>', after.user)]),
          ]),
        )
        .orderBy('api_key_id')
        .orderBy('end_user')
        .limit(SLICE),
    );
    for (const row of rows) {
      const stored = checkpointOf(row);
      if (stored === null) continue;
      const summed = await checkpointAt(session, { keyId: row.api_key_id, endUser: row.end_user }, null, stored.at);
      for (const window of ['day', 'month', 'total'] as const) {
        if (stored[window] === summed[window]) continue;
        const before = new Date(stored.at).toISOString();
        faults.push(
          `end user '${row.end_user}' of key ${row.api_key_id}: its sum before ${before} (${window}) is ${stored[window]}, its tasks add up to ${summed[window]}`,
        );
      }
    }
    looked += rows.length;
    const last = rows.at(-1);
    if (rows.length < SLICE || last === undefined) return { looked, faults };
    after = { key: last.api_key_id, user: last.end_user };
  }
}
