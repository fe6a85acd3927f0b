import { type Compilable, sql } from 'kysely';
import type { Database } from '../../database/database.ts';

/** A standby of the PostgreSQL server, as the server sees it. */
export interface Standby {
  readonly name: string;
  /** Bytes that the standby has not replayed yet. */
  readonly bytes: number;
  /** Whether a commit is confirmed only when this standby, or another one in its place, has it. */
  readonly is_synchronous: boolean;
}

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

/** Lists standbys in a phrase for operators. */
export function describeStandbys(standbys: readonly Standby[]): string {
  if (standbys.length === 0) return 'none is connected, or the role may not see them (pg_monitor)';
  return standbys.map(({ name, is_synchronous: is }) => `${name} (${is ? '' : 'a'}synchronous)`).join(', ');
}
