import type { Micros } from '@darkroom-service/contract';
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Session } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';

/** Orders that were placed by one request and have not all ended. Those without a row of `tasks` are its promise. */
export interface OpenGroup {
  readonly id: string;
  readonly api_key_id: string;
  readonly created_at: number;
  /** The number of orders that are no rows of `tasks` yet, and the sum of their prices in micro-dollars. */
  readonly unplaced: number;
  readonly promised: Micros;
  /** The wishes of the group as a whole, whose followers are told of its end. */
  readonly webhook_url: string | null;
  readonly deliver_json: string | null;
}

/** Selects open groups of one kind. */
export interface GroupHooks {
  readonly openGroups?: RawBuilder<OpenGroup>;
}

const NONE = sql`select '' as id, '' as api_key_id, 0 as created_at, 0 as unplaced, 0 as promised,
  null as webhook_url, null as deliver_json where 1 = 0`;

/** Selects from the open groups of all kinds, each with one hold in the ledger for all of its orders. */
export function selectOpenGroups(
  { builder }: Pick<Session, 'builder'>,
  hooks: readonly GroupHooks[],
): SelectQueryBuilder<Schema & { open_groups: OpenGroup }, 'open_groups', object> {
  const kinds = hooks.flatMap(({ openGroups }) => openGroups ?? []);
  const all = kinds.length === 0 ? NONE : sql.join(kinds, sql` union all `);
  return builder.selectFrom(sql<OpenGroup>`(${all})`.as('open_groups'));
}
