import { type Micros, timeIdPrefix } from '@darkroom-service/contract';
import { sql } from 'kysely';
import type { Database, Session, Transaction } from '../database/database.ts';
import { DAY_MS, readClosedDays, withClosedDays } from './closed-days.ts';
import { lockMeters } from './meters.ts';
import { type GroupHooks, selectOpenGroups } from './open-groups.ts';
import { periodOf, SPEND_WINDOWS, type SpendWindow, windowStart } from './spend-windows.ts';

/** Starts to count the spending of a key in windows that had no limit before, from what they hold already. */

type CountingServices = { readonly database: Pick<Database, 'kind'>; readonly hooks: readonly GroupHooks[] };

/** What the orders before `at` cost, all of them final, per window. */
interface SpentBefore {
  readonly at: number;
  /** Of the sums by day: a refund increases it. */
  readonly revision: number;
  readonly amounts: { readonly [window in SpendWindow]: Micros };
}

const TYPES = { image: 'img', video: 'vid' } as const;
/** Orders of this age are committed, whichever process placed them. */
const COMMITTED_AFTER_MS = 15 * 60_000;
/** How long a process may still take a key for unlimited, in the next window too. */
const REMEMBERED_MS = 60_000;

/**
 * Sums the older orders of a key outside of a transaction, since there can be many. Only a refund changes their sum.
 */
export async function spentBeforeLimits(session: Session, keyId: string, now: number): Promise<SpentBefore> {
  const { revision } = await readClosedDays(session, 'usage');
  const open = await session.first(
    session.builder
      .selectFrom('tasks')
      .select((expression) => expression.fn.min<number | null>('created_at').as('since'))
      .where('api_key_id', '=', keyId)
      .where('type', 'in', Object.keys(TYPES) as (keyof typeof TYPES)[])
      .where('status', 'in', ['queued', 'processing']),
  );
  const at = Math.min(now - COMMITTED_AFTER_MS, open?.since ?? now);
  const sums = SPEND_WINDOWS.map(async (window) => {
    const from = windowStart(window, now);
    return [window, from < at ? await sumTasks(session, keyId, from, at) : 0] as const;
  });
  return { at, revision, amounts: Object.fromEntries(await Promise.all(sums)) as unknown as SpentBefore['amounts'] };
}

/**
 * Writes the rows of windows that are limited from now on. Processes that still take the key for unlimited add to rows
 * that exist.
 * @param trx with the key's spending locked
 */
export async function startCounting(
  trx: Transaction,
  { database: { kind }, hooks }: CountingServices,
  keyId: string,
  windows: readonly SpendWindow[],
  before: SpentBefore,
  now: number,
): Promise<void> {
  // Waits for orders that found no row to add to, so that the sums include them; the others add to the new rows. Orders
  // of this transaction are in the sums, so they must not be added to the rows afterwards.
  await lockMeters(trx, kind);
  const { revision } = await readClosedDays(trx, 'usage');
  const older = revision === before.revision ? before : null;
  for (const window of windows) {
    for (const time of [now, now + REMEMBERED_MS]) {
      const period = periodOf(window, time);
      const start = windowStart(window, time);
      const isCurrent = period === periodOf(window, now);
      if (time !== now && isCurrent) continue;
      const since = Math.max(start, isCurrent ? (older?.at ?? 0) : start);
      const used =
        (isCurrent ? (older?.amounts[window] ?? 0) : 0) +
        (await sumOrders(trx, hooks, keyId, { tasksFrom: since, groupsFrom: start }));
      await trx.run(
        trx.builder
          .insertInto('meters')
          .values({ subject: keyId, kind: 'spend', period, used })
          .onConflict((conflict) => conflict.columns(['subject', 'kind', 'period']).doUpdateSet({ used })),
      );
    }
  }
}

/** Sums tasks from one time on, and from another the orders of groups that are no tasks yet. */
async function sumOrders(
  trx: Transaction,
  hooks: readonly GroupHooks[],
  keyId: string,
  { tasksFrom, groupsFrom }: { readonly tasksFrom: number; readonly groupsFrom: number },
): Promise<Micros> {
  const groups = await trx.first(promisedSince(trx, hooks, keyId, groupsFrom));
  return (await sumTasks(trx, keyId, tasksFrom, Number.MAX_SAFE_INTEGER)) + Number(groups?.sum ?? 0);
}

/** Sums tasks placed in `from <= time < to`: their price while they are open, their charge afterwards. */
async function sumTasks(session: Session, keyId: string, from: number, to: number): Promise<Micros> {
  const sumRows = async (since: number) =>
    Number((await session.first(spentBetween(session.builder, keyId, since, to)))?.sum ?? 0);
  if (from > 0) return await sumRows(from);
  return await withClosedDays(session, 'usage', async ({ removedDay }) => {
    const days = await session.first(chargedBefore(session.builder, keyId, removedDay));
    return Number(days?.sum ?? 0) + (await sumRows(removedDay * DAY_MS));
  });
}

/** Sums what a key was charged for the tasks of days whose rows may be removed. */
export function chargedBefore(builder: Session['builder'], keyId: string, day: number) {
  return builder
    .selectFrom('usage_days')
    .select(sql<number>`coalesce(sum(charged), 0)`.as('sum'))
    .where('api_key_id', '=', keyId)
    .where('day', '<', day);
}

/** Sums the orders of groups that are no tasks yet: a group counts as a whole from its creation on. */
export function promisedSince(
  session: Pick<Session, 'builder'>,
  hooks: readonly GroupHooks[],
  keyId: string,
  from: number,
) {
  return selectOpenGroups(session, hooks)
    .select(sql<number>`coalesce(sum(promised), 0)`.as('sum'))
    .where('api_key_id', '=', keyId)
    .where('created_at', '>=', from);
}

/** Sums the tasks that have a row, by their price while they are open and their charge afterwards. */
export function spentBetween(builder: Session['builder'], keyId: string, from: number, to: number) {
  return builder
    .selectFrom('tasks')
    .select(sql<number>`coalesce(sum(case when step = 'final' then coalesce(charged, 0) else price end), 0)`.as('sum'))
    .where('api_key_id', '=', keyId)
    .where('created_at', '>=', from)
    .where('created_at', '<', to)
    .where((expression) =>
      // Ids sort by creation time. An id may be made a little before its order is dated.
      expression.or(
        Object.entries(TYPES).map(([type, prefix]) =>
          expression.and([
            expression('type', '=', type as keyof typeof TYPES),
            expression('id', '>=', timeIdPrefix(prefix, from - COMMITTED_AFTER_MS)),
          ]),
        ),
      ),
    );
}
