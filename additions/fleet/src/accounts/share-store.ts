import { loadPostgres } from '@darkroom-service/store';
import { Pool } from 'pg';
import type { Share } from './next-share.ts';

/** Limit of an account over all cells, which adapts, and the time of its last change. */
export interface Whole {
  readonly limit: number;
  /** The time of the change by the clock of the shared database. */
  readonly changedAt: number;
}

/** A row of the shared table: the share of a cell, or the whole, whose `cell` is empty. */
export interface ShareRow {
  /** Upstream account, or a limit per minute of it. */
  readonly id: string;
  readonly cell: string;
  /** The version, which changes with each write. */
  readonly version: number;
  readonly state: Share | Whole;
}

/** A cell's change to the rows of an id. A row that another process has changed since it was read stays as it is. */
export interface ShareChange {
  readonly id: string;
  readonly cell: string;
  /** Whether the whole has a new amount. */
  readonly isAdapted: boolean;
  readonly part: { readonly version: number; readonly state: Share } | null;
  /** Given if the whole changes or the cell holds more: then no other write may have changed the whole meanwhile. */
  readonly whole: { readonly version: number; readonly state: Whole } | null;
}

/** The table that the cells share. */
export interface ShareStore {
  /** @returns the rows, and the time by the clock of the shared database */
  read(ids: readonly string[]): Promise<{ readonly rows: readonly ShareRow[]; readonly now: number }>;
  /** @returns the new versions of the rows that were written */
  write(changes: readonly ShareChange[]): Promise<readonly Omit<ShareRow, 'state'>[]>;
  /** Adds rows that are missing. */
  add(rows: readonly Omit<ShareRow, 'version'>[]): Promise<void>;
  /** Removes a row that nobody has written since it was read. */
  remove(row: ShareRow): Promise<void>;
}

const TABLE = `
create sequence if not exists upstream_part_versions;
create table if not exists upstream_parts (
  id text not null, cell text not null, version bigint not null default nextval('upstream_part_versions'),
  state jsonb not null, primary key (id, cell)
)`;

const READ = `
select (extract(epoch from clock_timestamp()) * 1000)::bigint as now,
  (select coalesce(jsonb_agg(p), '[]') from upstream_parts p where id = any($1)) as rows`;

/** Writes rows in the same order everywhere, so that cells do not wait for each other. */
const WRITE = `
with change as (
  select * from jsonb_to_recordset($1::jsonb)
    as c(id text, cell text, part jsonb, whole jsonb)
), turn as materialized (
  select p.id from upstream_parts p join change c on p.id = c.id and p.version = (c.whole ->> 'version')::bigint
  where p.cell = '' order by p.id for update of p
), wholes as (
  update upstream_parts p set state = c.whole -> 'state', version = nextval('upstream_part_versions')
  from change c where p.id = c.id and p.cell = '' and p.id in (select id from turn)
  returning p.id, p.cell, p.version
), parts as (
  update upstream_parts p set state = c.part -> 'state', version = nextval('upstream_part_versions')
  from change c where p.id = c.id and p.cell = c.cell and p.version = (c.part ->> 'version')::bigint
    and (c.whole is null or p.id in (select id from turn))
  returning p.id, p.cell, p.version
)
select * from wholes union all select * from parts`;

const ADD = `
insert into upstream_parts (id, cell, state)
select id, cell, state from jsonb_to_recordset($1::jsonb) as r(id text, cell text, state jsonb)
order by id, cell on conflict do nothing`;

/** Error codes of a wrong user or password, or of a missing database. */
const REFUSED = /^(28|3D)/;

const REMOVE = 'delete from upstream_parts where id = $1 and cell = $2 and version = $3';

/** Creates the store of shares in a table of a database, which is connected at the first read. */
export async function createShareStore(url: string): Promise<
  ShareStore & {
    /** Creates the table. @returns false if the database cannot be reached now @throws if it refuses */
    prepare(): Promise<boolean>;
    close(): Promise<void>;
  }
> {
  const { isConnectionLoss, poolConfig } = await loadPostgres();
  // Slower answers are useless.
  const pool = new Pool({ ...poolConfig(url, 'heartbeat'), max: 1 });
  // The next query reports it.
  pool.on('error', () => {});
  let isPrepared = false;

  async function prepare(): Promise<void> {
    if (isPrepared) return;
    await pool.query(`begin; select pg_advisory_xact_lock(hashtextextended('upstream_parts', 0)); ${TABLE}; commit`);
    isPrepared = true;
  }

  return {
    async prepare() {
      try {
        await prepare();
        return true;
      } catch (error) {
        const { code } = error as { readonly code?: string };
        if (isConnectionLoss(error) && !REFUSED.test(code ?? '')) return false;
        throw error;
      }
    },
    async read(ids) {
      await prepare();
      return (await pool.query<{ now: number; rows: ShareRow[] }>(READ, [ids])).rows[0]!;
    },
    async write(changes) {
      return (await pool.query<Omit<ShareRow, 'state'>>(WRITE, [JSON.stringify(changes)])).rows;
    },
    async add(rows) {
      await pool.query(ADD, [JSON.stringify(rows)]);
    },
    async remove({ id, cell, version }) {
      await pool.query(REMOVE, [id, cell, version]);
    },
    close: () => pool.end(),
  };
}
