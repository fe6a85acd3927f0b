import { world } from '@darkroom-service/contract';
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import { prepareWithClock } from './prepare-with-clock.ts';
import { type Argument, prepare } from './prepared.ts';
import type { Session, Store, Transaction } from './store.ts';
import type { StoreSchema } from './store-schema.ts';

/**
 * Work that one of the processes has to do once, except for claims of orders; a row states when it is due. A process
 * claims a row for the time of a lease, does the work, and deletes the row in the commit that records it. If it dies,
 * another process claims the row after the lease.
 */
type WorkRow = Selectable<StoreSchema['work']>;
/** Work that this process has claimed. */
export type Claim<Kind extends string = string> = Pick<
  WorkRow,
  'subject' | 'owner' | 'fence' | 'attempts' | 'entered_at'
> & {
  readonly kind: Kind;
};
/** The fields that identify a claim. */
type Claimed = Pick<Claim, 'kind' | 'subject' | 'fence'>;

const LARGEST_FENCE = 2 ** 47;

/** Work to enter. */
export interface NewWork<Kind extends string = string> {
  readonly kind: Kind;
  readonly subject: string;
  /** Party whose capacity the work uses, such as an account; '' = none. */
  readonly owner: string;
  readonly now: number;
}

const insert = (builder: Kysely<StoreSchema>, argument: Argument<NewWork>) =>
  builder.insertInto('work').values({
    kind: argument('kind'),
    subject: argument('subject'),
    owner: argument('owner'),
    due_at: argument('now'),
    entered_at: argument('now'),
    fence: 0,
    attempts: 0,
  });

const insertWork = prepare<StoreSchema, NewWork, unknown>('work_insert', insert);

/** Changes nothing, but waits for a process that ends this work: it sees the new cause, or the row is inserted. */
const insertUnlessThere = prepare<StoreSchema, NewWork, unknown>('work_ask', (builder, argument) =>
  insert(builder, argument).onConflict((conflict) =>
    conflict.columns(['kind', 'subject']).doUpdateSet(({ ref }) => ({ due_at: ref('work.due_at') })),
  ),
);

const insertAgain = prepare<StoreSchema, NewWork, unknown>('work_restart', (builder, argument) =>
  insert(builder, argument).onConflict((conflict) =>
    conflict
      .columns(['kind', 'subject'])
      .doUpdateSet(({ ref }) => ({ due_at: ref('excluded.due_at'), fence: 0, attempts: 0 })),
  ),
);

interface DueArguments extends Claimed {
  readonly inMs: number;
  readonly attempts: number;
  readonly nextFence: number;
}

const setDue = prepareWithClock<StoreSchema, DueArguments, unknown>('work_set_due', (builder, now, argument) =>
  builder
    .updateTable('work')
    .set({
      due_at: sql<number>`${now} + ${argument('inMs')}`,
      attempts: argument('attempts'),
      fence: argument('nextFence'),
    })
    .where('kind', '=', argument('kind'))
    .where('subject', '=', argument('subject'))
    .where('fence', '=', argument('fence')),
);

const remove = prepare<StoreSchema, Claimed, unknown>('work_end', (builder, argument) =>
  builder
    .deleteFrom('work')
    .where('kind', '=', argument('kind'))
    .where('subject', '=', argument('subject'))
    .where('fence', '=', argument('fence')),
);

/** Enters work whose subject is new. */
export function enterWork<Kind extends string>(trx: Pick<Transaction<StoreSchema>, 'send'>, work: NewWork<Kind>): void {
  trx.send(insertWork, work);
}

/**
 * Enters work unless it waits or is being done already. The process that ends it must look for causes after
 * `renewWork`, which makes this call wait.
 */
export function requestWork<Kind extends string>(
  trx: Pick<Transaction<StoreSchema>, 'send'>,
  work: NewWork<Kind>,
): void {
  trx.send(insertUnlessThere, work);
}

/** Makes work due now and forgets its attempts. A claim on it is lost. */
export function restartWork<Kind extends string>(
  trx: Pick<Transaction<StoreSchema>, 'send'>,
  work: NewWork<Kind>,
): void {
  trx.send(insertAgain, work);
}

const next = (builder: Kysely<StoreSchema>, now: RawBuilder<number>, kind: string | RawBuilder<string>) =>
  builder
    .selectFrom('work')
    .select([(expression) => expression.fn.min<number | null>('due_at').as('at'), now.as('now')])
    .where('kind', '=', kind);

/** Query for the next due time; idle processes run it once a second. */
const nextOfAll = prepareWithClock<StoreSchema, { kind: string }, { at: number | null; now: number }>(
  'work_next',
  (builder, now, argument) => next(builder, now, argument('kind')),
);

/**
 * Returns the milliseconds until the next work is due; null = there is none.
 * @param except owners to leave out
 */
export async function nextWorkInMs<Kind extends string>(
  read: Session<StoreSchema>,
  kind: Kind,
  except: readonly string[],
): Promise<number | null> {
  const row = await (except.length === 0
    ? read.first(nextOfAll(read), { kind })
    : read.first(next(read.builder, read.now, kind).where('owner', 'not in', except)));
  return row === undefined || row.at === null ? null : row.at - row.now;
}

