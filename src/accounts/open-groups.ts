import type { Micros } from '@darkroom-service/contract';
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Session } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';

/** Orders that were placed by one request and have not all ended. Some may not have a row of `tasks` yet. */
export interface OpenGroup {
  readonly id: string;
  readonly api_key_id: string;
  readonly created_at: number;
  /** The number of orders that have no row of `tasks` yet, and the sum of their prices in micro-dollars. */
  readonly unplaced: number;
  readonly promised: Micros;
  /** The settings of the group as a whole, whose followers are notified of its end. */
  readonly webhook_url: string | null;
  readonly deliver_json: string | null;
}

/** Some orders of an open group that have no row of `tasks` yet. */
interface UnplacedPart {
  readonly api_key_id: string;
  /** Milliseconds since 1970 when the group was placed. */
  readonly created_at: number;
  /** `{ "ada": 20000 }`: the sum of the prices of each end user's orders, in micro-dollars. */
  readonly end_users_json: string;
}

/** Selects groups of orders, such as batches, that were placed by one request and have not all ended. */
export interface GroupHooks {
  /** Selects one row for each such group. One hold in the ledger stands for all orders of a group. */
  readonly openGroups?: RawBuilder<OpenGroup>;
  /** Selects the orders of such groups without a row. An order is in one part until the commit that inserts its row. */
  readonly unplacedParts?: RawBuilder<UnplacedPart>;
}

/** Condition for orders of a key that have not ended. Without its last part, SQLite reads all orders of the key. */
export const HAS_NOT_ENDED = sql<boolean>`status in ('queued', 'processing') and status <> 'succeeded'`;

const NO_GROUP = sql`select '' as id, '' as api_key_id, 0 as created_at, 0 as unplaced, 0 as promised,
  null as webhook_url, null as deliver_json where 1 = 0`;

type Builder = Pick<Session, 'builder'>;

/** Selects from the open groups of all kinds, each with one hold in the ledger for all of its orders. */
export function selectOpenGroups(
  { builder }: Builder,
  hooks: readonly GroupHooks[],
): SelectQueryBuilder<Schema & { open_groups: OpenGroup }, 'open_groups', object> {
  const kinds = hooks.flatMap(({ openGroups }) => openGroups ?? []);
  const groups = kinds.length === 0 ? NO_GROUP : sql.join(kinds, sql` union all `);
  return builder.selectFrom(sql<OpenGroup>`(${groups})`.as('open_groups'));
}
