import { type Micros, windowsIn } from '@darkroom-service/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Database, Session } from '../database/database.ts';
import type { GroupHooks } from './open-groups.ts';
import {
  countsZone,
  lockAllSpending,
  readSpending,
  type Spent,
  type StoredSpending,
  spentAt,
  spentInZone,
} from './spending.ts';
import { spentBetween, spentByScopeSince, unplacedAmounts } from './start-counting.ts';

/*
 * The row of a subject counts the windows of a time zone from the first order that they limit. Their earlier orders are
 * summed at that time: once for a subject and zone, and again after orders that could not be assigned to a zone's day.
 */

/** A key, or an end user of a key by the digest in its orders. */
export interface ZoneSubject {
  readonly keyId: string;
  readonly scope: string | null;
}

type Services = { readonly database: Database; readonly hooks: readonly GroupHooks[] };

/** Counts the windows of a time zone in the row of a subject, if it has one, including earlier spending in them. */
export async function recountInZone(
  { database, hooks }: Services,
  subject: ZoneSubject,
  zone: string,
  now: number,
): Promise<void> {
  const name = subject.scope ?? subject.keyId;
  await database.write('recount_in_zone', async (trx) => {
    await trx.lock(subject.scope === null ? `spend:${name}` : `end_user:${name}`);
    // Waits for orders that did not know the zone; later ones add to the values written here.
    await lockAllSpending(trx, database.kind);
    const row = await readSpending(trx, name);
    if (row === undefined) return;
    // A process whose clock is ahead may have begun the next day.
    let windows = windowsIn(zone, now);
    while ((await sumSince(trx, hooks, subject, windows.dayEnd)) > 0) windows = windowsIn(zone, windows.dayEnd);
    await trx.run(
      trx.builder
        .updateTable('spending')
        .set({
          zone,
          zone_day: windows.day,
          zone_day_end: windows.dayEnd,
          zone_day_used: await sumSince(trx, hooks, subject, windows.day),
          zone_month: windows.month,
          zone_month_used: await sumSince(trx, hooks, subject, windows.month),
          zone_total: row.total_used,
        })
        .where('subject', '=', name),
    );
  });
}

/** Sums the counted amounts of a subject since a time: the price of open orders, and the charge of others. */
async function sumSince(
  session: Session,
  hooks: readonly GroupHooks[],
  subject: ZoneSubject,
  from: number,
): Promise<Micros> {
  const { builder } = session;
  const row = await session.first(builder.selectNoFrom(countedSince(session, hooks, subject, from).as('sum')));
  return Number(row?.sum ?? 0);
}

/** Returns that sum as one expression, so that no order of a group becomes a task between its parts. */
export function countedSince(
  { builder }: Pick<Session, 'builder'>,
  hooks: readonly GroupHooks[],
  { keyId, scope }: ZoneSubject,
  from: number,
): RawBuilder<number> {
  if (scope !== null) return sql<number>`${spentByScopeSince(builder, scope, from)}`;
  const orders = spentBetween(builder, keyId, from, Number.MAX_SAFE_INTEGER);
  return sql<number>`${orders} + ${unplacedAmounts({ builder }, hooks, keyId, from)}`;
}

/** Returns a subject's spending in the windows of a time zone that contain `now`, even if its row does not count it. */
export async function spentNow(
  session: Session,
  hooks: readonly GroupHooks[],
  subject: ZoneSubject,
  { row, zone, now }: { readonly row: StoredSpending | undefined; readonly zone: string; readonly now: number },
): Promise<Spent> {
  if (zone === 'UTC') return spentAt(row, now);
  const windows = windowsIn(zone, now);
  if (row === undefined || countsZone(row, windows)) return spentInZone(row, windows);
  const [day, month] = await Promise.all(
    ([windows.day, windows.month] as const).map((from) => sumSince(session, hooks, subject, from)),
  );
  return { day: day ?? 0, month: month ?? 0, total: row.total_used };
}