interface ClaimArguments {
  readonly kind: string;
  readonly limit: number;
  readonly leaseMs: number;
  readonly fence: number;
}

const claim = (
  builder: Kysely<StoreSchema>,
  now: RawBuilder<number>,
  { kind, limit, leaseMs, fence }: { readonly [Name in keyof ClaimArguments]: RawBuilder<ClaimArguments[Name]> },
  except: readonly string[],
) => {
  const due = builder
    .selectFrom('work')
    .select('subject')
    .where('kind', '=', kind)
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(limit)
    .forUpdate()
    .skipLocked();
  return (
    builder
      // Materialized: PostgreSQL might otherwise run the selection again for each row, and lock more than its limit.
      .with(
        (name) => name('picked').materialized(),
        () => (except.length === 0 ? due : due.where('owner', 'not in', except)),
      )
      .updateTable('work')
      .set({ due_at: sql<number>`${now} + ${leaseMs}`, fence })
      .where('kind', '=', kind)
      .where('subject', 'in', (picked) => picked.selectFrom('picked').select('subject'))
      .returning(['subject', 'owner', 'fence', 'attempts', 'entered_at'])
  );
};

const claimOfAll = prepareWithClock<StoreSchema, ClaimArguments, Omit<Claim, 'kind'>>(
  'work_claim',
  (builder, now, argument) =>
    claim(
      builder,
      now,
      { kind: argument('kind'), limit: argument('limit'), leaseMs: argument('leaseMs'), fence: argument('fence') },
      [],
    ),
);

/**
 * Claims due work. Processes that claim at the same time get different work and do not wait for each other.
 * @param request.except owners to leave out
 */
export async function claimWork<Kind extends string>(
  trx: Transaction<StoreSchema>,
  request: {
    readonly kind: Kind;
    readonly limit: number;
    readonly leaseMs: number;
    readonly except: readonly string[];
  },
): Promise<Claim<Kind>[]> {
  const { kind, limit, leaseMs, except } = request;
  const fence = 1 + Math.floor(world.random() * LARGEST_FENCE);
  const rows = await (except.length === 0
    ? trx.all(claimOfAll(trx), { kind, limit, leaseMs, fence })
    : trx.all(
        claim(
          trx.builder,
          trx.now,
          { kind: sql`${kind}`, limit: sql`${limit}`, leaseMs: sql`${leaseMs}`, fence: sql`${fence}` },
          except,
        ),
      ));
  return rows.map((row) => ({ kind, ...row }));
}

/** Renews a claim, and makes `requestWork` wait until the commit. @returns false if the claim was lost */
export async function renewWork(trx: Transaction<StoreSchema>, claim: Claim, leaseMs: number): Promise<boolean> {
  return await setWork(trx, claim, { inMs: leaseMs, nextFence: claim.fence });
}

/** Releases a claim until the next attempt. @returns false if the claim was lost */
export async function releaseWork(
  trx: Transaction<StoreSchema>,
  claim: Claim,
  next: { readonly inMs: number; readonly attempts?: number },
): Promise<boolean> {
  return await setWork(trx, claim, { ...next, nextFence: 0 });
}

async function setWork(
  trx: Transaction<StoreSchema>,
  { kind, subject, fence, ...claim }: Claim,
  { inMs, attempts = claim.attempts, nextFence }: { inMs: number; attempts?: number; nextFence: number },
): Promise<boolean> {
  const due = { kind, subject, fence, inMs: Math.round(inMs), attempts, nextFence };
  return (await trx.run(setDue(trx), due)) > 0;
}

/** Ends claimed work. @returns false if the claim was lost */
export async function endWork(trx: Transaction<StoreSchema>, { kind, subject, fence }: Claimed): Promise<boolean> {
  return (await trx.run(remove, { kind, subject, fence })) > 0;
}

/** Milliseconds that timers may fire early by the database's clock; a chore would else wait for another interval. */
const EARLY_MS = 5_000;

/**
 * Claims a periodic chore for this process; true once per interval among all processes. The next turn is counted from
 * the last due time; missed turns are not made up for. If the process dies, the chore waits for the next interval.
 */
export async function claimChore(
  database: Pick<Store<StoreSchema>, 'write'>,
  chore: string,
  everyMs: number,
): Promise<boolean> {
  return await database.write('take_turn', async (trx) => {
    const next = sql<number>`${trx.now} + ${sql.lit(everyMs)}`;
    const now = sql<number>`excluded.due_at - ${sql.lit(everyMs)}`;
    const following = sql<number>`work.due_at + ${sql.lit(everyMs)}`;
    const taken = await trx.first(
      trx.builder
        .insertInto('work')
        .values({ kind: 'chore', subject: chore, owner: '', due_at: next, entered_at: next, fence: 0, attempts: 0 })
        .onConflict((conflict) =>
          conflict
            .columns(['kind', 'subject'])
            // Servers that distribute tables refuse a clock here.
            .doUpdateSet({
              due_at: sql<number>`case when ${following} > ${now} then ${following} else excluded.due_at end`,
            })
            .where('work.due_at', '<=', sql<number>`${now} + ${sql.lit(Math.min(EARLY_MS, Math.floor(everyMs / 10)))}`),
        )
        .returning('subject'),
    );
    return taken !== undefined;
  });
}
