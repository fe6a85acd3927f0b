import { formatMicros, isoTime, windowsIn } from '@darkroom-service/contract';
import { SPENDING_COLUMNS } from '../../accounts/add-spending.ts';
import { DAY_MS, withClosedDays } from '../../accounts/closed-days.ts';
import type { GroupHooks } from '../../accounts/open-groups.ts';
import { countedSince, type ZoneSubject } from '../../accounts/recount-in-zone.ts';
import { countsZone, type StoredSpending } from '../../accounts/spending.ts';
import type { Session } from '../../database/database.ts';
import type { AuditReport } from '../check.ts';

const SLICE = 500;

/**
 * Checks whether the counts in the windows of a time zone, of each limited key and each end user, equal the orders
 * placed since the windows began. Where orders may have been removed since, the count may be higher.
 */
export async function auditZones(session: Session, hooks: readonly GroupHooks[]): Promise<AuditReport> {
  const faults: string[] = [];
  let looked = 0;
  for (let after = ''; ; ) {
    const subjects = await session.all(
      session.builder
        .selectFrom('spending')
        .leftJoin('api_keys', 'api_keys.id', 'subject')
        .select(['subject', 'api_keys.id as key'])
        .where('zone', 'is not', null)
        // The spending of a key without a limit is counted again before the key is limited again.
        .where(({ or, eb }) =>
          or([eb('api_keys.id', 'is', null), eb('spend_day', 'is not', null), eb('spend_month', 'is not', null)]),
        )
        .where('subject', '>', after)
        .orderBy('subject')
        .limit(SLICE),
    );
    for (const { subject, key } of subjects) {
      const found = await faultsOf(session, hooks, { keyId: key ?? '', scope: key === null ? subject : null });
      looked += found === null ? 0 : 1;
      faults.push(...(found ?? []));
    }
    const last = subjects.at(-1);
    if (subjects.length < SLICE || last === undefined) return { looked, faults };
    after = last.subject;
  }
}

/** Returns the faults of a row; null if it counts no zone. */
async function faultsOf(
  session: Session,
  hooks: readonly GroupHooks[],
  subject: ZoneSubject,
): Promise<string[] | null> {
  const name = subject.scope ?? subject.keyId;
  const whose = subject.scope === null ? `key ${name}` : `end user '${name}'`;
  for (let start: StoredSpending | undefined; ; ) {
    const windows = { day: start?.zone_day ?? 0, month: start?.zone_month ?? 0 };
    // One statement, so that no order is placed or settled between the count and the sum.
    const { removedDay, row } = await withClosedDays(session, 'usage', async (closed) => ({
      removedDay: closed.removedDay,
      row: await session.first(
        session.builder
          .selectFrom('spending')
          .select(SPENDING_COLUMNS)
          .select(
            start === undefined
              ? []
              : [
                  countedSince(session, hooks, subject, windows.day).as('day_summed'),
                  countedSince(session, hooks, subject, windows.month).as('month_summed'),
                ],
          )
          .where('subject', '=', name),
      ),
    }));
    if (row === undefined || row.zone === null) return null;
    if (!countsZone(row, windowsIn(row.zone, row.zone_day ?? 0))) return null;
    // The next day has begun.
    if (start === undefined || row.zone_day !== windows.day) {
      start = row;
      continue;
    }
    return (['day', 'month'] as const).flatMap((window) => {
      const [counted, summed] = [Number(row[`zone_${window}_used`]), Number(row[`${window}_summed`])];
      const isWhole = windows[window] >= removedDay * DAY_MS;
      if (isWhole ? counted === summed : counted >= summed) return [];
      return [
        `${whose}, ${window} of ${row.zone} from ${isoTime(windows[window])} on: ${formatMicros(counted)} USD are counted, its orders add up to ${formatMicros(summed)} USD`,
      ];
    });
  }
}
