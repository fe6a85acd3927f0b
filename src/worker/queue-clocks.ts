import { world } from '@darkroom-service/contract';
import type { Argument } from '@darkroom-service/store';
import { sql } from 'kysely';
import type { Database, Transaction } from '../database/database.ts';
import { prepare } from '../database/prepared.ts';

/** Advances the virtual clocks of queues. All processes that claim from a queue change the same row. */
interface QueueClocks {
  /**
   * Resolves before the commit, and never rejects.
   * @returns false if another transaction changes the clock, or there is none yet: then call `advanceSoon`
   */
  advance(trx: Transaction, queue: string, rank: number): Promise<boolean>;
  /** Call it once the transaction that has advanced a clock is committed. */
  advanced(queue: string, rank: number): void;
  /**
   * Advances the clock shortly after. Until then a new order may get a rank that is lower by the number of orders
   * claimed at the same time.
   */
  advanceSoon(queue: string, rank: number): void;
}

interface Clock {
  readonly queue: string;
  readonly rank: number;
}

const SOON_MS = 100;

export const advanceClock = prepare<Clock, unknown>('claim_clock', (builder, argument: Argument<Clock>) =>
  builder
    .insertInto('queues')
    .values({ name: argument('queue'), clock: argument('rank') })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ clock: argument('rank') })
        .where('queues.clock', '<', argument('rank')),
    ),
);

const insertClock = prepare<Clock, unknown>('claim_clock_insert', (builder, argument) =>
  builder
    .insertInto('queues')
    .columns(['name', 'clock'])
    // Selected first: a conflict would wait for the transaction that advances the clock.
    .expression(
      builder
        .selectNoFrom([
          sql<string>`cast(${argument('queue')} as text)`.as('name'),
          sql<number>`cast(${argument('rank')} as double precision)`.as('clock'),
        ])
        .where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom('queues').select('name').where('name', '=', argument('queue')))),
        ),
    )
    .onConflict((conflict) => conflict.column('name').doNothing()),
);

/** Advances a clock. A clock that is ahead is locked as well: it only must not be behind. */
const advanceUnlocked = prepare<Clock, unknown>('claim_clock_unlocked', (builder, argument) =>
  builder
    .with(
      (name) => name('found').materialized(),
      (select) =>
        select.selectFrom('queues').select('name').where('name', '=', argument('queue')).forUpdate().skipLocked(),
    )
    .updateTable('queues')
    .set((expression) => ({
      clock: expression
        .case()
        .when('clock', '<', argument('rank'))
        .then(argument('rank'))
        .else(expression.ref('clock'))
        .end(),
    }))
    .where('name', 'in', (found) => found.selectFrom('found').select('name')),
);

/** Creates the clocks of queues, which all processes share. @param database a PostgreSQL database */
export function createQueueClocks(database: Pick<Database, 'writeAside'>): QueueClocks {
  const known = new Map<string, number>();
  const owed = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  return {
    async advance(trx, queue, rank) {
      if (rank <= (known.get(queue) ?? Number.NEGATIVE_INFINITY)) return true;
      // A failure undoes the transaction, which throws it.
      return (await trx.run(advanceUnlocked, { queue, rank }).catch(() => 0)) > 0;
    },
    advanced,
    advanceSoon,
  };

  /** Advances the clock later. If this process claims from the queue again before, that claim does it. */
  function advanceSoon(queue: string, rank: number): void {
    owed.set(queue, Math.max(rank, owed.get(queue) ?? rank));
    world.clearTimeout(timer);
    timer = world.setTimeout(() => void advanceOwed(), SOON_MS).unref();
  }

  function advanced(queue: string, rank: number): void {
    known.set(queue, Math.max(rank, known.get(queue) ?? rank));
    if ((owed.get(queue) ?? Number.POSITIVE_INFINITY) <= rank) owed.delete(queue);
  }

  async function advanceOwed(): Promise<void> {
    if (owed.size === 0) return;
    const clocks = [...owed].map(([queue, rank]) => ({ queue, rank }));
    clocks.sort((one, other) => (one.queue < other.queue ? -1 : 1));
    owed.clear();
    try {
      const left = await database.writeAside('claim_clock', async (trx) => {
        const locked: Clock[] = [];
        for (const clock of clocks) {
          await trx.run(insertClock, clock);
          if ((await trx.run(advanceUnlocked, clock)) === 0) locked.push(clock);
        }
        return locked;
      });
      for (const { queue, rank } of left) advanceSoon(queue, rank);
      for (const { queue, rank } of clocks.filter((clock) => !left.includes(clock))) advanced(queue, rank);
    } catch {
      // The next claim advances the clock.
    }
  }
}
