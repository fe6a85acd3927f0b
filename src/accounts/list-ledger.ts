import { formatMicros, idPattern, isoTime, type LedgerEntryView } from '@darkroom-service/contract';
import { sql } from 'kysely';
import type { Session } from '../database/database.ts';
import type { OrderingKey } from './api-key.ts';
import type { ReportScope } from './report-scope.ts';

/** The place of an entry in a list. */
export interface LedgerCursor {
  readonly at: number;
  readonly taskId: string;
  readonly kind: string;
}

/** Order of a task's entries of the same millisecond, the last one first. */
const PLACES: readonly string[] = ['refund', 'charge', 'release', 'hold', 'correction', 'credit'];
const LATER_FIRST = sql<number>`case kind ${sql.join(
  PLACES.map((kind, place) => sql`when ${sql.lit(kind)} then ${sql.lit(place)}`),
  sql` `,
)} end`;
const ENTRY_ID = new RegExp(`^(${idPattern('[a-z]{3}')})_([a-z]+)$`);

/** Finds the entry with this id; null if the key's account has none. */
export async function findEntry(session: Session, key: OrderingKey, entryId: string): Promise<LedgerCursor | null> {
  const [, taskId, kind] = ENTRY_ID.exec(entryId) ?? [];
  if (taskId === undefined || kind === undefined) return null;
  // With the account as a condition SQLite would read all of its entries.
  const entries = await session.all(
    session.builder.selectFrom('ledger').select(['account_id', 'created_at', 'kind']).where('task_id', '=', taskId),
  );
  const found = entries.find((row) => row.kind === kind && row.account_id === key.account.id);
  return found === undefined ? null : { at: found.created_at, taskId, kind };
}

/** Lists ledger entries, newest first. Credits belong to no key and appear only in the scope `account`. */
export async function listLedger(
  session: Session,
  key: OrderingKey,
  page: {
    readonly limit: number;
    readonly after: LedgerCursor | null;
    readonly scope: ReportScope;
  },
): Promise<{ readonly items: LedgerEntryView[]; readonly hasMore: boolean }> {
  let query = session.builder
    .selectFrom('ledger')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('task_id', 'desc')
    .orderBy(LATER_FIRST)
    .limit(page.limit + 1);
  query =
    page.scope === 'account'
      ? query.where('account_id', '=', key.account.id).where('mode', '=', key.mode)
      : query.where('api_key_id', '=', key.id);
  const { after } = page;
  if (after !== null)
    query = query
      .where('created_at', '<=', after.at)
      .where(({ eb, or, and }) =>
        or([
          eb('created_at', '<', after.at),
          eb('task_id', '<', after.taskId),
          and([eb('task_id', '=', after.taskId), eb(LATER_FIRST, '>', PLACES.indexOf(after.kind))]),
        ]),
      );
  const rows = await session.all(query);
  return {
    items: rows.slice(0, page.limit).map((row) => ({
      entry_id: `${row.task_id}_${row.kind}`,
      kind: row.kind,
      amount: formatMicros(row.amount),
      currency: 'USD',
      task_id: isCredit(row.task_id) || isBatch(row.task_id) ? null : row.task_id,
      batch_id: isBatch(row.task_id) ? row.task_id : null,
      corrects: row.kind === 'correction' ? `${row.task_id}_credit` : null,
      note: row.note,
      created_at: isoTime(row.created_at),
    })),
    hasMore: rows.length > page.limit,
  };
}

function isCredit(subject: string): boolean {
  return subject.startsWith('crd_');
}

/** Tells whether a ledger entry belongs to a batch as a whole. */
export function isBatch(subject: string): boolean {
  return subject.startsWith('bat_');
}
