import type { Schema, Session, TaskHooks } from '@darkroom-service/darkroom/kernel';
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';

type UnplacedPart = NonNullable<TaskHooks['unplacedParts']> extends RawBuilder<infer Part> ? Part : never;

const NO_PART = sql`select '' as api_key_id, 0 as created_at, '{}' as end_users_json where 1 = 0`;

/** Selects from the unplaced orders of open groups of all kinds. */
export function selectUnplacedParts(
  { builder }: Pick<Session, 'builder'>,
  hooks: readonly TaskHooks[],
): SelectQueryBuilder<Schema & { unplaced_parts: UnplacedPart }, 'unplaced_parts', object> {
  const kinds = hooks.flatMap(({ unplacedParts }) => unplacedParts ?? []);
  const parts = kinds.length === 0 ? NO_PART : sql.join(kinds, sql` union all `);
  return builder.selectFrom(sql<UnplacedPart>`(${parts})`.as('unplaced_parts'));
}
