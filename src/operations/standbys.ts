import { setTimeout as delay } from 'node:timers/promises';
import { type Compilable, sql } from 'kysely';
import { Gauge, type Registry } from 'prom-client';
import type { Database } from '../database/database.ts';

/** A standby of the PostgreSQL server, as the server sees it. */
export interface Standby {
  readonly name: string;
  /** Bytes that the standby has not replayed yet. */
  readonly bytes: number;
  /** Whether a commit is confirmed only when it, or another one in its place, has it. */
  readonly is_synchronous: boolean;
}

/** How long a scrape waits for the database. */
const PATIENCE_MS = 1_000;

/**
 * Lists the standbys that are connected, without subscribers of logical replication. A role without `pg_monitor` or
 * `pg_read_all_stats` sees none.
 */
export async function readStandbys({ kind, read }: Pick<Database, 'kind' | 'read'>): Promise<Standby[]> {
  if (kind !== 'postgres') return [];
  const query = sql<Standby>`
    select application_name as name, cast(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn) as bigint) as bytes,
      sync_state <> 'async' and current_setting('synchronous_commit') not in ('off', 'local') as is_synchronous
    from pg_stat_replication
    where replay_lsn is not null
      and pid not in (
        select active_pid from pg_replication_slots where slot_type = 'logical' and active_pid is not null
      )
    order by name`;
  return await read.all({ compile: () => query.compile(read.builder) } as Compilable<Standby>);
}

/** Whether a failover now could lose commits that were confirmed. */
export function areAsynchronous(standbys: readonly Standby[]): boolean {
  return standbys.length > 0 && !standbys.some((standby) => standby.is_synchronous);
}

/**
 * Registers how far the standbys are behind, and which are synchronous. A scrape that the database does not answer
 * keeps the last values.
 */
export function registerStandbyMetrics(registry: Registry, database: Pick<Database, 'kind' | 'read'>): void {
  let reading: Promise<Standby[] | null> | null = null;
  const readShared = () => {
    reading ??= Promise.race([
      readStandbys(database).catch(() => null),
      delay(PATIENCE_MS, null, { ref: false }),
    ]).finally(() => {
      reading = null;
    });
    return reading;
  };
  const register = (name: string, help: string, read: (standby: Standby) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['standby'],
      registers: [registry],
      async collect() {
        const standbys = await readShared();
        if (standbys === null) return;
        this.reset();
        for (const standby of standbys) this.set({ standby: standby.name }, read(standby));
      },
    });
  register(
    'darkroom_standby_behind_bytes',
    'What a standby of the PostgreSQL server has not replayed yet, by its application_name.',
    ({ bytes }) => bytes,
  );
  register(
    'darkroom_standby_synchronous',
    '1 = a commit waits for this standby of the PostgreSQL server or for another one in its place; 0 = it does not.',
    (standby) => Number(standby.is_synchronous),
  );
}
