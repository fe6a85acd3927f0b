import { timeIdPrefix } from '@darkroom-service/contract';
import type { Database } from '../database/database.ts';
import { eraseInPortions } from '../database/erase-in-portions.ts';

const ERASED_TOGETHER = 500;

/** Removes the entries of the audit log from before a time, in portions. No other statement removes entries. */
export async function trimAudit(
  database: Pick<Database, 'write'>,
  { before, signal }: { readonly before: number; readonly signal: AbortSignal },
): Promise<void> {
  await eraseInPortions(database, { unit: 'trim_audit', signal }, (trx) =>
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
}
