import { setTimeout as delay } from 'node:timers/promises';
import { type Compilable, sql } from 'kysely';
import { Gauge, type Registry } from 'prom-client';
import type { Database } from '../database/database.ts';

/** A standby of the PostgreSQL server, as the server sees it. */
interface Standby {
  readonly name: string;
  /** What it has not replayed yet. */
  readonly bytes: number;
}

/** How long a scrape waits for the database. */
const PATIENCE_MS = 1_000;

/** Lists the standbys that are connected. A role without `pg_monitor` or `pg_read_all_stats` sees none. */
export async function readStandbys({ kind, read }: Pick<Database, 'kind' | 'read'>): Promise<Standby[]> {
  if (kind !== 'postgres') return [];
  const query = sql<Standby>`
    select application_name as name, cast(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn) as bigint) as bytes
    from pg_stat_replication where replay_lsn is not null order by name`;
  return await read.all({ compile: () => query.compile(read.builder) } as Compilable<Standby>);
}

/** Registers how far the standbys are behind. A scrape that the database does not answer keeps the last values. */
export function registerStandbyMetrics(registry: Registry, database: Pick<Database, 'kind' | 'read'>): void {
  new Gauge({
    name: 'darkroom_standby_behind_bytes',
    help: 'What a standby of the PostgreSQL server has not replayed yet, by its application_name.',
    labelNames: ['standby'],
    registers: [registry],
    async collect() {
      const read = readStandbys(database).catch(() => null);
      const standbys = await Promise.race([read, delay(PATIENCE_MS, null, { ref: false })]);
      if (standbys === null) return;
      this.reset();
      for (const { name, bytes } of standbys) this.set({ standby: name }, bytes);
    },
  });
}
