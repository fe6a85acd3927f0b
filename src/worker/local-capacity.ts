import type { Engine } from '@darkroom-service/engines';
import { sql } from 'kysely';
import type { Log } from '../base/log.ts';
import type { Database } from '../database/database.ts';
import type { StartRefresh } from '../database/refresh.ts';

/** The total capacity of all live processes for engines that work locally, such as the painter. */
export interface LocalCapacity {
  /** Returns the maximum number of the engine's orders in progress over all processes. */
  of(engine: Pick<Engine, 'name' | 'concurrency'>): number;
  /** Publishes the capacity of this process and reads that of the others. */
  refresh(): Promise<void>;
  /** Removes the capacity of this process. */
  stop(): Promise<void>;
}

const LOOK_EVERY_MS = 5_000;
/** Time (four rounds) after which a process that was not seen no longer counts. */
const GONE_AFTER_MS = 20_000;
const FORGOTTEN_AFTER_MS = 10 * 60_000;

/** Opens the capacity of local engines of this machine. @param options.worker names this process */
export async function openLocalCapacity(options: {
  readonly database: Database;
  readonly worker: string;
  readonly engines: ReadonlyMap<string, Engine>;
  readonly startRefresh: StartRefresh;
  readonly log: Pick<Log, 'warn'>;
}): Promise<LocalCapacity> {
  const { database, worker, log } = options;
  const local = [...options.engines.values()].filter(({ isLocal }) => isLocal === true);
  let sums = new Map<string, number>();

  async function readNow(): Promise<void> {
    if (local.length === 0) return;
    await database.write('local_capacity', async (trx) => {
      const { builder, now } = trx;
      const values = local.map(({ name, concurrency }) => ({
        engine: name,
        worker,
        concurrency,
        seen_at: sql<number>`${now}`,
      }));
      await trx.run(
        builder
          .insertInto('instances')
          .values(values)
          .onConflict((conflict) =>
            conflict.columns(['engine', 'worker']).doUpdateSet((expression) => ({
              concurrency: expression.ref('excluded.concurrency'),
              seen_at: expression.ref('excluded.seen_at'),
            })),
          ),
      );
      const forgotten = sql<number>`${now} - ${sql.lit(FORGOTTEN_AFTER_MS)}`;
      await trx.run(builder.deleteFrom('instances').where('seen_at', '<', forgotten));
    });
    const { read } = database;
    const rows = await read.all(
      read.builder
        .selectFrom('instances')
        .select((expression) => ['engine', expression.fn.sum<number>('concurrency').as('concurrency')])
        .where('seen_at', '>', sql<number>`${read.now} - ${sql.lit(GONE_AFTER_MS)}`)
        .groupBy('engine'),
    );
    sums = new Map(rows.map(({ engine, concurrency }) => [engine, Number(concurrency)]));
  }

  const refresh = await options.startRefresh('local_engines', LOOK_EVERY_MS, readNow);
  return {
    // Without the database, at least the capacity of this process counts.
    of: ({ name, concurrency }) => Math.max(concurrency, sums.get(name) ?? 0),
    refresh: refresh.now,
    async stop() {
      await refresh.stop();
      await database
        .write('local_capacity', (trx) => trx.run(trx.builder.deleteFrom('instances').where('worker', '=', worker)))
        .catch((error: unknown) => log.warn({ err: error }, 'could not remove the abilities of this process'));
    },
  };
}
