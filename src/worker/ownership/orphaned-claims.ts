import { world } from '@darkroom-service/contract';
import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { databaseNow } from '../../database/database-now.ts';
import { prepare } from '../../database/prepared.ts';
import { IN_FLIGHT } from '../../queue/in-flight.ts';
import type { ConfirmedUnsent } from '../confirmed-unsent.ts';

interface ClaimKey {
  readonly id: string;
  readonly fence: number;
}

/**
 * Finds claims of this process that it does not work on: the commit of the claim was not confirmed, or the release
 * failed. A living process keeps its claims, so nobody else would ever claim those tasks.
 */
export interface OrphanedClaims {
  /** Call after a failed write: there may be an orphaned claim. */
  suspect(): void;
  /** Searches when due, and releases claims that were also found the last time. */
  check(): Promise<void>;
}

/** The minimum time between finding and releasing: a new claim may not have reached its worker yet. */
const RELEASED_AFTER_MS = 5_000;
/** The interval is long because a search reads all tasks in flight. */
const SEARCH_EVERY_MS = 60_000;

const selectClaims = prepare<{ worker: string }, ClaimKey>('own_claims', (builder, argument) =>
  builder.selectFrom('tasks').select(['id', 'fence']).where(IN_FLIGHT).where('worker', '=', argument('worker')),
);

/**
 * In `preparing` and `deferred` no engine call was made, nor for an order that is known as unsent, which any process
 * may then submit. The raised fence also stops a worker that has the claim after all.
 */
const releaseClaim = prepare<ClaimKey & { worker: string; now: number; unsent: 0 | 1 }, unknown>(
  'release_orphan',
  (builder, argument) =>
    builder
      .updateTable('tasks')
      .set({
        worker: null,
        next_at: argument('now'),
        step: sql<'deferred'>`case when step = 'submitting' and ${argument('unsent')} = 1 then 'deferred' else step end`,
        fence: sql<number>`case when step in ('preparing', 'deferred') or ${argument('unsent')} = 1 then fence + 1 else fence end`,
      })
      .where('id', '=', argument('id'))
      .where('fence', '=', argument('fence'))
      .where('worker', '=', argument('worker'))
      .where('step', '!=', 'final'),
);

/**
 * Watches for claims of this process that it does not work on, and releases them.
 * @param isWorkingOn tells whether this process works on a task
 * @param onReleased gets the released tasks
 */
export function watchOrphanedClaims(
  {
    database,
    worker,
    confirmedUnsent,
  }: { readonly database: Database; readonly worker: string; readonly confirmedUnsent: Pick<ConfirmedUnsent, 'has'> },
  isWorkingOn: (taskId: string) => boolean,
  onReleased: (ids: readonly string[]) => void,
): OrphanedClaims {
  let seen = new Map<string, number>();
  let isSuspected = false;
  let searchedAtMs = world.monotonic();
  return {
    suspect() {
      isSuspected = true;
    },
    async check() {
      const nowMs = world.monotonic();
      if (!isSuspected && seen.size === 0 && nowMs - searchedAtMs < SEARCH_EVERY_MS) return;
      searchedAtMs = nowMs;
      const claims = await database.read.all(selectClaims, { worker });
      isSuspected = false;
      const orphans = claims.filter(({ id }) => !isWorkingOn(id));
      const keyOf = ({ id, fence }: ClaimKey) => `${id} ${fence}`;
      seen = new Map(orphans.map((orphan) => [keyOf(orphan), seen.get(keyOf(orphan)) ?? nowMs]));
      // As the next claim would find it.
      const isUnsent = ({ id, fence }: ClaimKey) => confirmedUnsent.has({ id, fence: fence + 1 });
      const old = orphans.filter(
        (orphan) => isUnsent(orphan) || nowMs - (seen.get(keyOf(orphan)) ?? nowMs) >= RELEASED_AFTER_MS,
      );
      if (old.length === 0) return;
      await database.write('release_orphans', async (trx) => {
        const now = await databaseNow(trx);
        for (const orphan of old)
          await trx.run(releaseClaim, { ...orphan, worker, now, unsent: isUnsent(orphan) ? 1 : 0 });
      });
      onReleased(old.map(({ id }) => id));
    },
  };
}
