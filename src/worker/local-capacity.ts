import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Engine } from '../engines/engine.ts';

/** What all live processes together can do of the engines whose work is done in processes, such as painting. */
export interface LocalCapacity {
  /** How many orders of the engine may be in progress over all processes. */
  of(engine: Pick<Engine, 'name' | 'concurrency'>): number;
  /** Writes what this process can do, and reads what the others can. */
  look(): Promise<void>;
  /** Takes this process out. */
  stop(): Promise<void>;
}

const LOOK_EVERY_MS = 5_000;
/** A process that was not seen for this long no longer counts: four looks. */
const GONE_AFTER_MS = 20_000;
const FORGOTTEN_AFTER_MS = 10 * 60_000;

/** @param options.worker names this process */
export async function openLocalCapacity(options: {
  readonly database: Database;
  readonly worker: string;
  readonly engines: ReadonlyMap<string, Engine>;
  readonly onError: (error: unknown) => void;
}): Promise<LocalCapacity> {
  const { database, worker, onError } = options;
  const local = [...options.engines.values()].filter(({ isLocal }) => isLocal === true);
  let sums = new Map<string, number>();
  let looking: Promise<void> | null = null;

  async function lookNow(): Promise<void> {
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
          .insertInto('local_engines')
          .values(values)
          .onConflict((conflict) =>
            conflict.columns(['engine', 'worker']).doUpdateSet((expression) => ({
              concurrency: expression.ref('excluded.concurrency'),
              seen_at: sql<number>`${now}`,
            })),
          ),
      );
      const forgotten = sql<number>`${now} - ${sql.lit(FORGOTTEN_AFTER_MS)}`;
      await trx.run(builder.deleteFrom('local_engines').where('seen_at', '<', forgotten));
    });
    const { read } = database;
    const rows = await read.all(
      read.builder
        .selectFrom('local_engines')
        .select((expression) => ['engine', expression.fn.sum<number>('concurrency').as('concurrency')])
        .where('seen_at', '>', sql<number>`${read.now} - ${sql.lit(GONE_AFTER_MS)}`)
        .groupBy('engine'),
    );
    sums = new Map(rows.map(({ engine, concurrency }) => [engine, Number(concurrency)]));
  }

  const look = () => {
    looking ??= lookNow().finally(() => {
      looking = null;
    });
    return looking;
  };
  await look();
  const timer = setInterval(() => void look().catch(onError), LOOK_EVERY_MS);
  timer.unref();
  return {
    // While the database is away, at least what this process can do itself.
    of: ({ name, concurrency }) => Math.max(concurrency, sums.get(name) ?? 0),
    look,
    async stop() {
      clearInterval(timer);
      await looking?.catch(() => {});
      await database
        .write('local_capacity', (trx) => trx.run(trx.builder.deleteFrom('local_engines').where('worker', '=', worker)))
        .catch(onError);
    },
  };
}
