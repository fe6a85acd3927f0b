import { HEARTBEAT_TEMPO } from '@darkroom-service/store';
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { StartRefresh } from '../database/refresh.ts';

/** The processes that work on orders. */
interface LivingWorkers {
  /** Returns the ids of the workers; null = unknown, or some of them cannot make every order. */
  known(): readonly string[] | null;
  /** Tells whether no worker runs. False if that is unknown. */
  areNone(): boolean;
  stop(): Promise<void>;
}

const LOOK_EVERY_MS = 3_000;

/** Keeps the list of running workers up to date. On SQLite it is unknown, because processes do not hear each other. */
export async function openLivingWorkers(
  database: Pick<Database, 'kind' | 'read'>,
  startRefresh: StartRefresh,
): Promise<LivingWorkers> {
  if (database.kind === 'sqlite') return { known: () => null, areNone: () => false, stop: async () => {} };
  let known: readonly string[] | null = null;
  let areNone = false;
  const refresh = await startRefresh('workers', LOOK_EVERY_MS, async () => {
    const { read } = database;
    const [workers, local] = await Promise.all([
      read.all(
        read.builder
          .selectFrom('processes')
          .select('id')
          .where('role', '!=', 'api')
          .where('ended_at', 'is', null)
          .where('beat_at', '>', sql<number>`${read.now} - ${sql.lit(HEARTBEAT_TEMPO.leaseMs)}`),
      ),
      read.all(read.builder.selectFrom('instances').select(['worker', 'engine']).where('worker', '!=', '')),
    ]);
    const ids = workers.map(({ id }) => id);
    // Models that run on the machine of a worker may be on some machines only.
    const enginesOf = (worker: string) =>
      local
        .flatMap((one) => (one.worker === worker ? [one.engine] : []))
        .sort()
        .join(' ');
    areNone = ids.length === 0;
    known = ids.length === 0 || new Set(ids.map(enginesOf)).size > 1 ? null : ids;
  });
  return { known: () => known, areNone: () => areNone, stop: refresh.stop };
}
