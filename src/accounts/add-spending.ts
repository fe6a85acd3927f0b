import { type RawBuilder, type SqlBool, SqliteAdapter, sql } from 'kysely';
import type { SpendingTable } from '../database/account-tables.ts';
import { prepare } from '../database/prepared.ts';

/** An amount that a transaction adds to the row of a subject. */
export interface AddedAmount {
  readonly subject: string;
  readonly day: number;
  readonly month: number;
  readonly amount: number;
  /** 1 = makes the row if there is none. */
  readonly makes: number;
  /** The time zone by whose windows the orders were admitted, followed by these windows; null = none. */
  readonly zone: string | null;
  readonly zone_day: number | null;
  readonly zone_day_end: number | null;
  readonly zone_month: number | null;
  /** Milliseconds since 1970 when the newest of the orders was placed. */
  readonly newest: number;
  /** `[[1795910400000, 5000]]`: amounts with the times at which their orders were placed. */
  readonly parts: string;
}

type Given = <K extends keyof AddedAmount & string>(name: K) => RawBuilder<AddedAmount[K]>;
type Column = Exclude<keyof SpendingTable, 'subject'>;
type Windowed = 'day' | 'month';

const number = (given: Given, name: keyof AddedAmount & string) => sql<number>`cast(${given(name)} as bigint)`;
const zone = (given: Given) => sql<string | null>`cast(${given('zone')} as text)`;
const amountInZone = (given: Given) =>
  sql<number | null>`case when ${zone(given)} is not null then ${number(given, 'amount')} end`;

/** The columns of a row beside its subject, with their values in a new row. */
const NEW_ROW: Readonly<Record<Column, (given: Given) => RawBuilder<string | number | null>>> = {
  day: (given) => given('day'),
  day_used: (given) => given('amount'),
  month: (given) => given('month'),
  month_used: (given) => given('amount'),
  total_used: (given) => given('amount'),
  zone,
  zone_day: (given) => number(given, 'zone_day'),
  zone_day_end: (given) => number(given, 'zone_day_end'),
  zone_day_used: amountInZone,
  zone_month: (given) => number(given, 'zone_month'),
  zone_month_used: amountInZone,
  zone_total: amountInZone,
};

/** The columns of a row beside its subject. */
export const SPENDING_COLUMNS = Object.keys(NEW_ROW) as Column[];

/**
 * Adds an amount to the row of a subject. Code that settles an order knows no time zone, so an amount without one is
 * assigned to windows by the times at which its orders were placed. If an order is newer than the day that the row
 * counts, the start of the next day is unknown here, and the row stops counting the zone.
 */
export const addAmount = prepare<AddedAmount, unknown>('spending_add_in_zones', (builder, given) => {
  const isSqlite = builder.getExecutor().adapter instanceof SqliteAdapter;
  return builder
    .insertInto('spending')
    .columns(['subject', ...SPENDING_COLUMNS])
    .expression(
      builder
        .selectNoFrom([
          given('subject').as('subject'),
          ...SPENDING_COLUMNS.map((name) => NEW_ROW[name](given).as(name)),
        ])
        .where(({ or, exists }) =>
          or([
            sql<SqlBool>`${given('makes')} = 1`,
            exists(builder.selectFrom('spending').select('subject').where('subject', '=', given('subject'))),
          ]),
        ),
    )
    .onConflict((conflict) =>
      conflict.column('subject').doUpdateSet((expression) => ({
        ...added('day'),
        ...added('month'),
        total_used: expression('spending.total_used', '+', expression.ref('excluded.total_used')),
        zone: sql<string | null>`case
          when excluded.zone is not null then case when spending.zone = excluded.zone then spending.zone end
          when ${number(given, 'newest')} < spending.zone_day_end then spending.zone end`,
        zone_day_end: sql<number | null>`case when excluded.zone_day > spending.zone_day
          then excluded.zone_day_end else spending.zone_day_end end`,
        ...addedInZone('day', partsSince(given, 'day', isSqlite)),
        ...addedInZone('month', partsSince(given, 'month', isSqlite)),
        zone_total: sql<number | null>`case when spending.zone_total = spending.total_used
          then spending.total_used + excluded.total_used end`,
      })),
    );
});

function added(window: Windowed) {
  const [stored, given] = [sql.ref(`spending.${window}`), sql.ref(`excluded.${window}`)];
  const [used, amount] = [sql.ref(`spending.${window}_used`), sql.ref(`excluded.${window}_used`)];
  return {
    [window]: sql<number>`case when ${given} > ${stored} then ${given} else ${stored} end`,
    [`${window}_used`]: sql<number>`case when ${given} > ${stored} then ${amount}
      when ${given} = ${stored} then ${used} + ${amount} else ${used} end`,
  };
}

function addedInZone(window: Windowed, parts: RawBuilder<number>) {
  const [stored, given] = [sql.ref(`spending.zone_${window}`), sql.ref(`excluded.zone_${window}`)];
  const [used, amount] = [sql.ref(`spending.zone_${window}_used`), sql.ref(`excluded.zone_${window}_used`)];
  return {
    [`zone_${window}`]: sql<number | null>`case when ${given} > ${stored} then ${given} else ${stored} end`,
    [`zone_${window}_used`]: sql<number | null>`case when ${given} > ${stored} then ${amount}
      when spending.zone is not null then ${used} + ${parts} end`,
  };
}

/** Sums the parts that are not older than the row's window. */
function partsSince(given: Given, window: Windowed, isSqlite: boolean): RawBuilder<number> {
  const start = sql.ref(`spending.zone_${window}`);
  return isSqlite
    ? sql<number>`(select coalesce(sum(value ->> 1), 0) from json_each(${given('parts')}) where value ->> 0 >= ${start})`
    : sql<number>`(select coalesce(sum(cast(part.value ->> 1 as bigint)), 0)
        from json_array_elements(cast(cast(${given('parts')} as text) as json)) as part(value)
        where cast(part.value ->> 0 as bigint) >= ${start})`;
}
