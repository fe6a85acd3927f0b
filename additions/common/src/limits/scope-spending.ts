import { canonicalName, type Micros, SPEND_WINDOWS, type SpendWindow, windowStart } from '@darkroom-service/contract';
import {
  prepareWith,
  type Session,
  scopeDigest,
  type TaskHooks,
  type Transaction,
} from '@darkroom-service/darkroom/kernel';
import { spentNow, spentWith } from '@darkroom-service/darkroom/kernel-accounts';
import { sql } from 'kysely';
import { earlierDigests } from './earlier-digests.ts';
import { selectUnplacedParts } from './unplaced-parts.ts';

/**
 * Reads the spending of a key's end user per window: the counted orders, and those of groups that are no tasks yet,
 * which are counted when they become tasks. An order counts in the windows of its creation: its price while held, its
 * charge once settled.
 */

interface Scope {
  readonly keyId: string;
  readonly endUser: string;
  /** The time zone of its limits. */
  readonly zone: string;
}

/** Time for which spending is read, and the hooks that read it. */
export interface SpendingAt {
  readonly now: number;
  /** The hooks of all additions. */
  readonly hooks: readonly TaskHooks[];
}

interface ReadArguments {
  key: string;
  scope: string;
  day: number;
  month: number;
}

type Spent = ReturnType<typeof spentWith>;
type StoredSpending = NonNullable<Parameters<typeof spentWith>[2]>;
type Nullable<T> = { readonly [K in keyof T]: T[K] | null };

interface PromisedRow extends Nullable<StoredSpending> {
  /** Time when the group of a part was placed; null = there is no part. */
  readonly promised_at: number | null;
  readonly end_users_json: string | null;
}

interface HeldRow extends PromisedRow {
  readonly day_held: number | null;
  readonly month_held: number | null;
  readonly total_held: number | null;
}

type Hooks = readonly TaskHooks[];
type Builder = Session['builder'];
type Given = <K extends keyof ReadArguments>(name: K) => ReturnType<typeof sql<ReadArguments[K]>>;

/** Reads one row per part, in one statement: an order of a group that becomes a task meanwhile counts exactly once. */
const selectCounted = (builder: Builder, hooks: Hooks, argument: Given) =>
  builder
    .selectFrom(sql<{ one: number }>`(select 1 as one)`.as('always'))
    .leftJoin('spending', (join) => join.on('spending.subject', '=', argument('scope')))
    .leftJoin(
      selectUnplacedParts({ builder }, hooks)
        .select(['created_at as promised_at', 'end_users_json'])
        .where('api_key_id', '=', argument('key'))
        .where('end_users_json', '<>', '{}')
        .as('promised'),
      (join) => join.onTrue(),
    )
    .selectAll('spending')
    .select(['promised_at', 'end_users_json']);

const readCounted = prepareWith<Hooks, ReadArguments, PromisedRow>('scope_counted', selectCounted);

const readHeld = prepareWith<Hooks, ReadArguments, HeldRow>('scope_held', (builder, hooks, argument) => {
  const heldSince = (start: 'day' | 'month') =>
    sql<number | null>`sum(case when created_at >= ${argument(start)} then price end)`;
  const held = builder
    .selectFrom('tasks')
    .select(({ fn }) => [
      heldSince('day').as('day_held'),
      heldSince('month').as('month_held'),
      fn.sum<number | null>('price').as('total_held'),
    ])
    .where('scope', '=', argument('scope'))
    .where('step', '<>', sql.lit('final'));
  return selectCounted(builder, hooks, argument)
    .innerJoin(held.as('held'), (join) => join.onTrue())
    .select(['day_held', 'month_held', 'total_held']);
});

/**
 * Returns the spent and held amounts of an end user in the windows that contain `now`, with those that this transaction
 * adds.
 * @param trx with the end user locked
 */
export async function spentByScope(trx: Transaction, scope: Scope, at: SpendingAt): Promise<Spent> {
  const { now, hooks } = at;
  const given = argumentsOf(scope, now);
  const rows = await trx.all(readCounted(hooks), given);
  const { endUser, zone } = scope;
  const counted = spentWith(trx, given.scope, storedIn(rows[0]), now, zone);
  const earlier = await spentEarlier(trx, scope, at);
  return byWindow(
    (window) => counted[window] + earlier[window] + promisedIn(rows, endUser, windowStart(window, now, zone)),
  );
}

/** Returns the charges of an end user, and the holds of its open orders, in the windows that contain `now`. */
export async function viewSpending(
  session: Session,
  scope: Scope,
  at: SpendingAt,
): Promise<Readonly<Record<SpendWindow, { readonly charged: Micros; readonly held: Micros }>>> {
  const { now, hooks } = at;
  const { keyId, zone } = scope;
  const given = argumentsOf(scope, now);
  const rows = await session.all(readHeld(hooks), given);
  const counted = await spentNow(session, hooks, { keyId, scope: given.scope }, { row: storedIn(rows[0]), zone, now });
  const earlier = await spentEarlier(session, scope, at);
  return byWindow((window) => {
    const open = Number(rows[0]?.[`${window}_held`] ?? 0);
    const promised = promisedIn(rows, scope.endUser, windowStart(window, now, zone));
    return { charged: counted[window] + earlier[window] - open, held: open + promised };
  });
}

/**
 * Returns the amounts counted under other spellings of a name: orders that were erased before spellings were unified.
 */
async function spentEarlier(
  session: Session,
  { keyId, endUser, zone }: Scope,
  { now, hooks }: SpendingAt,
): Promise<Spent> {
  const subjects = earlierDigests(keyId, endUser);
  const { builder } = session;
  const rows =
    subjects.length === 0
      ? []
      : await session.all(builder.selectFrom('spending').selectAll().where('subject', 'in', subjects));
  const sums = await Promise.all(
    rows.map((row) => spentNow(session, hooks, { keyId, scope: row.subject }, { row, zone, now })),
  );
  return byWindow((window) => sums.reduce((sum, spent) => sum + spent[window], 0));
}

function argumentsOf({ keyId, endUser, zone }: Scope, now: number): ReadArguments {
  return {
    key: keyId,
    scope: scopeDigest(keyId, endUser),
    day: windowStart('day', now, zone),
    month: windowStart('month', now, zone),
  };
}

function storedIn(row: PromisedRow | undefined): StoredSpending | undefined {
  return row === undefined || row.day === null ? undefined : (row as StoredSpending);
}

function promisedIn(rows: readonly PromisedRow[], endUser: string, from: number): Micros {
  return rows.reduce((sum, { promised_at: at, end_users_json: json }) => {
    if (at === null || json === null || at < from) return sum;
    const promised = Object.entries(JSON.parse(json) as Record<string, Micros>);
    return promised.reduce(
      (total, [name, amount]) => (canonicalName(name) === canonicalName(endUser) ? total + amount : total),
      sum,
    );
  }, 0);
}

function byWindow<T>(of: (window: SpendWindow) => T): Record<SpendWindow, T> {
  return Object.fromEntries(SPEND_WINDOWS.map((window) => [window, of(window)])) as Record<SpendWindow, T>;
}
