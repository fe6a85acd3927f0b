import { isoTime } from '../base/clock.ts';
import { formatMicros } from '../base/money.ts';
import type { Session } from '../database/database.ts';
import type { LedgerEntryView } from '../wire/account.ts';
import type { OrderingKey } from './api-key.ts';
import type { EntryIds } from './entry-ids.ts';
import type { UsageScope } from './usage.ts';

/** Lists ledger entries, newest first. Credits belong to no key and appear only in the scope `account`. */
export async function listLedger(
  session: Session,
  key: OrderingKey,
  page: {
    readonly limit: number;
    readonly after: number | null;
    readonly scope: UsageScope;
    readonly entryIds: EntryIds;
  },
): Promise<{ readonly items: LedgerEntryView[]; readonly hasMore: boolean }> {
  let query = session.builder
    .selectFrom('ledger')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(page.limit + 1);
  query =
    page.scope === 'account'
      ? query.where('account_id', '=', key.account.id).where('mode', '=', key.mode)
      : query.where('api_key_id', '=', key.id);
  if (page.after !== null) query = query.where('id', '<', page.after);
  const rows = await session.all(query);
  return {
    items: rows.slice(0, page.limit).map((row) => ({
      entry_id: page.entryIds.encode(row.account_id, row.id),
      kind: row.kind,
      amount: formatMicros(row.amount),
      currency: 'USD',
      task_id: isBatch(row.task_id) ? null : row.task_id,
      batch_id: isBatch(row.task_id) ? row.task_id : null,
      note: row.note,
      created_at: isoTime(row.created_at),
    })),
    hasMore: rows.length > page.limit,
  };
}

function isBatch(subject: string | null): boolean {
  return subject?.startsWith('bat_') === true;
}
