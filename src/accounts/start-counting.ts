import { type Micros, SPEND_WINDOWS, timeIdPrefix, windowStart } from '@darkroom-service/contract';
import { type ExpressionBuilder, sql } from 'kysely';
import type { Database, Session, Transaction } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { DAY_MS, readClosedDays, withClosedDays } from './closed-days.ts';
import { type GroupHooks, HAS_NOT_ENDED, selectOpenGroups } from './open-groups.ts';
import { lockAllSpending, type Spent, setSpending } from './spending.ts';

/** Starts to count the spending of a key, including earlier spending in the present windows. */

type CountingServices = { readonly database: Pick<Database, 'kind'>; readonly hooks: readonly GroupHooks[] };

/** Charges of the orders before `at`, all of them final, per window, in micro-dollars. */
interface SpentBefore {
  readonly at: number;
  /** Revision of the sums by day: a refund increases it. */
  readonly revision: number;
  readonly amounts: Spent;
}

const TYPES = { image: 'img', video: 'vid' } as const;
/** Milliseconds after which an order is committed, whichever process placed it. */
const COMMITTED_AFTER_MS = 15 * 60_000;

/**
 * Sums the older orders of a key outside of a transaction, since there may be many. Only a refund changes their sum.
 */
export async function spentBeforeLimits(session: Session, keyId: string, now: number): Promise<SpentBefore> {
  const { revision } = await readClosedDays(session, 'usage');
  const open = await session.first(
    session.builder
      .selectFrom('tasks')
      .select((expression) => expression.fn.min<number | null>('created_at').as('since'))
      .where('api_key_id', '=', keyId)
      .where('type', 'in', Object.keys(TYPES) as (keyof typeof TYPES)[])
      .where(HAS_NOT_ENDED),
  );
  const at = Math.min(now - COMMITTED_AFTER_MS, open?.since ?? now);
  const sums = SPEND_WINDOWS.map(async (window) => {
    const from = windowStart(window, now);
    return [window, from < at ? await sumTasks(session, keyId, from, at) : 0] as const;
  });
  return { at, revision, amounts: Object.fromEntries(await Promise.all(sums)) as unknown as Spent };
}

/**
 * Writes the row of a key that is limited from now on. Processes that still treat the key as unlimited add to an
 * existing row.
 * @param trx with the key's spending locked
 */
export async function startCounting(
  trx: Transaction,
  { database: { kind }, hooks }: CountingServices,
  keyId: string,
  before: SpentBefore,
  now: number,
): Promise<void> {
  // Waits for orders that found no row to add to, so that the sums include them; the others add to the new row. Orders
  // of this transaction are in the sums, so they must not be added to the row afterwards.
  await lockAllSpending(trx, kind);
  const { revision } = await readClosedDays(trx, 'usage');
  // Midnight may have passed since the older sums.
  const nextDay = windowStart('day', now + DAY_MS);
  const at = (await sumTasks(trx, keyId, nextDay, Number.MAX_SAFE_INTEGER)) > 0 ? nextDay : now;
  const older = revision === before.revision && at === now ? before : null;
  const spent = { day: 0, month: 0, total: 0 };
  for (const window of SPEND_WINDOWS) {
    const start = windowStart(window, at);
    const since = Math.max(start, older?.at ?? 0);
    spent[window] =
      (older?.amounts[window] ?? 0) + (await sumOrders(trx, hooks, keyId, { tasksFrom: since, groupsFrom: start }));
  }
  await setSpending(trx, keyId, at, spent);
}

/** Sums the tasks since one time, and since another the orders of groups that have no row of `tasks` yet. */
async function sumOrders(
  trx: Transaction,
  hooks: readonly GroupHooks[],
  keyId: string,
  { tasksFrom, groupsFrom }: { readonly tasksFrom: number; readonly groupsFrom: number },
): Promise<Micros> {
  const groups = await trx.first(unplacedAmounts(trx, hooks, keyId, groupsFrom));
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

/** Sums a key's charges for tasks of days whose rows may be removed. */
export function chargedBefore(builder: Session['builder'], keyId: string, day: number) {
  return builder
    .selectFrom('usage_days')
    .select(sql<number>`coalesce(sum(charged), 0)`.as('sum'))
    .where('api_key_id', '=', keyId)
    .where('day', '<', day);
}

/** Sums the orders of groups that have no row of `tasks` yet: a group counts as a whole from its creation on. */
export function unplacedAmounts(
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
    .select(SPENT.as('sum'))
    .where('api_key_id', '=', keyId)
    .where('created_at', '>=', from)
    .where('created_at', '<', to)
    .where((expression) => isSince(expression, from));
}

/** Sums the tasks of an end user, by digest, that have a row. */
export function spentByScopeSince(builder: Session['builder'], scope: string, from: number) {
  return builder
    .selectFrom('tasks')
    .select(SPENT.as('sum'))
    .where('scope', '=', scope)
    .where('created_at', '>=', from)
    .where((expression) => isSince(expression, from));
}

const SPENT = sql<number>`coalesce(sum(case when step = 'final' then coalesce(charged, 0) else price end), 0)`;

/** Returns a condition for tasks since a time. Ids sort by creation time, but may be made a little before it. */
function isSince(expression: ExpressionBuilder<Schema, 'tasks'>, from: number) {
  return expression.or(
    Object.entries(TYPES).map(([type, prefix]) =>
      expression.and([
        expression('type', '=', type as keyof typeof TYPES),
        expression('id', '>=', timeIdPrefix(prefix, from - COMMITTED_AFTER_MS)),
      ]),
    ),
  );
}
