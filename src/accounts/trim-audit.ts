import { setTimeout as pause } from 'node:timers/promises';
import { timeIdPrefix } from '@darkroom-service/contract/ids';
import type { Database } from '../database/database.ts';

const ERASED_TOGETHER = 500;
const MAX_PAUSE_MS = 200;

/** Removes the entries of the audit log from before a time, in portions: the only statement that removes any. */
export async function trimAudit(
  database: Pick<Database, 'write'>,
  { before, signal }: { readonly before: number; readonly signal: AbortSignal },
): Promise<void> {
  for (let erased = ERASED_TOGETHER; erased === ERASED_TOGETHER && !signal.aborted; ) {
    const began = performance.now();
    erased = await database.write('trim_audit', (trx) =>
      trx.run(
        trx.builder
          .deleteFrom('audit_log')
          .where('id', 'in', (expression) =>
            expression
              .selectFrom('audit_log')
              .select('id')
              .where('id', '<', timeIdPrefix('aud', before))
              .orderBy('id')
              .limit(ERASED_TOGETHER),
          ),
      ),
    );
    // Pauses as long as it worked, to leave time for orders.
    if (erased > 0) await pause(Math.min(MAX_PAUSE_MS, performance.now() - began));
  }
}
